import { describe, expect, test } from "vitest";
import {
  answered,
  choose,
  exits,
  finished,
  noticesIn,
  planning,
  play,
  questionOf,
  reads,
  refusalsIn,
  reply,
  resultsOf,
  runs,
  said,
  start,
  statesOf,
  typesOf,
  working,
  writes,
} from "../../testing/core-fixtures.ts";
import type { Call } from "../decide/access.ts";
import type { Effect } from "../effect.ts";
import type { Event } from "../event.ts";
import type { HooksAnswer } from "../hooks.ts";
import type { Mode } from "../mode.ts";
import { replay } from "../reduce.ts";
import { freshSession, type Session } from "../session.ts";
import type { HookName } from "../settings/hook-names.ts";

const answer = (given: HooksAnswer["answer"], more: Partial<HooksAnswer> = {}): HooksAnswer => ({
  answer: given,
  reason: given === "none" ? "" : `hook says ${given}`,
  context: [],
  told: [],
  ...more,
});
const heard = (id: string, given: HooksAnswer, call?: Call): Event => ({
  type: "hooks-answered",
  id,
  answer: given,
  ...(call === undefined ? {} : { call }),
});
const withHooks = (session: Session, ...hooks: HookName[]): Session => ({
  ...session,
  settings: { ...session.settings, hooks },
});
const ran = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) => (effect.type === "run-tool" ? [effect.call.id] : []));
const asked = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) => (effect.type === "run-hooks" ? [effect.id] : []));

/** What an edit, a reading and a writing command come to after each answer, mode by mode. */
const cells: readonly (readonly [Mode, HooksAnswer["answer"], string, string, string])[] = [
  ["default", "allow", "runs", "runs", "runs"],
  ["default", "none", "asks", "runs", "asks"],
  ["default", "ask", "asks", "asks", "asks"],
  ["default", "deny", "hook", "hook", "hook"],
  ["acceptEdits", "allow", "runs", "runs", "runs"],
  ["acceptEdits", "none", "runs", "runs", "asks"],
  ["acceptEdits", "ask", "asks", "asks", "asks"],
  ["acceptEdits", "deny", "hook", "hook", "hook"],
  ["bypassPermissions", "allow", "runs", "runs", "runs"],
  ["bypassPermissions", "none", "runs", "runs", "runs"],
  ["bypassPermissions", "ask", "runs", "runs", "runs"],
  ["bypassPermissions", "deny", "hook", "hook", "hook"],
  ["plan", "allow", "plan-write", "runs", "plan-command-writes"],
  ["plan", "none", "plan-write", "runs", "plan-command-writes"],
  ["plan", "ask", "plan-write", "asks", "plan-command-writes"],
  ["plan", "deny", "plan-write", "hook", "plan-command-writes"],
];

function outcome(mode: Mode, given: HooksAnswer["answer"], call: Call): string {
  const session = withHooks(mode === "plan" ? planning() : working({ mode, bypassAvailable: true }), "PreToolUse");
  const waiting = play(session, reply(call));
  expect([asked(waiting.effects), ran(waiting.effects)]).toEqual([["PreToolUse-1"], []]);
  const done = play(waiting.session, heard("PreToolUse-1", answer(given)));
  if (ran(done.effects).length > 0) return "runs";
  if (typesOf(done.effects).includes("ask-permission")) return "asks";
  const result = resultsOf(done.session)[call.id];
  return result?.kind === "denied" ? result.denial.code : "nothing";
}

describe("PreToolUse", () => {
  test.each(cells)(
    "B14.1 R5.1 in %s, %s: an edit %s, a reading %s, a writing command %s",
    (mode, given, edit, read, command) => {
      const calls = [writes("c"), reads("c"), runs("c", { verdict: "writes" })];
      expect(calls.map((call) => outcome(mode, given, call))).toEqual([edit, read, command]);
    },
  );

  test("B14.1 a hook's yes to what plan mode refuses is told to the person as ignored", () => {
    const waiting = play(withHooks(planning(), "PreToolUse"), reply(writes("w")));
    expect(noticesIn(play(waiting.session, heard("PreToolUse-1", answer("allow"))).effects)).toContain(
      "hook-allow-ignored",
    );
  });

  test("B14.1 another input is judged as if the model had given it; another call is not taken", () => {
    const session = withHooks(planning(), "PreToolUse");
    const waiting = play(session, reply(reads("r")));
    const put = { ...writes("r"), tool: reads("r").tool };
    const done = play(waiting.session, heard("PreToolUse-1", answer("allow"), put));
    expect(resultsOf(done.session)["r"]).toMatchObject({ kind: "denied", denial: { code: "plan-write" } });
    const other = play(waiting.session, heard("PreToolUse-1", answer("none"), writes("x")));
    expect(ran(other.effects)).toEqual(["r"]);
  });

  test("B14.1 each call waits for its own turn and is heard of then; an answer counts once", () => {
    const session = withHooks(working({ mode: "acceptEdits" }), "PreToolUse");
    const begun = play(session, reply(writes("a"), writes("b")));
    expect(statesOf(begun.session)).toEqual({ a: "hooking", b: "waiting" });
    const one = play(begun.session, heard("PreToolUse-1", answer("none")));
    expect(refusalsIn(play(one.session, heard("PreToolUse-1", answer("none"))).effects)).toEqual(["unknown-question"]);
    const two = play(one.session, finished("a"));
    expect([asked(two.effects), statesOf(two.session)]).toEqual([["PreToolUse-2"], { b: "hooking" }]);
  });

  test("B14.1 B14.4 a hook that came while the person is asked is asked before a yes counts", () => {
    const session = working({ mode: "default" });
    const open = play(session, reply(writes("w")));
    const settings = { ...session.settings, hooks: ["PreToolUse"] as const };
    const changed = play(open.session, { type: "settings-changed", settings, autoOptedIn: false });
    expect([typesOf(changed.effects).includes("withdraw-question"), statesOf(changed.session)]).toEqual([
      true,
      { w: "hooking" },
    ]);
    expect(noticesIn(changed.effects)).toContain("settings-changed");
  });

  test("B14.1 R14.6 after a crash the hooks of today are asked, whatever those of then said", () => {
    const session = withHooks(working({ mode: "default" }), "PreToolUse");
    const open = play(session, reply(writes("w")), heard("PreToolUse-1", answer("ask")));
    expect(statesOf(open.session)).toEqual({ w: "asking" });
    const again = play(open.session, { type: "session-resumed", plan: null });
    expect([asked(again.effects), statesOf(again.session)]).toEqual([["PreToolUse-2"], { w: "hooking" }]);
  });

  test("B14.1 continue false: nothing else of the turn begins, and the person has the floor", () => {
    const session = withHooks(working({ mode: "acceptEdits" }), "PreToolUse");
    const begun = play(session, reply(writes("a"), writes("b")));
    const ended = play(begun.session, heard("PreToolUse-1", answer("none", { stop: "enough" })));
    expect([ran(ended.effects), typesOf(ended.effects).includes("call-model")]).toEqual([[], false]);
    expect(Object.values(resultsOf(ended.session)).map((one) => one.kind)).toEqual(["denied", "denied"]);
  });
});

describe("PostToolUse", () => {
  const session = withHooks(working({ mode: "acceptEdits" }), "PostToolUse");

  test("B14.1 the model hears of a result when hooks have, with what they add; a failed call has none", () => {
    const waiting = play(session, reply(writes("a")), finished("a"));
    expect([asked(waiting.effects), statesOf(waiting.session)]).toEqual([["PostToolUse-1"], { a: "finishing" }]);
    const done = play(waiting.session, heard("PostToolUse-1", answer("deny", { context: ["known"] })));
    expect(typesOf(done.effects)).toEqual(["call-model"]);
    const reminders = done.session.transcript.shared.flatMap((entry) =>
      entry.kind === "reminder" ? [entry.reminder] : [],
    );
    expect(reminders).toEqual([
      { type: "hook", event: "PostToolUse", text: "known", isOrder: false },
      { type: "hook", event: "PostToolUse", text: "hook says deny", isOrder: true },
    ]);
    const failed = play(session, reply(writes("a")), {
      type: "tool-finished",
      callId: "a",
      output: "no",
      isError: true,
    });
    expect(asked(failed.effects)).toEqual([]);
  });

  test("B14.1 what ran stays done when the turn is stopped or the process dies meanwhile", () => {
    const waiting = play(session, reply(writes("a")), finished("a"));
    for (const event of [{ type: "turn-cancelled" }, { type: "session-resumed", plan: null }] as const)
      expect(resultsOf(play(waiting.session, event).session)["a"]?.kind).toBe("ran");
  });
});

describe("words and stops", () => {
  test("B14.1 a prompt waits for its hooks, then goes on, or never was said", () => {
    const session = withHooks(play(freshSession(), start()).session, "UserPromptSubmit");
    const waiting = play(session, said("hi"));
    expect([asked(waiting.effects), waiting.session.turn.queued]).toEqual([["UserPromptSubmit-1"], []]);
    expect(typesOf(play(waiting.session, heard("UserPromptSubmit-1", answer("none"))).effects)).toEqual(["call-model"]);
    const refused = play(waiting.session, heard("UserPromptSubmit-1", answer("deny")));
    expect([noticesIn(refused.effects), refused.session.transcript.length]).toEqual([["prompt-refused"], 0]);
    const again = play(waiting.session, { type: "session-resumed", plan: null });
    expect(asked(again.effects)).toEqual(["UserPromptSubmit-2"]);
  });

  test("B14.1 SessionStart is heard before the model is; agents have none", () => {
    const settings = { ...start().settings, hooks: ["SessionStart"] as const };
    const begun = play(freshSession(), { ...start(), settings }, said("hi"));
    expect([asked(begun.effects), typesOf(begun.effects).includes("call-model")]).toEqual([["SessionStart-1"], false]);
    const told = play(begun.session, heard("SessionStart-1", answer("none", { context: ["on main"] })));
    expect(typesOf(told.effects)).toEqual(["call-model"]);
    const actor = { kind: "subagent", id: "a", ownPlan: false, parent: "default" } as const;
    expect(asked(play(freshSession(), { ...start(), settings, actor }).effects)).toEqual([]);
  });

  test("B14.1 Stop: refused, the model goes on with the reason, eight times in a row and no more", () => {
    let now = play(withHooks(working(), "Stop"), reply()).session;
    for (let times = 1; times <= 8; times += 1) {
      expect(now.hooks.waiting).toMatchObject([{ occasion: { event: "Stop", again: times > 1 } }]);
      const on = play(now, heard(`Stop-${times}`, answer("deny")));
      expect(typesOf(on.effects)).toEqual(["call-model"]);
      now = play(on.session, { type: "model-replied", request: times + 1, content: [], calls: [] }).session;
    }
    const over = play(now, heard("Stop-9", answer("deny")));
    expect([noticesIn(over.effects), typesOf(over.effects).includes("call-model")]).toEqual([
      ["stop-hook-given-up"],
      false,
    ]);
  });
});

describe("questions and plans", () => {
  test.each([
    ["default", "allow", "runs"],
    ["default", "deny", "hook"],
    ["default", "none", "open"],
    ["plan", "allow", "open"],
    ["plan", "deny", "hook"],
  ] as const)("B14.1 R5.1 in %s a PermissionRequest hook that says %s: %s", (mode, given, expected) => {
    const session = mode === "plan" ? planning() : working({ mode: "default" });
    const open = play(withHooks(session, "PermissionRequest"), reply(runs("c", { verdict: "unproven" })));
    const done = play(open.session, heard(questionOf(open.session, "c")!, answer(given)));
    const result = resultsOf(done.session)["c"];
    const found = ran(done.effects).length > 0 ? "runs" : result?.kind === "denied" ? result.denial.code : "open";
    expect(found).toBe(expected);
  });

  test("B14.1 B1.14 what a deny rule may refuse is no hook's to answer", () => {
    const looks = runs("c", { verdict: "read-only" });
    const call = { ...looks, subjects: [...looks.subjects, { rule: "Read", unknown: true }] };
    const session = withHooks(working({ rules: { allow: [], ask: [], deny: ["Read(.env)"] } }), "PermissionRequest");
    const open = play(session, reply(call)).session;
    expect(statesOf(play(open, heard(questionOf(open, "c")!, answer("allow"))).session)).toEqual({ c: "asking" });
  });

  test("B14.1 a yes of the person's after a hook's that was ignored counts as ever", () => {
    const open = play(withHooks(planning(), "PermissionRequest"), reply(runs("c", { verdict: "unproven" })));
    const id = questionOf(open.session, "c")!;
    const done = play(open.session, heard(id, answer("allow")), answered("c", "yes"));
    expect(ran(done.effects)).toEqual(["c"]);
  });

  test("B8.2 B14.1 nobody is shown a plan before its hooks have heard of it; sent back, the same text is not shown either", () => {
    const session = withHooks(planning(), "plan.submitted");
    const read = { type: "plan-read", callId: "x", text: "# Plan", at: 1 } as const;
    const waiting = play(session, reply(exits("x")), read);
    expect([asked(waiting.effects), typesOf(waiting.effects).includes("request-review")]).toEqual([
      ["plan.submitted-1"],
      false,
    ]);
    expect(typesOf(play(waiting.session, heard("plan.submitted-1", answer("none"))).effects)).toContain(
      "request-review",
    );
    const back = play(waiting.session, heard("plan.submitted-1", answer("deny")));
    expect(resultsOf(back.session)["x"]).toMatchObject({ kind: "denied", denial: { code: "hook" } });
    expect(back.session.plan.rejected).toMatchObject({ feedback: "hook says deny" });
    const failed = play(waiting.session, heard("plan.submitted-1", answer("deny", { failed: true })));
    expect(failed.session.plan.rejected).toBeNull();
    const left = play(waiting.session, choose("default"), heard("plan.submitted-1", answer("none")));
    expect(typesOf(left.effects)).not.toContain("request-review");
  });

  test("R1.5 replaying the log gives the same session and runs no hook", () => {
    const settings = { ...start().settings, hooks: ["PreToolUse", "Stop"] as const };
    const log: Event[] = [
      { ...start({ mode: "acceptEdits" }), settings },
      said("hi"),
      { type: "model-replied", request: 1, content: [], calls: [writes("a")] },
      heard("PreToolUse-1", answer("allow", { context: ["c"], told: ["t"] })),
    ];
    expect(replay(freshSession(), log)).toEqual(play(freshSession(), ...log).session);
  });
});

const asksInPlan = (): Session => play(withHooks(planning(), "PreToolUse"), reply(runs("c"))).session;

describe("B14.1 B1.9 a hook's yes belongs to the mode that it was told of", () => {
  const yes = heard("PreToolUse-1", answer("allow"));

  test("given in plan mode, it answers nothing after plan mode was left", () => {
    const before = play(asksInPlan(), yes).session;
    expect(statesOf(before)).toEqual({ c: "asking" });
    const after = play(before, choose("default"));
    expect([statesOf(after.session), ran(after.last)]).toEqual([{ c: "asking" }, []]);
  });

  test("asked in plan mode and given after it, neither; a refusal counts", () => {
    const left = play(asksInPlan(), choose("default")).session;
    expect(statesOf(play(left, yes).session)).toEqual({ c: "asking" });
    const refused = play(left, heard("PreToolUse-1", answer("deny"))).session;
    expect(resultsOf(refused)["c"]).toMatchObject({ kind: "denied", denial: { code: "hook" } });
  });
});
