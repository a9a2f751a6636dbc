import { describe, expect, test } from "vitest";
import {
  answered,
  approval,
  choose,
  claimed,
  decided,
  enters,
  entriesOf,
  exits,
  person,
  planFile,
  planning,
  play,
  refusalsIn,
  remindersOf,
  reply,
  resultsOf,
  runs,
  said,
  started,
  statesOf,
  submission,
  typesOf,
  working,
  type Move,
} from "../../testing/core-fixtures.ts";
import { hashText } from "../plan/hash.ts";
import { pendingReview } from "../selectors.ts";
import type { Session } from "../session.ts";
import type { Actor } from "../decide/situation.ts";

const required: Actor = { kind: "teammate", name: "bo", team: "default", planRequired: true };
const free: Actor = { ...required, planRequired: false };
const text = "# Plan\n1. do it";

/** The lead's yes to what was submitted. */
function granted(more: object = {}): Move {
  return decided({ kind: "approve", hash: hashText(text), ...more }, "lead-answered");
}

/** Submitted, told to wait, waiting. */
function waiting(): Session {
  return play(planning({ actor: required }), ...submission(text), reply()).session;
}

describe("a teammate that must plan", () => {
  test.each(["default", "acceptEdits", "plan"] as const)(
    "R12.1 starts in plan mode, also when started in %s",
    (mode) => {
      const returnTo = mode === "plan" ? "default" : mode;
      expect(started({ actor: required, mode }).permissions.mode).toEqual({ current: "plan", returnTo });
    },
  );

  test("R12.1 R7.10 without a plan its exit is R7.10", () => {
    const { session } = play(planning({ actor: required }), ...submission(null));
    expect(resultsOf(session)["exit"]).toEqual({
      kind: "denied",
      denial: { code: "no-plan", detail: planFile, part: null },
    });
  });

  test("R12.1 with one it is sent to the lead, and the result says to wait", () => {
    const { session, last } = play(planning({ actor: required }), ...submission(text));
    const request = pendingReview(session)!;
    expect(request).toMatchObject({ id: "plan_approval:bo@default:s1:1", plan: text, hash: hashText(text), planFile });
    expect(last).toEqual([
      { type: "submit-plan", request },
      { type: "call-model", request: 2 },
    ]);
    expect(resultsOf(session)["exit"]).toEqual({ kind: "submitted", requestId: request.id });
    expect([session.plan.awaiting, session.permissions.mode.current]).toEqual([request, "plan"]);
  });

  test.each([
    [{}, "default"],
    [{ mode: "acceptEdits" }, "acceptEdits"],
  ] as const)("R12.2 the lead approves with %j: its mode becomes %s, and it is woken", (more, mode) => {
    const { session, last } = play(waiting(), granted(more));
    expect(session.permissions.mode).toEqual({ current: mode });
    expect(typesOf(last)).toEqual(["call-model"]);
    expect(entriesOf(session).findLast(({ kind }) => kind === "lead")).toEqual({
      kind: "lead",
      requestId: "plan_approval:bo@default:s1:1",
      verdict: { kind: "approve", hash: hashText(text), ...more },
    });
    expect(remindersOf(session).at(-1)).toMatchObject({ type: "plan_mode_exit", approved: true });
    expect([session.plan.awaiting, session.plans[0]!.status]).toEqual([null, "approved"]);
  });

  test("R12.2 the lead rejects: it stays in plan, gets the feedback, and the same plan again is B4.2", () => {
    const rejected = play(waiting(), decided({ kind: "revise", feedback: "smaller" }, "lead-answered"));
    expect(rejected.session.permissions.mode.current).toBe("plan");
    expect(entriesOf(rejected.session).at(-1)).toEqual({
      kind: "lead",
      requestId: "plan_approval:bo@default:s1:1",
      verdict: { kind: "revise", feedback: "smaller" },
    });
    expect(typesOf(rejected.last)).toEqual(["call-model"]);
    const again = play(rejected.session, ...submission(text, "e2"));
    expect(resultsOf(again.session)["e2"]).toMatchObject({ kind: "unchanged", feedback: "smaller" });
  });

  test.each<[string, Move, string]>([
    [
      "another request",
      { type: "lead-answered", requestId: "r9", verdict: { kind: "approve", hash: hashText(text) }, by: person, at: 1 },
      "foreign-answer",
    ],
    ["another text", decided({ kind: "approve", hash: hashText("x") }, "lead-answered"), "other-hash"],
    ["nothing that a lead can say", decided({ kind: "save" }, "lead-answered"), "nothing-to-do"],
    ["bypass that was not allowed at start", granted({ mode: "bypassPermissions" }), "mode-not-available"],
  ])("R12.2 an answer to %s is ignored", (_, move, reason) => {
    const session = waiting();
    const step = play(session, move);
    expect([step.session, refusalsIn(step.last)]).toEqual([session, [reason]]);
  });

  test("R12.2 a second answer is ignored", () => {
    const { session } = play(waiting(), granted());
    const late: Move = {
      type: "lead-answered",
      requestId: "plan_approval:bo@default:s1:1",
      verdict: { kind: "revise", feedback: "no" },
      by: person,
      at: 1,
    };
    expect(refusalsIn(play(session, late).effects)).toEqual(["foreign-answer"]);
  });

  test("B2.1 R12.2 the plan was changed while the lead looked at it: the answer does not count", () => {
    const changed = play(waiting(), { type: "plan-saved", text: "# Other", by: "model", at: 1 });
    const { session, last } = play(changed.session, granted());
    expect([session.permissions.mode.current, session.plans[0]!.status]).toEqual(["plan", "submitted"]);
    expect(session.plan.awaiting).toMatchObject({
      id: "plan_approval:bo@default:s1:2",
      plan: "# Other",
      previous: text,
      again: "changed",
    });
    expect(last).toEqual([
      { type: "notify", notice: { key: "plan-changed-during-review" } },
      { type: "submit-plan", request: session.plan.awaiting },
    ]);
    expect(refusalsIn(play(session, play(waiting(), granted()).log.at(-1)!).last)).toEqual(["foreign-answer"]);
  });

  test("B2.1 R12.2 a plan that was emptied meanwhile is neither approved nor sent", () => {
    const emptied = play(waiting(), { type: "plan-saved", text: " ", by: "model", at: 1 });
    const step = play(emptied.session, granted());
    expect([step.session, refusalsIn(step.last)]).toEqual([emptied.session, ["other-hash"]]);
  });

  test("R7.7 R12.2 the lead's own edit is approved once the file holds it, and not before", () => {
    const edit = "# Plan\n1. do less";
    const early = play(waiting(), granted({ plan: edit }));
    expect([early.session.permissions.mode.current, early.session.plan.awaiting?.plan]).toEqual(["plan", text]);
    const { callId } = early.session.plan.awaiting!;
    expect(early.last).toEqual([{ type: "write-plan", callId, file: planFile, text: edit }]);
    expect(refusalsIn(play(early.session, granted()).last)).toEqual(["already-answered"]);
    const done = play(early.session, { type: "plan-written", callId });
    expect(done.session.permissions.mode).toEqual({ current: "default" });
    expect(done.session.plan.approved).toEqual({ file: planFile, text: edit, hash: hashText(edit) });
    const failed = play(early.session, { type: "plan-written", callId, error: "disk full" });
    expect([failed.session.plan, typesOf(failed.last)]).toEqual([waiting().plan, ["notify"]]);
    const resumed = play(early.session, { type: "session-resumed", plan: text });
    expect(resumed.session.plan).toMatchObject({ awaiting: early.session.plan.awaiting, answering: null });
    const written = play(waiting(), { type: "plan-saved", text: edit, by: "person", at: 1 }, granted({ plan: edit }));
    expect(written.session.permissions.mode).toEqual({ current: "default" });
    expect(written.session.plan.approved).toEqual({ file: planFile, text: edit, hash: hashText(edit) });
  });

  test("B9.1 the request says until when an answer counts; a plan that is sent again has no more time", () => {
    const hurried: Actor = { ...required, answerWithin: 5_000 };
    const { session } = play(planning({ actor: hurried }), ...submission(text), reply());
    expect(session.plan.awaiting?.deadline).toBe(5_010);
    const again = play(session, { type: "plan-saved", text: "# Other", by: "model", at: 1 }, granted());
    expect(again.session.plan.awaiting).toMatchObject({ plan: "# Other", deadline: 5_010 });
  });

  test("B9.1 nobody answered: it is closed without an approval, nobody is woken, and a late answer is for nothing", () => {
    const { session, last } = play(waiting(), decided({ kind: "dismiss" }, "lead-answered"));
    expect([session.permissions.mode.current, session.plan.awaiting, typesOf(last)]).toEqual(["plan", null, []]);
    expect(refusalsIn(play(session, play(waiting(), granted()).log.at(-1)!).effects)).toEqual(["foreign-answer"]);
  });

  test("B9.1 R14.2 killed while it waited: the very same request is handed over again, with the same id", () => {
    const session = waiting();
    const resumed = play(session, { type: "session-resumed", plan: text });
    expect(resumed.last).toEqual([{ type: "submit-plan", request: session.plan.awaiting }]);
  });

  test("R12.1 the same plan sent again while the lead looks at it is not sent twice; a changed one replaces it", () => {
    const again = play(waiting(), said("?"), ...submission(text, "e2"));
    expect(resultsOf(again.session)["e2"]).toEqual({
      kind: "denied",
      denial: { code: "exit-awaiting-lead", detail: "plan_approval:bo@default:s1:1", part: null },
    });
    expect(typesOf(again.last)).toEqual(["call-model"]);
    const changed = play(waiting(), said("?"), ...submission("# Other", "e2"));
    expect(changed.session.plan.awaiting).toMatchObject({
      id: "plan_approval:bo@default:s1:2",
      plan: "# Other",
      previous: text,
    });
    expect(
      refusalsIn(
        play(changed.session, {
          type: "lead-answered",
          requestId: "plan_approval:bo@default:s1:1",
          verdict: { kind: "approve", hash: hashText(text) },
          by: person,
          at: 1,
        }).effects,
      ),
    ).toEqual(["foreign-answer"]);
  });

  test("R12.2 the answer comes while a question is open: the call is judged again and does not hang", () => {
    const asked = play(planning({ actor: required }), ...submission(text), reply(runs("c")));
    expect(statesOf(asked.session)).toEqual({ c: "asking" });
    const answer = play(asked.session, granted({ mode: "default" }));
    expect(statesOf(answer.session)).toEqual({ c: "asking" });
    expect(typesOf(answer.last)).toEqual(["withdraw-question", "ask-permission"]);
    const done = play(answer.session, answered("c", "no"));
    expect(typesOf(done.last)).toEqual(["call-model"]);
  });

  test.each([
    ["approved", granted()],
    ["rejected", decided({ kind: "revise", feedback: "no" }, "lead-answered")],
  ] as const)("R12.2 an answer (%s) that comes while it speaks is heard right after", (_, move) => {
    const speaking = play(planning({ actor: required }), ...submission(text));
    const answer = play(speaking.session, move);
    expect(typesOf(answer.last)).toEqual([]);
    expect(typesOf(play(answer.session, reply()).last)).toContain("call-model");
  });

  test("B4.1 a person may end its plan mode by hand; the lead's late answer is then for nothing", () => {
    const left = play(waiting(), choose("default"));
    expect(left.session.permissions.mode).toEqual({ current: "default" });
    expect(refusalsIn(play(left.session, granted()).effects)).toEqual(["foreign-answer"]);
  });
});

describe("a teammate that need not plan", () => {
  test("R12.3 chooses plan mode without a dialog and leaves without approval, to its own earlier mode", () => {
    const entered = play(working({ actor: free, mode: "acceptEdits" }), reply(enters()), claimed());
    expect(typesOf(entered.effects)).toEqual(["notify", "claim-plan", "call-model"]);
    const saved = { type: "plan-saved", text, by: "model", at: 1 } as const;
    const left = play(entered.session, saved, reply(exits()));
    expect(left.session.permissions.mode).toEqual({ current: "acceptEdits" });
    expect(resultsOf(left.session)["exit"]).toEqual({ kind: "left" });
    expect(remindersOf(left.session).at(-1)).toEqual({
      type: "plan_mode_exit",
      planFilePath: planFile,
      planExists: true,
      approved: false,
      own: true,
    });
  });

  test("R12.3 it needs no plan to leave", () => {
    const entered = play(working({ actor: free }), reply(enters()), claimed());
    const { session } = play(entered.session, reply(exits()));
    expect([session.permissions.mode.current, resultsOf(session)["exit"]!.kind]).toEqual(["default", "left"]);
  });

  test.each<[string, Session]>([
    ["was started in it", play(started({ actor: free, mode: "plan" }), said("go"), claimed()).session],
    ["was put into it by a person", planning({ actor: free })],
  ])("R12.3 R2.5 one that %s does not end it by itself: the plan goes to the lead", (_, session) => {
    const { session: after, last } = play(session, ...submission(text));
    expect(after.permissions.mode.current).toBe("plan");
    expect(typesOf(last)).toEqual(["submit-plan", "call-model"]);
  });

  test("R12.3 a choice of its own does not outlast that stay in plan mode", () => {
    const { session } = play(
      working({ actor: free }),
      reply(enters()),
      claimed(),
      choose("default"),
      choose("plan"),
      reply(exits()),
      { type: "plan-read", callId: "exit", text, at: 1 },
    );
    expect(session.permissions.mode.current).toBe("plan");
  });
});

test("R7.4 an approval that names no mode restores prePlanMode", () => {
  const session = play(planning({ mode: "acceptEdits" }), ...submission(text), ...approval()).session;
  expect(session.permissions.mode).toEqual({ current: "acceptEdits" });
});
