/** opencode's row on what its plugin sent from the real client, and on what it would never send. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GuardAnswer, Occasion } from "../../src/clients/client.ts";
import { opencode } from "../../src/clients/opencode.ts";

interface Recorded {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(join(import.meta.dirname, "payloads/opencode", `${name}.json`), "utf8")) as Recorded;
}

function hear(event: string, payload: unknown): Occasion {
  return opencode.hear({
    event,
    payload,
    environment: { HOME: "/home/person" },
    readText: () => null,
    readTail: () => null,
    listNames: () => [],
    ancestors: () => [],
  });
}

function shown(occasion: Occasion): unknown {
  if (occasion.kind !== "tool" || occasion.call.kind !== "ours") return occasion;
  return { ...occasion, call: { ...occasion.call, rewrite: occasion.call.rewrite?.("safe") ?? null } };
}

const tool = { kind: "tool", session: "ses_1", directory: "/work/project", planFile: null };
const plan = { ...tool, planning: "plan" };
const ours = (name: string, id: string, call: readonly [string, object]): object => ({
  kind: "ours",
  name,
  calls: [{ id, tool: call[0], input: call[1] }],
  rewrite: null,
});
const bash = (id: string, args: Readonly<Record<string, string>>): object => ({
  ...ours("bash", id, ["Bash", { command: args["command"] }]),
  rewrite: { ...args, command: "safe" },
});

const sent = recorded("tool-bash").payload;

const callOf = (name: string, args: object): unknown => {
  const occasion = hear("tool", { ...sent, tool: name, args });
  return occasion.kind === "tool" ? occasion.call : occasion;
};

const planFile = (filePath: string): unknown => {
  const occasion = hear("tool", { ...sent, tool: "write", args: { filePath, content: "x" } });
  return occasion.kind === "tool" ? occasion.planFile : occasion;
};

describe("B11.2 opencode's calls in terms of ours", () => {
  test.each([
    ["tool-read", { ...plan, call: ours("read", "call_2_0", ["Read", { file_path: "/work/project/src/code.js" }]) }],
    [
      "tool-glob",
      { ...plan, call: ours("glob", "call_2_1", ["Glob", { pattern: "**/*.js", path: "/work/project/src" }]) },
    ],
    ["tool-grep", { ...plan, call: ours("grep", "call_2_2", ["Grep", { pattern: "alpha", glob: "*.txt" }]) }],
    [
      "tool-write",
      { ...plan, call: ours("write", "call_3_0", ["Write", { file_path: "/work/project/made.txt", content: "" }]) },
    ],
    [
      "tool-edit",
      {
        ...plan,
        call: ours("edit", "call_5_0", [
          "Edit",
          { file_path: "/work/project/note.txt", old_string: "", new_string: "" },
        ]),
      },
    ],
    [
      "tool-bash",
      {
        ...plan,
        call: {
          ...bash("call_4_0", { command: "echo hi", description: "say", workdir: "/work/project/src" }),
          directory: "/work/project/src",
        },
      },
    ],
    [
      "tool-bash-below",
      { ...plan, session: "ses_2", call: bash("call_9_0", { command: "echo child", description: "child" }) },
    ],
    ["tool-webfetch", { ...plan, call: ours("webfetch", "call_6_0", ["WebFetch", { url: "http://127.0.0.1:9/x" }]) }],
    ["tool-todowrite", { ...plan, call: { kind: "harmless", name: "todowrite", paths: [] } }],
    ["tool-submit-plan", { ...plan, call: { kind: "harmless", name: "submit_plan", paths: [] } }],
    ["tool-task", { ...plan, call: { kind: "spawn", name: "task", agent: "explore", readOnly: true } }],
    [
      "plan-presented",
      {
        kind: "plan",
        session: "ses_1",
        directory: "/work/project",
        plan: "# Plan\n\nDo it.",
        planFile: null,
        headless: false,
      },
    ],
  ])("%s", (name, expected) => {
    const { event, payload } = recorded(name);
    expect(shown(hear(event, payload))).toEqual(expected);
  });

  test("every file of a patch is one call, and a heading that nobody knows makes it unknown", () => {
    const patchText =
      "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n*** Move to: /etc/c\n@@\n-x\n+y\n*** Delete File: ../d\n*** End Patch";
    expect(callOf("apply_patch", { patchText })).toMatchObject({
      calls: [
        { tool: "Write", input: { file_path: "/work/project/a.txt" } },
        { tool: "Edit", input: { file_path: "/work/project/b.txt" } },
        { tool: "Write", input: { file_path: "/etc/c" } },
        { tool: "Write", input: { file_path: "/work/d" } },
      ],
    });
    expect(callOf("patch", { patchText: "*** Copy File: a" })).toEqual({ kind: "unknown", name: "patch" });
    expect(callOf("patch", { patchText: 7 })).toEqual({ kind: "unknown", name: "patch" });
  });

  test.each([
    ["notes_add", { kind: "external", name: "notes_add" }],
    ["batch", { kind: "unknown", name: "batch" }],
    ["execute", { kind: "unknown", name: "execute" }],
    ["constructor", { kind: "unknown", name: "constructor" }],
    ["__proto__", { kind: "external", name: "__proto__" }],
    ["plan_enter", { kind: "enter-plan", name: "plan_enter" }],
    ["lsp", { kind: "harmless", name: "lsp", paths: ["/work/project"] }],
  ])("the tool %s", (name, call) => {
    expect(callOf(name, {})).toEqual(call);
  });

  test("the notes that the agent may write while it plans are its plan file", () => {
    expect(planFile(".opencode/plans/a.md")).toBe("/work/project/.opencode/plans/a.md");
    expect(planFile("/home/person/.local/share/opencode/plans/a.md")).toBe(
      "/home/person/.local/share/opencode/plans/a.md",
    );
    expect(planFile(".opencode/plans/../../a.md")).toBeNull();
    expect(planFile(".opencode/plans/deep/a.md")).toBeNull();
    expect(planFile(".opencode/plans/a.js")).toBeNull();
  });
});

describe("B11.4 whether opencode plans", () => {
  test.each([
    [["plan"], "plan"],
    [["build"], "work"],
    [["general", "plan"], "plan"],
    [["general", "build"], "work"],
    [["general", null], "unknown"],
    [[null, "plan"], "plan"],
    [[7], "unknown"],
    [[], "unknown"],
  ])("agents %j: %s", (agents, planning) => {
    expect(hear("tool", { ...sent, agents })).toMatchObject({ planning });
  });

  test.each([
    ["no object", "tool", "text"],
    ["another version", "tool", { ...sent, version: 2 }],
    ["no session", "tool", { ...sent, session: "" }],
    ["a relative folder", "tool", { ...sent, directory: "project" }],
    ["no agents", "tool", { ...sent, agents: "plan" }],
    ["no tool", "tool", { ...sent, tool: 7 }],
    ["no arguments", "tool", { ...sent, args: null }],
    ["a plan that is no text", "plan", { ...sent, plan: ["x"] }],
    ["an event that is not there", "after", sent],
  ])("%s is not understood", (_, event, payload) => {
    expect(hear(event, payload)).toMatchObject({ kind: "unreadable" });
  });
});

const say = (event: string, answer: GuardAnswer): unknown => {
  const { stdout, stderr, exitCode } = opencode.say(event, answer, {});
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
};

describe("B11.2 B11.5 what opencode's plugin is told", () => {
  test.each<[string, GuardAnswer, object]>([
    ["tool", { kind: "no-opinion" }, { decision: "go-on" }],
    ["tool", { kind: "pass" }, { decision: "go-on" }],
    ["tool", { kind: "refuse", reason: "It writes." }, { decision: "refuse", reason: "It writes." }],
    ["tool", { kind: "rewrite", input: { command: "x" } }, { decision: "rewrite", args: { command: "x" } }],
    ["plan", { kind: "send-back", feedback: "No." }, { decision: "send-back", text: "No." }],
    ["plan", { kind: "refuse", reason: "Nobody." }, { decision: "refuse", reason: "Nobody." }],
  ])("%s %j", (event, answer, expected) => {
    expect(say(event, answer)).toEqual(expected);
  });

  test("an approval carries exactly the approved text, the notes and the agent", () => {
    const approve: GuardAnswer = { kind: "approve", plan: "# Plan {{x}}\n$& 'a'", mode: "build", notes: "Mind it." };
    expect(say("plan", approve)).toMatchObject({
      decision: "approve",
      agent: "build",
      text: expect.stringContaining("\n\n# Plan {{x}}\n$& 'a'\n\nNotes of the person: Mind it.") as string,
    });
  });

  test.each<[string, GuardAnswer]>([
    ["plan", { kind: "no-opinion" }],
    ["plan", { kind: "pass" }],
    ["plan", { kind: "rewrite", input: {} }],
    ["tool", { kind: "rewrite", input: "text" }],
    ["tool", { kind: "leave-to-client" }],
    ["tool", { kind: "approve", plan: "x", mode: null, notes: null }],
  ])("what does not belong to %s is a refusal: %j", (event, answer) => {
    expect(say(event, answer)).toEqual({ decision: "refuse", reason: expect.stringContaining("refused") as string });
  });
});
