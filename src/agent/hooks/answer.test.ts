import { describe, expect, test } from "vitest";
import { closedNames, hookNames, type HookName } from "../../core/settings/hook-names.ts";
import { mergeAnswers, readAnswer, type HookEnd, type HookReading } from "./answer.ts";

const exited = (code: number, stdout = "", stderr = ""): HookEnd => ({ kind: "exited", code, stdout, stderr });
const json = (value: unknown): HookEnd => exited(0, JSON.stringify(value));
const specific = (event: HookName, fields: object): HookEnd =>
  json({ hookSpecificOutput: { hookEventName: event, ...fields } });
const read = (event: HookName, end: HookEnd): HookReading => readAnswer(event, end, "the hook `h`");
const nothing: HookReading = { answer: "none", reason: "", context: [], told: [] };
const refusal = (reason: string): HookReading => ({ ...nothing, answer: "deny", reason });
const decided = (permissionDecision: unknown, more: object = {}): HookReading =>
  read("PreToolUse", specific("PreToolUse", { permissionDecision, permissionDecisionReason: "why", ...more }));
const permitted = (decision: unknown): HookReading =>
  read("PermissionRequest", specific("PermissionRequest", { decision }));
const of = (answer: HookReading["answer"], more: Partial<HookReading> = {}): HookReading => ({
  ...nothing,
  answer,
  reason: answer === "none" ? "" : answer,
  ...more,
});

/** What an exit code of 2 does, moment by moment. */
const afterTwo: Readonly<Record<HookName, "refuses" | "is told">> = {
  PreToolUse: "refuses",
  PostToolUse: "refuses",
  UserPromptSubmit: "refuses",
  Stop: "refuses",
  SubagentStop: "refuses",
  SessionStart: "is told",
  SessionEnd: "is told",
  PreCompact: "refuses",
  PermissionRequest: "refuses",
  Notification: "is told",
  "plan.entered": "is told",
  "plan.submitted": "refuses",
  "plan.approved": "is told",
  "plan.rejected": "is told",
};
const contexts: ReadonlySet<HookName> = new Set(["SessionStart", "UserPromptSubmit"]);
const failures: Readonly<Record<string, HookEnd>> = {
  "exit code 1": exited(1, "", "oh no\nmore"),
  "exit code 127": exited(127),
  "a time out": { kind: "failed", why: "took longer than 1 s and was ended" },
  "no program": { kind: "failed", why: "cannot be started: there is no program x" },
  "half of a JSON": exited(0, '{"decision":'),
  "a list": exited(0, "{}[]"),
  "a decision that there is not": json({ decision: "perhaps" }),
  "a reason that is no text": json({ decision: "block", reason: 7 }),
  "a continue that is no flag": json({ continue: "no" }),
  "another moment's words": json({ hookSpecificOutput: { hookEventName: "Elsewhere" } }),
  "words that are no object": json({ hookSpecificOutput: "deny" }),
  "a context that is no text": json({ hookSpecificOutput: { additionalContext: ["x"] } }),
  "a message that is no text": json({ systemMessage: {} }),
};

describe.each(hookNames)("%s", (event) => {
  test("B14.1 exit code 0 and silence say nothing", () => {
    expect([read(event, exited(0)), read(event, exited(0, " \n", "noise"))]).toEqual([nothing, nothing]);
  });

  test("B14.1 plain words on exit code 0 are for the model where they are context, else for nobody", () => {
    expect(read(event, exited(0, "it is Tuesday\n")).context).toEqual(contexts.has(event) ? ["it is Tuesday"] : []);
    expect(read(event, exited(0, "it is Tuesday\n")).answer).toBe("none");
  });

  test(`B14.1 exit code 2 ${afterTwo[event]}`, () => {
    const expected = afterTwo[event] === "refuses" ? refusal("not so") : { ...nothing, told: ["the hook `h`: not so"] };
    expect(read(event, exited(2, '{"decision":"approve"}', "not so\n"))).toEqual(expected);
  });

  test(`B14.1 decision block ${afterTwo[event] === "refuses" ? "refuses" : "does nothing"}`, () => {
    const expected = afterTwo[event] === "refuses" ? refusal("not so") : nothing;
    expect(read(event, json({ decision: "block", reason: "not so" }))).toEqual(expected);
  });

  test("B14.1 continue false, a message for the person, and context are taken", () => {
    expect(read(event, json({ continue: false, stopReason: "enough", systemMessage: "look" }))).toMatchObject({
      stop: "enough",
      told: ["the hook `h`: look"],
    });
    expect(read(event, specific(event, { additionalContext: "more" })).context).toEqual(["more"]);
    expect(read(event, json({ continue: true, suppressOutput: true, other: 1 }))).toEqual(nothing);
  });

  test.each(Object.entries(failures))(
    `B14.1 %s ${closedNames.has(event) ? "refuses and is told" : "is told, and no more"}`,
    (_, end) => {
      const reading = read(event, end);
      expect(reading.told).toHaveLength(1);
      expect(reading.told[0]).toContain("the hook `h`");
      expect([reading.answer, reading.failed === true]).toEqual(
        closedNames.has(event) ? ["deny", true] : ["none", false],
      );
      if (closedNames.has(event))
        expect(reading.reason).toMatch(/^the hook `h` .*, so the (call does not run|plan is not handed in)$/s);
    },
  );
});

describe("PreToolUse", () => {
  test.each([
    ["allow", "allow"],
    ["deny", "deny"],
    ["ask", "ask"],
    ["defer", "ask"],
  ])("B14.1 permissionDecision %s is %s", (said, answer) => {
    expect(decided(said)).toEqual({ ...nothing, answer, reason: "why" });
  });

  test("B14.1 another input is taken with a decision and without one", () => {
    expect(decided("allow", { updatedInput: { command: "ls" } }).input).toEqual({ command: "ls" });
    expect(read("PreToolUse", specific("PreToolUse", { updatedInput: { command: "ls" } }))).toEqual({
      ...nothing,
      input: { command: "ls" },
    });
  });

  test.each([["maybe"], [true], [null], ["constructor"]])(
    "B14.1 permissionDecision %s is nonsense, and refuses",
    (said) => {
      expect(decided(said)).toMatchObject({ answer: "deny", failed: true });
    },
  );

  test("B14.1 an input that is no object is nonsense; the older words count; the older name of the moment too", () => {
    expect(decided("allow", { updatedInput: "ls" })).toMatchObject({ answer: "deny", failed: true });
    expect(read("PreToolUse", json({ decision: "approve", reason: "fine" }))).toMatchObject({ answer: "allow" });
    expect(read("PreToolUse", json({ hookSpecificOutput: { hookEventName: "tool.before" } }))).toEqual(nothing);
  });
});

describe("PermissionRequest", () => {
  test("B14.1 allow, with another input; permissions and modes are only the person's to change", () => {
    expect(permitted({ behavior: "allow" })).toEqual({ ...nothing, answer: "allow" });
    expect(permitted({ behavior: "allow", updatedInput: { a: 1 } })).toMatchObject({
      answer: "allow",
      input: { a: 1 },
    });
    const wide = permitted({ behavior: "allow", updatedPermissions: [{ type: "setMode", mode: "acceptEdits" }] });
    expect(wide.told).toEqual(["the hook `h` wants to change permissions or the mode; only you do"]);
  });

  test("B14.1 deny with its message, and the end of the turn; nonsense says nothing", () => {
    expect(permitted({ behavior: "deny", message: "no" })).toEqual(refusal("no"));
    expect(permitted({ behavior: "deny", message: "no", interrupt: true })).toEqual({ ...refusal("no"), stop: "no" });
    expect(permitted({ behavior: "perhaps" })).toMatchObject({ answer: "none", told: [expect.any(String)] });
  });
});

describe("several hooks", () => {
  test.each([
    [["allow", "deny", "ask"], "deny"],
    [["none", "ask", "allow"], "ask"],
    [["allow", "none"], "allow"],
    [["none", "none"], "none"],
    [[], "none"],
  ] as const)("B14.1 %j come to %s", (answers, answer) => {
    expect(mergeAnswers(answers.map((one) => of(one)))).toMatchObject({
      answer,
      reason: answer === "none" ? "" : answer,
    });
  });

  test("B14.1 what each adds is kept; a refused call has no other input; a failure beside a refusal is none", () => {
    const both = mergeAnswers([
      of("allow", { context: ["a"], told: ["x"], input: { a: 1 } }),
      of("none", { context: ["b"], input: { b: 1 } }),
    ]);
    expect(both).toEqual({ ...of("allow"), context: ["a", "b"], told: ["x"], input: { b: 1 } });
    expect(mergeAnswers([of("deny"), of("allow", { input: { a: 1 } })])).not.toHaveProperty("input");
    expect(mergeAnswers([of("deny", { failed: true }), of("deny")])).not.toHaveProperty("failed");
    expect(mergeAnswers([of("deny", { failed: true }), of("allow")])).toMatchObject({ failed: true });
  });
});

test("B14.1 nothing that a hook writes is obeyed by a terminal, and nobody reads more than ten thousand characters", () => {
  const text = "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b[2J";
  expect(read("PreToolUse", exited(2, "", text)).reason).toBe("red \\u{1b}]0;title\\u{7} \\u{1b}[2J");
  const [long] = read("SessionStart", exited(0, "x".repeat(50_000))).context;
  expect(long).toBe(`${"x".repeat(10_000)}… (cut: 50000 characters in all)`);
});
