/** Codex's row on payloads that the real client wrote, and on ones that it would never write. */
import { describe, expect, test } from "vitest";
import type { Occasion } from "../../src/clients/client.ts";
import { codex } from "../../src/clients/codex.ts";
import { hear, inputOf, lines, recorded, textsOf } from "./codex-recorded.ts";

function shown(occasion: Occasion): unknown {
  if (occasion.kind !== "tool") return occasion;
  const { call, planning, directory } = occasion;
  const shownCall = call.kind === "ours" ? { ...call, rewrite: call.rewrite?.("safe") ?? null } : call;
  return { planning, directory, call: shownCall };
}

const plan = { planning: "plan", directory: "/work/project" };
const bash = (command: string, id: string): object => ({
  kind: "ours",
  name: "Bash",
  calls: [{ id, tool: "Bash", input: { command } }],
  rewrite: { command: "safe" },
});
const write = (file_path: string, id: string): object => ({ id, tool: "Write", input: { file_path, content: "" } });
const edit = (file_path: string, id: string): object => ({
  id,
  tool: "Edit",
  input: { file_path, old_string: "", new_string: "" },
});
const patch = (...calls: readonly object[]): object => ({ kind: "ours", name: "apply_patch", calls, rewrite: null });
const place = { session: expect.any(String) as string, directory: "/work/project" };
const presented = (text: string): object => ({ kind: "plan", ...place, plan: text, planFile: null, headless: false });
const answered = (how: string): object => ({ kind: "answered", ...place, how });
const harmless = (name: string, ...paths: readonly string[]): object => ({ kind: "harmless", name, paths });

const heard: readonly (readonly [string, unknown])[] = [
  ["direct-pre-tool-use-bash", { ...plan, call: bash("touch made.txt", "call_1") }],
  ["direct-pre-tool-use-bash-2", { ...plan, call: { ...bash("cat note.txt", "call_2"), directory: "/usr" } }],
  ["direct-permission-request-bash", { ...plan, call: bash("touch escaped", "Bash") }],
  ["direct-pre-tool-use-apply-patch", { ...plan, call: patch(write("new.txt", "call_3-0")) }],
  [
    "direct-pre-tool-use-apply-patch-2",
    {
      ...plan,
      call: patch(edit("new.txt", "call_4-0"), write("moved.txt", "call_4-1"), write("second.txt", "call_4-2")),
    },
  ],
  ["direct-pre-tool-use-apply-patch-3", { ...plan, call: patch(write("moved.txt", "call_5-0")) }],
  ["direct-permission-request-apply-patch", { ...plan, call: patch(write("/etc/made.txt", "apply_patch-0")) }],
  ["direct-pre-tool-use-mcp-notes-add-note", { ...plan, call: { kind: "external", name: "mcp__notes__add_note" } }],
  ["direct-pre-tool-use-request-user-input", { ...plan, call: harmless("request_user_input") }],
  ["direct-pre-tool-use-get-goal", { ...plan, call: harmless("get_goal") }],
  ["direct-pre-tool-use-create-goal", { ...plan, call: { kind: "unknown", name: "create_goal" } }],
  ["direct-pre-tool-use-view-image", { ...plan, call: harmless("view_image", "picture.png") }],
  ["direct-pre-tool-use-list-mcp-resources", { ...plan, call: harmless("list_mcp_resources") }],
  ["direct-post-tool-use-bash", { kind: "other" }],
  ["direct-post-tool-use-apply-patch", { kind: "other" }],
  ["direct-session-start", { kind: "other" }],
  ["code-mode-pre-tool-use-clockcurr-time", { ...plan, call: harmless("clockcurr_time") }],
  ["code-mode-pre-tool-use-clocksleep", { ...plan, call: harmless("clocksleep") }],
  ["agent-pre-tool-use-collaborationwait-agent", { ...plan, call: harmless("collaborationwait_agent") }],
  [
    "agent-pre-tool-use-collaborationspawn-agent",
    { ...plan, call: { kind: "spawn", name: "collaborationspawn_agent", agent: "default", readOnly: true } },
  ],
  [
    "agent-v1-pre-tool-use-spawn-agent",
    { ...plan, call: { kind: "spawn", name: "spawn_agent", agent: "explorer", readOnly: true } },
  ],
  ["plan-pre-tool-use-bash", { ...plan, planning: "work", call: bash("touch worked", "call_24") }],
];

describe("what the real client sends", () => {
  test.each(heard)("B11.2 %s", (name, expected) => {
    expect(shown(hear(name))).toEqual(expected);
  });

  test("B11.2 the script of its code mode calls tools that are heard like any other", () => {
    expect(hear("code-mode-pre-tool-use-bash")).toMatchObject({
      planning: "plan",
      directory: "/work/project",
      call: { calls: [{ input: { command: "touch made.txt" } }], directory: "/usr" },
    });
    expect(hear("code-mode-pre-tool-use-apply-patch")).toMatchObject({
      planning: "plan",
      call: { calls: [{ tool: "Write", input: { file_path: "new.txt" } }] },
    });
  });
});

test("B11.2 what a server of MCP gives is a call of that server", () => {
  const read = { tool_name: "read_mcp_resource", tool_input: { server: "notes", uri: "notes://a" } };
  const call = { kind: "external", name: "read_mcp_resource" };
  expect(hear("direct-pre-tool-use-list-mcp-resources", read)).toMatchObject({ planning: "plan", call });
});

describe("agents below", () => {
  const all = ["agent-pre-tool-use-bash", "agent-pre-tool-use-bash-2", "agent-v1-pre-tool-use-bash"];

  test.each(all)("B11.2 %s plans with the thread above it, though its own transcript says default", (name) => {
    const { payload, files } = recorded(name);
    expect(lines(files[payload["transcript_path"] as string]!)).not.toContain('"mode":"plan"');
    expect(hear(name)).toMatchObject({ kind: "tool", planning: "plan" });
  });

  test.each(all)("B11.3 %s works once the thread above it works", (name) => {
    const found = recorded(name);
    const texts = new Map([...textsOf(found)].map(([path, text]) => [path, text.replaceAll('"plan"', '"default"')]));
    expect(codex.hear(inputOf({ ...found, texts }))).toMatchObject({ planning: "work" });
  });

  test.each(all)("B11.4 %s: with the transcript above it gone nobody can tell", (name) => {
    const found = recorded(name);
    const texts = textsOf(found);
    for (const path of texts.keys()) if (path !== found.payload["transcript_path"]) texts.delete(path);
    expect(codex.hear(inputOf({ ...found, texts }))).toMatchObject({ planning: "unknown" });
  });

  test("B11.4 the session's id leads nowhere but to a transcript", () => {
    const [name] = all;
    for (const session_id of ["../../../../etc/passwd", "", 7, null, "%", "x".repeat(1e5)])
      expect(hear(name!, { session_id })).not.toMatchObject({ planning: "work" });
  });

  test("a prompt for an agent is no answer of the person", () => {
    expect(hear("agent-v1-user-prompt-submit-agent")).toEqual({ kind: "other" });
  });

  test("the root is found on another day, as clocks of other places count", () => {
    const found = recorded("agent-pre-tool-use-bash");
    const own = found.payload["transcript_path"];
    const texts = new Map(
      [...textsOf(found)].map(([path, text]) => [path === own ? path : path.replace("/11/18/", "/11/17/"), text]),
    );
    expect(codex.hear(inputOf({ ...found, texts }))).toMatchObject({ planning: "plan" });
  });
});

describe("payloads that are not whole", () => {
  test.each([null, undefined, 7, "x", [], [{}]])("B11.4 %j is refused", (payload) => {
    expect(codex.hear(inputOf({ event: "PreToolUse", payload, texts: new Map() }))).toMatchObject({
      kind: "unreadable",
    });
  });

  test.each(["session_id", "cwd", "tool_name", "tool_input"])(
    "B11.4 without %s it is refused while planning",
    (field) => {
      for (const value of [undefined, null, "", 7, ["x"]])
        expect(hear("direct-pre-tool-use-bash", { [field]: value })).toMatchObject({ kind: "unreadable" });
    },
  );

  test("B11.3 while it works it is none of our business", () => {
    expect(hear("plan-pre-tool-use-bash", { tool_name: 7 })).toEqual({ kind: "other" });
  });

  test("B11.4 another event than the entry's, and one that is not known", () => {
    expect(hear("direct-pre-tool-use-bash", { hook_event_name: "Stop" })).toMatchObject({ kind: "unreadable" });
    const { payload } = recorded("direct-pre-tool-use-bash");
    const input = inputOf({ event: "X", payload: { ...payload, hook_event_name: "X" }, texts: new Map() });
    expect(codex.hear(input)).toMatchObject({ kind: "unreadable" });
  });

  test.each<[string, unknown]>([
    ["no text", undefined],
    ["no file", "*** Begin Patch\n*** End Patch"],
    ["a heading that is not known", "*** Begin Patch\n*** Link File: a\n*** Add File: b\n+x\n*** End Patch"],
    ["a path that is empty", "*** Begin Patch\n*** Add File:  \n+x\n*** End Patch"],
  ])("B11.4 a patch with %s", (_, command) => {
    const occasion = hear("direct-pre-tool-use-apply-patch", { tool_input: { command } });
    expect(occasion).toMatchObject({ call: { kind: "unknown", name: "apply_patch" } });
  });

  test.each(["exec", "write_stdin", "Write", "collaboration", "collaborationBash", "constructor", "mcp_x"])(
    "B11.2 the tool %s is not known",
    (tool_name) => {
      expect(hear("direct-pre-tool-use-bash", { tool_name })).toMatchObject({
        call: { kind: "unknown", name: tool_name },
      });
    },
  );
});

describe("the plan", () => {
  test("B11.5 the turn ends with it, and again after it was sent back", () => {
    expect(hear("plan-stop")).toEqual(presented("# Plan\n\nDo it.\n"));
    expect(hear("plan-stop-2")).toEqual(presented("# Plan\n\nDo it better.\n"));
  });

  test("B11.5 an answer without a new plan presents none, nor does a turn of work", () => {
    for (const name of ["plan-stop-3", "plan-stop-4", "plan-stop-5"]) expect(hear(name)).toEqual({ kind: "other" });
  });

  test("B11.5 neither a plan of another turn, nor one of an agent, nor an empty one", () => {
    expect(hear("plan-stop", { turn_id: "other" })).toEqual({ kind: "other" });
    expect(hear("plan-stop", { agent_id: "a" })).toEqual({ kind: "other" });
    const found = recorded("plan-stop");
    const texts = new Map(
      [...textsOf(found)].map(([path, text]) => [path, text.replace("# Plan\\n\\nDo it.\\n", " ")]),
    );
    expect(codex.hear(inputOf({ ...found, texts }))).toEqual({ kind: "other" });
  });

  test("B11.5 what the person says next answers a review that is still open", () => {
    expect(hear("plan-user-prompt-submit")).toEqual(answered("rejected"));
    expect(hear("plan-user-prompt-submit-2")).toEqual(answered("approved"));
    expect(hear("plan-user-prompt-submit", { prompt: "Implement the plan." })).toEqual(answered("rejected"));
    expect(hear("plan-user-prompt-submit-2", { prompt: "Forget it." })).toEqual(answered("rejected"));
    expect(hear("direct-session-end")).toEqual(answered("over"));
  });
});
