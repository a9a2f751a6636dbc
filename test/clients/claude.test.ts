/** Claude Code's row: what is heard of it in each mode and of each tool. */
import { describe, expect, test } from "vitest";
import { claude } from "../../src/clients/claude.ts";
import type { ForeignCall, HookInput, Occasion } from "../../src/clients/client.ts";

const place = { session: "s1", directory: "/work/project" };
const common = { session_id: "s1", cwd: "/work/project", transcript_path: "/home/u/.claude/projects/p/s1.jsonl" };

function hear(event: string, payload: unknown, more: Partial<HookInput> = {}): Occasion {
  const input: HookInput = {
    event,
    payload,
    environment: {},
    readText: () => null,
    readTail: () => null,
    listNames: () => [],
    ancestors: () => [],
    ...more,
  };
  return claude.hear(input);
}

function tool(name: string, given: unknown, more: object = {}): unknown {
  return { ...common, permission_mode: "plan", tool_name: name, tool_input: given, tool_use_id: "t1", ...more };
}

function callOf(occasion: Occasion): unknown {
  if (occasion.kind !== "tool") return occasion;
  const { call } = occasion;
  return call.kind === "ours" ? { ...call, rewrite: call.rewrite?.("safe") ?? null } : call;
}

function ours(name: string, tool: string, input: unknown): unknown {
  return { kind: "ours", name, calls: [{ id: "t1", tool, input }], rewrite: null };
}

const transcript = (path: unknown): string =>
  [
    JSON.stringify({ type: "attachment", attachment: { type: "plan_mode", planFilePath: path } }),
    JSON.stringify({
      type: "assistant",
      message: { content: [{ input: { planFilePath: "/work/project/evil.md" } }] },
    }),
    JSON.stringify({ type: "assistant", attachment: { type: "plan_mode", planFilePath: "/work/project/evil.md" } }),
    '{"type":"attachment","attachment":{"type":"plan_mode","planFilePath":"/work/project/cut.md',
  ].join("\n");

const fileOf = (occasion: Occasion): unknown => (occasion.kind === "tool" ? occasion.planFile : occasion);

/** A file of the project that takes the place of an agent. */
const planted = {
  listNames: (folder: string): readonly string[] => (folder === "/work/project/.claude/agents" ? ["planted.md"] : []),
  readText: (): string => "---\nname: Explore\nisolation: worktree\n---\n",
};

describe("what a payload says of the mode", () => {
  test.each([
    ["plan", "plan"],
    ["default", "work"],
    ["acceptEdits", "work"],
    ["bypassPermissions", "work"],
    ["dontAsk", "work"],
    ["auto", "work"],
    ["PLAN", "unknown"],
    ["planning2", "unknown"],
    [undefined, "unknown"],
    [null, "unknown"],
    [["plan"], "unknown"],
  ])("B11.4 permission_mode %j is %s", (mode, planning) => {
    const occasion = hear("PreToolUse", tool("Bash", { command: "ls" }, { permission_mode: mode }));
    expect(occasion).toMatchObject({ kind: "tool", ...place, planning });
  });

  test("B11.3 in a mode of work a payload that is not whole is none of our business", () => {
    expect(hear("PreToolUse", { permission_mode: "default" })).toEqual({ kind: "other" });
  });
});

describe("tools", () => {
  const path = "/work/project/a.ts";
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ["Read", { file_path: path, offset: 3, pages: "1-2" }, ours("Read", "Read", { file_path: path })],
    ["Glob", { pattern: "**/*.ts" }, ours("Glob", "Glob", { pattern: "**/*.ts" })],
    ["Grep", { pattern: "x", path, "-o": true }, ours("Grep", "Grep", { pattern: "x", path })],
    ["LS", { path }, ours("LS", "Glob", { pattern: "*", path })],
    ["Write", { file_path: path, content: "x" }, ours("Write", "Write", { file_path: path, content: "" })],
    ["Edit", { file_path: path }, ours("Edit", "Edit", { file_path: path, old_string: "", new_string: "" })],
    ["MultiEdit", { file_path: path }, ours("MultiEdit", "Edit", { file_path: path, old_string: "", new_string: "" })],
    [
      "NotebookEdit",
      { notebook_path: path, new_source: "x", edit_mode: "delete" },
      ours("NotebookEdit", "NotebookEdit", { notebook_path: path, new_source: "" }),
    ],
    [
      "WebFetch",
      { url: "https://example.org", prompt: "x" },
      ours("WebFetch", "WebFetch", { url: "https://example.org" }),
    ],
    ["Read", { file_path: 7 }, ours("Read", "Read", { file_path: 7 })],
    ["TodoWrite", { todos: [] }, { kind: "harmless", name: "TodoWrite", paths: [] }],
    ["ToolSearch", { query: "x" }, { kind: "harmless", name: "ToolSearch", paths: [] }],
    ["mcp__github__get_issue", {}, { kind: "external", name: "mcp__github__get_issue" }],
    ["EnterPlanMode", {}, { kind: "enter-plan", name: "EnterPlanMode" }],
    ["Skill", { skill: "x" }, { kind: "unknown", name: "Skill" }],
    ["Monitor", { command: "ls" }, { kind: "unknown", name: "Monitor" }],
    ["constructor", {}, { kind: "unknown", name: "constructor" }],
  ];
  test.each(rows)("B11.2 %s %j", (name, given, call) => {
    expect(callOf(hear("PreToolUse", tool(name, given)))).toEqual(call);
  });

  test("B11.2 a shell command keeps its other arguments when it is rewritten", () => {
    const given = { command: "make", run_in_background: true, description: "Builds" };
    expect(callOf(hear("PermissionRequest", tool("Bash", given)))).toEqual({
      kind: "ours",
      name: "Bash",
      calls: [{ id: "t1", tool: "Bash", input: { command: "make" } }],
      rewrite: { command: "safe", run_in_background: true, description: "Builds" },
    });
  });

  const spawned: readonly (readonly [object, ForeignCall])[] = [
    [{ subagent_type: "Explore" }, { kind: "spawn", name: "Agent", agent: "Explore", readOnly: true }],
    [
      { subagent_type: "Plan", mode: "plan" },
      { kind: "spawn", name: "Agent", agent: "Plan", readOnly: true },
    ],
    [
      { subagent_type: "Explore", mode: "acceptEdits" },
      { kind: "spawn", name: "Agent", agent: "Explore", readOnly: false },
    ],
    [
      { subagent_type: "Explore", isolation: "worktree" },
      { kind: "spawn", name: "Agent", agent: "Explore", readOnly: false },
    ],
    [{ subagent_type: "explore" }, { kind: "spawn", name: "Agent", agent: "explore", readOnly: false }],
    [{}, { kind: "spawn", name: "Agent", agent: "general-purpose", readOnly: false }],
    [{ subagent_type: {} }, { kind: "spawn", name: "Agent", agent: "?", readOnly: false }],
  ];
  test.each(spawned)("B11.2 an agent %j", (given, call) => {
    expect(callOf(hear("PreToolUse", tool("Agent", given)))).toEqual(call);
  });

  test("B11.2 an agent of the project by the name of one that only looks", () => {
    const heard = hear("PreToolUse", tool("Agent", { subagent_type: "Explore" }), planted);
    expect(callOf(heard)).toEqual({ kind: "spawn", name: "Agent", agent: "Explore", readOnly: false });
  });

  test("B11.5 a question to the person is left to them", () => {
    expect(hear("PermissionRequest", tool("AskUserQuestion", { questions: [] }))).toEqual({ kind: "other" });
  });
});

describe("the plan file", () => {
  const own = "/home/u/.claude/plans/calm-owl.md";

  test("B11.2 is the one that the client itself wrote into its transcript", () => {
    const readTail = (path: string): string | null => (path === common.transcript_path ? transcript(own) : null);
    expect(fileOf(hear("PreToolUse", tool("Write", { file_path: own }), { readTail }))).toBe(own);
    expect(fileOf(hear("PreToolUse", tool("Write", { file_path: "/work/project/evil.md" }), { readTail }))).toBe(own);
  });

  test("B11.2 without a transcript it lies in the client's folder of plans", () => {
    const environment = { HOME: "/home/u" };
    expect(fileOf(hear("PreToolUse", tool("Edit", { file_path: own }), { environment }))).toBe(own);
    const below = "/home/u/.claude/plans/../x.md";
    expect(fileOf(hear("PreToolUse", tool("Edit", { file_path: below }), { environment }))).toBe(null);
    const elsewhere = { CLAUDE_CONFIG_DIR: "/etc/claude", HOME: "/home/u" };
    expect(fileOf(hear("PreToolUse", tool("Edit", { file_path: own }), { environment: elsewhere }))).toBe(null);
  });

  test("B11.2 is nobody's business for a call that writes no file", () => {
    expect(fileOf(hear("PreToolUse", tool("Bash", { command: "ls" }), { environment: { HOME: "/home/u" } }))).toBe(
      null,
    );
  });
});

describe("a plan is presented", () => {
  const given = { plan: "# Plan", planFilePath: "/home/u/.claude/plans/calm-owl.md" };
  test("B11.5 with the text and the file that the client put in", () => {
    expect(hear("PermissionRequest", tool("ExitPlanMode", given))).toEqual({
      kind: "plan",
      ...place,
      plan: "# Plan",
      planFile: given.planFilePath,
      headless: false,
    });
  });

  test("B11.4 without a text it is refused", () => {
    expect(hear("PermissionRequest", tool("ExitPlanMode", {}))).toMatchObject({ kind: "unreadable" });
    expect(hear("PermissionRequest", tool("ExitPlanMode", { plan: 7 }))).toMatchObject({ kind: "unreadable" });
  });

  test("B11.5 an agent inside of the session presents none", () => {
    expect(callOf(hear("PreToolUse", tool("ExitPlanMode", given, { agent_id: "a1" })))).toEqual({
      kind: "unknown",
      name: "ExitPlanMode",
    });
  });

  test.each([
    ["PostToolUse", { tool_name: "ExitPlanMode" }, { kind: "answered", ...place, how: "approved" }],
    ["PostToolUse", { tool_name: "Bash" }, { kind: "other" }],
    ["UserPromptSubmit", {}, { kind: "answered", ...place, how: "rejected" }],
    ["Stop", {}, { kind: "answered", ...place, how: "over" }],
    ["SessionEnd", {}, { kind: "answered", ...place, how: "over" }],
    ["Stop", { agent_id: "a1" }, { kind: "other" }],
    ["Stop", { session_id: 3 }, { kind: "other" }],
  ])("B11.5 %s %j says whether it was answered there", (event, more, occasion) => {
    expect(hear(event, { ...common, ...more })).toEqual(occasion);
  });
});

describe("what cannot be read", () => {
  test.each([
    ["PreToolUse", null],
    ["PreToolUse", []],
    ["PreToolUse", "plan"],
    ["PreToolUse", {}],
    ["PreToolUse", tool("", {})],
    ["PreToolUse", tool("Bash", "ls")],
    ["PreToolUse", tool("Bash", { command: "ls" }, { cwd: "project" })],
    ["PreToolUse", tool("Bash", { command: "ls" }, { session_id: "" })],
    ["PreToolUse", tool("Bash", { command: "ls" }, { hook_event_name: "Stop" })],
    ["PreToolUse", tool("Bash", { command: "ls" }, { hook_event_name: { toString: 1 } })],
    ["WorldEnd", common],
  ])("B11.4 %s %j is refused with words", (event, payload) => {
    const occasion = hear(event, payload);
    expect(occasion).toMatchObject({ kind: "unreadable", problem: expect.stringMatching(/\w/) });
  });
});
