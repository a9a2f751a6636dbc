import { describe, expect, test } from "vitest";
import {
  approval,
  choose,
  planFile,
  planning,
  play,
  remindersOf,
  reviewing,
  said,
  started,
  typesOf,
  claimed,
} from "../testing/core-fixtures.ts";
import { commandList, openedText, runCommand, unknownCommand, type CommandOutcome } from "./commands.ts";
import type { Session } from "./session.ts";

const outside = started();
const empty = planning();
const written = play(empty, { type: "plan-saved", text: "# Plan", by: "model", at: 5 }).session;
const blank = play(empty, { type: "plan-saved", text: " \n\t", by: "model", at: 5 }).session;
const enter = choose("plan");
const shown = { path: planFile, content: "# Plan", hint: '"/plan open" to edit this plan in vim' };
const again = play(reviewing("# Done\n"), ...approval(), choose("plan")).session;
const none = { events: [], say: "Already in plan mode. No plan written yet." };

test.each<[string, Session, string, string | null, CommandOutcome]>([
  [
    "plan: /plan while an approved one is carried out",
    again,
    "/plan",
    "vim",
    {
      events: [],
      say: "Approved Plan, being carried out. No new plan written yet.",
      show: { path: planFile, content: "# Done\n", hint: null },
    },
  ],
  ["plan: /plan open while an approved one is carried out", again, "/plan open", "vim", none],
  ["not plan: /plan", outside, "/plan", null, { events: [enter], say: "Enabled plan mode" }],
  ["not plan: /plan open", outside, "/plan open", "vim", { events: [enter], say: "Enabled plan mode" }],
  [
    "not plan: /plan <description>",
    outside,
    "/plan add a login",
    null,
    { events: [enter, said("add a login")], say: "Enabled plan mode" },
  ],
  ["not plan: /plan off", outside, "/plan off", null, { events: [], say: "Not in plan mode." }],
  ["plan: /plan with no plan file", empty, "/plan", null, none],
  ["plan: /plan with a blank plan file", blank, "/plan", null, none],
  ["plan: /plan, an editor known", written, "/plan", "vim", { events: [], say: "Current Plan", show: shown }],
  [
    "plan: /plan, no editor known",
    written,
    "/plan",
    null,
    { events: [], say: "Current Plan", show: { ...shown, hint: null } },
  ],
  ["plan: /plan open", written, "/plan open", "vim", { events: [], say: null, open: planFile }],
  ["plan: /plan open with no plan", empty, "/plan open", "vim", none],
  ["plan: /plan off", written, "/plan off", null, { events: [{ type: "plan-left" }], say: null }],
  ["plan: /plan <text>", written, "/plan also test it", null, { events: [said("also test it")], say: null }],
])("R2.1 section 4, %s", (_, session, line, editor, outcome) => {
  expect(runCommand(line, session, editor)).toEqual(outcome);
});

describe("the command line", () => {
  test.each([
    ["/plan open the door", "open the door"],
    ["/plan off by one", "off by one"],
    ["/plan OPEN", "OPEN"],
    ["/plan \n add\na login  ", "add\na login"],
  ])("R2.1 section 4: open and off count only as the whole argument: %j", (line, text) => {
    expect(runCommand(line, written, null)).toEqual({ events: [said(text)], say: null });
  });

  test.each(["plan", "/planning", "/unknown", "", "/", "please /plan", "/constructor", "/PLAN"])(
    "R2.1 %j is no command",
    (line) => {
      expect(runCommand(line, outside, null)).toBe(null);
    },
  );

  test("R2.1 section 4: the command's name and hint", () => {
    const plan = commandList.find(({ name }) => name === "plan");
    expect(plan?.hint).toBe("[open|<description>]");
  });

  test("R2.1 section 4: what is said when the editor has been opened, or not", () => {
    expect(openedText(planFile, null)).toBe(`Opened plan in editor: ${planFile}`);
    expect(openedText(planFile, "no vim")).toBe("Failed to open plan in editor: no vim");
  });

  test.each([
    ["/mode plan", { events: [enter], say: null }],
    ["/mode ACCEPTEDITS", { events: [choose("acceptEdits")], say: null }],
    ["/mode", { events: [], say: "Choose one of: default, acceptEdits, plan, auto, bypassPermissions." }],
    ["/mode nonsense", { events: [], say: "Choose one of: default, acceptEdits, plan, auto, bypassPermissions." }],
    ["/todos", { events: [], say: "No todos." }],
    ["/clear", { events: [{ type: "context-cleared" }], say: "Conversation cleared." }],
    ["/compact", { events: [{ type: "compaction-requested", why: "asked" }], say: null }],
    ["/compact the cache", { events: [{ type: "compaction-requested", why: "asked", focus: "the cache" }], say: null }],
  ] as const)("B4.1 %s", (line, outcome) => {
    expect(runCommand(line, outside, null)).toEqual(outcome);
  });

  test("R13.2 /todos shows each with its mark", () => {
    const todos = [
      { content: "one", status: "completed" },
      { content: "two", status: "in_progress" },
      { content: "three", status: "pending" },
    ] as const;
    const session = play(outside, { type: "todos-written", todos }).session;
    expect(runCommand("/todos", session, null)).toEqual({ events: [], say: "☑ one\n◐ two\n☐ three" });
  });
});

describe("what the events do", () => {
  test("R2.1 /plan alone asks the model nothing", () => {
    expect(typesOf(play(outside, ...runCommand("/plan", outside, null)!.events).effects)).toEqual([]);
  });

  test("R2.1 /plan <description> sends it at once, and the first request carries the full reminder", () => {
    const entered = play(outside, ...runCommand("/plan add a login", outside, null)!.events);
    expect(entered.effects).toEqual([{ type: "claim-plan", task: "add a login" }]);
    const spoken = play(entered.session, claimed());
    expect(spoken.effects).toEqual([{ type: "call-model", request: 1 }]);
    expect(remindersOf(spoken.session)).toEqual([
      { type: "plan_mode", reminderType: "full", isSubAgent: false, planFilePath: planFile, planExists: false },
    ]);
  });

  test("B4.1 R2.1 /plan off goes back to the mode kept, and says that nothing was approved", () => {
    const session = planning({ mode: "acceptEdits" });
    const left = play(session, ...runCommand("/plan off", session, null)!.events);
    expect(left.session.permissions.mode).toEqual({ current: "acceptEdits" });
    expect(left.effects).toEqual([{ type: "notify", notice: { key: "left-without-approval", mode: "acceptEdits" } }]);
  });
});

test("an unknown command is said to be one, words that begin with a path are not", () => {
  expect(unknownCommand("/plna now")).toBe(
    "Unknown command: /plna. Did you mean /plan? /help lists all; nothing was sent.",
  );
  expect(unknownCommand("/PLAN")).toBe(
    "Unknown command: /PLAN. Did you mean /plan? /help lists all; nothing was sent.",
  );
  expect(unknownCommand("/zzz")).toBe("Unknown command: /zzz. /help lists all; nothing was sent.");
  expect(unknownCommand("/usr/bin is full")).toBe(null);
  expect(unknownCommand("and /plan later")).toBe(null);
});

test.each([
  ["/help", { kind: "help" }],
  ["/resume 1a2b", { kind: "resume", argument: "1a2b" }],
  ["/model", { kind: "model", argument: null }],
  ["/quit", { kind: "leave" }],
])("what only a face can do is left to it: %s", (line, wish) => {
  expect(runCommand(line, outside, null)).toEqual({ events: [], say: null, wish });
});
