/** Gemini CLI's row on payloads that the real client wrote, and on ones that it would never write. */
import { describe, expect, test } from "vitest";
import type { GuardAnswer, Occasion } from "../../src/clients/client.ts";
import { gemini } from "../../src/clients/gemini.ts";
import { approvedName } from "../../src/clients/gemini-marks.ts";
import { hear, plansDirectory, recorded } from "./gemini-recorded.ts";

function shown(occasion: Occasion): unknown {
  if (occasion.kind !== "tool" || occasion.call.kind !== "ours") return occasion;
  return { ...occasion, call: { ...occasion.call, rewrite: occasion.call.rewrite?.("safe") ?? null } };
}

const place = { session: "session-1", directory: "/work/project" };
const plan = { kind: "tool", ...place, planning: "plan", planFile: null };
const ours = (name: string, tool: string, input: object): object => ({
  kind: "ours",
  name,
  calls: [{ id: name, tool, input }],
  rewrite: null,
});
const edited = { old_string: "", new_string: "" };

const sent = recorded("plan-read-file");

const callOf = (tool_name: string, tool_input: object, more: object = {}): unknown => {
  const occasion = hear({ ...sent, payload: { ...sent.payload, tool_name, tool_input, ...more } });
  return occasion.kind === "tool" ? occasion.call : occasion;
};

const planFile = (file_path: string): unknown => {
  const payload = { ...sent.payload, tool_name: "write_file", tool_input: { file_path, content: "x" } };
  const occasion = hear({ ...sent, payload });
  return occasion.kind === "tool" ? occasion.planFile : occasion;
};

describe("B11.2 Gemini's calls in terms of ours", () => {
  test.each([
    ["plan-read-file", { ...plan, call: ours("read_file", "Read", { file_path: "/work/project/src/code.js" }) }],
    ["plan-list-directory", { ...plan, call: { kind: "harmless", name: "list_directory", paths: ["/work/project"] } }],
    ["plan-glob", { ...plan, call: ours("glob", "Glob", { pattern: "**/*.js" }) }],
    ["yolo-glob", { ...plan, call: ours("glob", "Glob", { pattern: "**/*.js", path: "/work/project/src" }) }],
    ["plan-grep-search", { ...plan, call: ours("grep_search", "Grep", { pattern: "alpha", glob: "*.txt" }) }],
    [
      "yolo-grep-search",
      { ...plan, call: ours("grep_search", "Grep", { pattern: "alpha", path: "/work/project", glob: "*.txt" }) },
    ],
    [
      "plan-write-file",
      {
        ...plan,
        planFile: `${plansDirectory}/plan.md`,
        call: ours("write_file", "Write", { file_path: `${plansDirectory}/plan.md`, content: "" }),
      },
    ],
    [
      "plan-write-file-2",
      { ...plan, call: ours("write_file", "Write", { file_path: "/work/project/after.txt", content: "" }) },
    ],
    [
      "yolo-replace",
      { ...plan, call: ours("replace", "Edit", { file_path: `${plansDirectory}/note.txt`, ...edited }) },
    ],
    [
      "yolo-run-shell-command",
      {
        ...plan,
        call: {
          ...ours("run_shell_command", "Bash", { command: "echo hi" }),
          directory: "/work/project/src",
          rewrite: { command: "safe", description: "say", dir_path: "src" },
        },
      },
    ],
    ["yolo-update-topic", { ...plan, call: { kind: "harmless", name: "update_topic", paths: [] } }],
    ["yolo-enter-plan-mode", { ...plan, call: { kind: "enter-plan", name: "enter_plan_mode" } }],
  ])("%s", (name, expected) => {
    expect(shown(hear(recorded(name)))).toEqual(expected);
  });

  test.each([
    ["save_memory", {}, { kind: "unknown", name: "save_memory" }],
    ["toString", {}, { kind: "unknown", name: "toString" }],
    ["discovered_tool_x", {}, { kind: "unknown", name: "discovered_tool_x" }],
    ["mcp_notes_add", {}, { kind: "external", name: "mcp_notes_add" }],
    ["read_mcp_resource", { uri: "notes://a" }, { kind: "external", name: "read_mcp_resource" }],
    ["web_fetch", { prompt: "no address" }, { kind: "unknown", name: "web_fetch" }],
    [
      "invoke_agent",
      { agent_name: "generalist" },
      { kind: "spawn", name: "invoke_agent", agent: "generalist", readOnly: true },
    ],
    ["read_many_files", { include: ["**"] }, { kind: "harmless", name: "read_many_files", paths: ["/work/project"] }],
  ])("the tool %s with %j", (name, input, call) => {
    expect(callOf(name, input)).toEqual(call);
  });

  test("a tool of a server is told by its server, whatever it is called", () => {
    const mcp_context = { server_name: "notes", tool_name: "add" };
    expect(callOf("read_file", {}, { mcp_context })).toEqual({ kind: "external", name: "mcp__notes__add" });
  });

  test("every address in the words of web_fetch is one that is fetched", () => {
    expect(callOf("web_fetch", { prompt: `see https://a.example"@127.0.0.1/ HTTP://[::1]/` })).toMatchObject({
      calls: [
        { input: { url: 'https://a.example"@127.0.0.1/' } },
        { input: { url: "HTTP://[::1]/" } },
        { input: { url: "https://a.example" } },
        { input: { url: "HTTP://[::1" } },
      ],
    });
    expect(callOf("web_fetch", { prompt: "see https://a.example/x and (http://127.0.0.1/y)" })).toMatchObject({
      calls: [{ input: { url: "https://a.example/x" } }, { input: { url: "http://127.0.0.1/y" } }],
    });
  });

  test("a path out of the folder of plans is no plan file", () => {
    expect(planFile("../plan.md")).toBeNull();
    expect(planFile("plan.sh")).toBeNull();
    expect(planFile("/work/project/plan.md")).toBeNull();
    expect(planFile(`${plansDirectory}/deep/plan.md`)).toBe(`${plansDirectory}/deep/plan.md`);
    for (const name of [approvedName("x"), `x"/../${approvedName("x")}`, approvedName("x").toUpperCase()])
      expect(planFile(name.replace(/MD$/, "md"))).toBeNull();
  });
});

describe("B11.5 Gemini's plan", () => {
  const exit = recorded("plan-exit-plan-mode");
  const file = `${plansDirectory}/plan.md`;

  test("is what its file holds", () => {
    expect(hear(exit, { texts: { [file]: "# Plan\n\nDo it." } })).toEqual({
      kind: "plan",
      ...place,
      plan: "# Plan\n\nDo it.",
      planFile: file,
      headless: true,
    });
  });

  test.each([
    ["that is not there", { plan_filename: "other.md" }],
    ["outside of its folder", { plan_filename: "/etc/hostname" }],
    ["above its folder", { plan_filename: "../x.md" }],
    ["without a name", {}],
  ])("a file %s is refused", (_, tool_input) => {
    const texts = { [file]: "x", "/etc/hostname": "x", [`${plansDirectory}/../x.md`]: "x" };
    expect(hear({ ...exit, payload: { ...exit.payload, tool_input } }, { texts })).toMatchObject({
      kind: "unreadable",
    });
  });
});

describe("B11.4 what is not understood", () => {
  const { event, environment, payload } = recorded("plan-read-file");
  test.each([
    ["no object", event, []],
    ["no session", event, { ...payload, session_id: 7 }],
    ["no folder", event, { ...payload, cwd: "project" }],
    ["no tool", event, { ...payload, tool_name: null }],
    ["no arguments", event, { ...payload, tool_input: "x" }],
    ["another event", "AfterTool", payload],
  ])("%s", (_, heardEvent, heard) => {
    const occasion = hear({ event: heardEvent, environment, payload: heard as Record<string, unknown> });
    expect(occasion).toMatchObject({ kind: "unreadable" });
  });
});

const say = (answer: GuardAnswer, payload: unknown, event = "BeforeTool"): unknown => {
  const { stdout, stderr, exitCode } = gemini.say(event, answer, payload);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout === "" ? null : JSON.parse(stdout);
};

const changed = (tool_input: object): object => ({
  decision: "allow",
  hookSpecificOutput: { hookEventName: "BeforeTool", tool_input },
});

describe("B11.2 B11.5 what Gemini is told", () => {
  const call = { tool_name: "run_shell_command" };
  const exit = { tool_name: "exit_plan_mode" };

  test.each<[string, GuardAnswer, unknown, unknown]>([
    ["no opinion", { kind: "no-opinion" }, call, null],
    ["pass", { kind: "pass" }, call, null],
    ["refuse", { kind: "refuse", reason: "It writes." }, call, { decision: "deny", reason: "It writes." }],
    ["rewrite", { kind: "rewrite", input: { command: "x" } }, call, changed({ command: "x" })],
    ["send back", { kind: "send-back", feedback: "No." }, exit, { decision: "deny", reason: "No." }],
    ["its own dialog", { kind: "leave-to-client" }, exit, null],
    [
      "approve",
      { kind: "approve", plan: "# Plan", mode: null, notes: null },
      exit,
      changed({ plan_filename: approvedName("# Plan") }),
    ],
  ])("%s", (_, answer, payload, expected) => {
    expect(say(answer, payload)).toEqual(expected);
  });

  test.each<[string, GuardAnswer, unknown, string]>([
    ["an approval of a call", { kind: "approve", plan: "x", mode: null, notes: null }, call, "BeforeTool"],
    ["an approval of nothing", { kind: "approve", plan: "x", mode: null, notes: null }, null, "BeforeTool"],
    ["a call left to the client", { kind: "leave-to-client" }, call, "BeforeTool"],
    ["a rewrite to no object", { kind: "rewrite", input: "x" }, call, "BeforeTool"],
    ["a pass for another event", { kind: "pass" }, call, "AfterTool"],
  ])("%s is a refusal", (_, answer, payload, event) => {
    expect(say(answer, payload, event)).toMatchObject({ decision: "deny" });
  });
});
