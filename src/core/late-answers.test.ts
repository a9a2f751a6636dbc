import { expect, test } from "vitest";
import {
  approval,
  call,
  decided,
  person,
  planning,
  play,
  reply,
  resultsOf,
  reviewing,
  working,
  writes,
  submission,
  type Move,
} from "../testing/core-fixtures.ts";
import { hashText } from "./plan/hash.ts";
import { openQuestions } from "./selectors.ts";

const text = "# Plan\n1. do it";
const other = { user: "grace", surface: "browser" };
const late: Move = { type: "review-decided", requestId: "s1-review-1", verdict: { kind: "save" }, by: other, at: 30 };
const refused = { type: "refuse", event: "review-decided" };

test("B2.6 the answer to a review that was answered is refused, and hears whose was taken", () => {
  const confirming = play(reviewing(text), approval()[0]!);
  expect(play(confirming.session, late).last).toEqual([{ ...refused, reason: "already-answered", by: person }]);
  const approved = play(reviewing(text), ...approval());
  expect(play(approved.session, late).last).toEqual([{ ...refused, reason: "already-answered", by: person }]);
  const rejected = play(reviewing(text), decided({ kind: "revise", feedback: "no" }));
  expect(play(rejected.session, late).last).toEqual([{ ...refused, reason: "already-answered", by: person }]);
});

test("B2.1 an answer to an earlier revision is refused, and leaves the next one as it is", () => {
  const next = play(
    planning(),
    ...submission(text),
    decided({ kind: "revise", feedback: "no" }),
    ...submission("# 2"),
  ).session;
  const answer = { ...late, verdict: { kind: "approve", hash: hashText("# 2") } } as const;
  const { session, last } = play(next, answer);
  expect(last).toEqual([{ ...refused, reason: "already-answered", by: person }]);
  expect(session).toBe(next);
});

test("B2.2 what was taken back was answered by nobody", () => {
  const left = play(reviewing(text), { type: "plan-left" });
  expect(play(left.session, late).last).toEqual([{ ...refused, reason: "unknown-request" }]);
});

test("B2.6 a second answer to a permission is refused, and hears whose was taken", () => {
  const asking = play(working(), reply(writes("w")));
  const open = asking.session.turn.open[0]!.state;
  const questionId = open.kind === "asking" ? open.questionId : "";
  const first = { type: "permission-answered", questionId, allowed: false, by: person } as const;
  const { session, last } = play(asking.session, first, { ...first, allowed: true, by: other });
  expect(last).toEqual([{ type: "refuse", event: "permission-answered", reason: "already-answered", by: person }]);
  expect(session.answered).toEqual([{ id: questionId, by: person }]);
});

const questions = [{ question: "Which?", header: "Which", options: [], multiSelect: false }];
const asks = call("a", { kind: "ask-user", questions });
const given = { type: "question-answered", questionId: "q1", by: person } as const;

test("B2.6 B8.5 questions are open until the first answer: with it the call goes on, a second is refused and hears whose was taken", () => {
  const open = play(planning(), reply(asks));
  expect(open.last).toEqual([{ type: "ask-questions", call: asks, asked: { id: "q1", questions } }]);
  expect(openQuestions(open.session)).toEqual([{ id: "q1", questions }]);
  const answer = { status: "answered", answers: { "Which?": "a" } } as const;
  const foreign = play(open.session, { ...given, answer: { ...answer, answers: { ...answer.answers, Which: "b" } } });
  expect(foreign.last).toEqual([{ type: "refuse", event: "question-answered", reason: "foreign-answer" }]);
  const taken = play(foreign.session, { ...given, answer });
  expect(taken.last).toEqual([
    { type: "close-questions", id: "q1", by: person },
    { type: "run-tool", call: asks, answer },
  ]);
  const second = play(taken.session, { ...given, answer: { status: "declined" }, by: other });
  expect(second.last).toEqual([{ type: "refuse", event: "question-answered", reason: "already-answered", by: person }]);
  expect(second.session).toBe(taken.session);
});

test("R14.6 what was open is asked again after a crash; what was answered is not", () => {
  const open = play(planning(), reply(asks)).session;
  const resumed = { type: "session-resumed", plan: null } as const;
  expect(play(open, resumed).last).toContainEqual({
    type: "ask-questions",
    call: asks,
    asked: { id: "q1", questions },
  });
  const answer = { status: "declined" } as const;
  const answered = play(open, { ...given, answer }, resumed);
  expect(answered.last).toContainEqual({ type: "run-tool", call: asks, answer });
  expect(openQuestions(answered.session)).toEqual([]);
});

test("B2.2 questions that were taken back with their turn were answered by nobody", () => {
  const stopped = play(planning(), reply(asks), { type: "turn-cancelled" });
  expect(stopped.last).toContainEqual({ type: "close-questions", id: "q1", by: null });
  const answered = play(stopped.session, { ...given, answer: { status: "declined" } });
  expect(answered.last).toEqual([{ type: "refuse", event: "question-answered", reason: "unknown-question" }]);
});

test("R14.6 a log from before questions were state still replays: such a call runs by itself, and again after a crash", () => {
  const old = call("a", { kind: "ask-user" });
  const open = play(planning(), reply(old));
  expect(open.last).toEqual([{ type: "run-tool", call: old }]);
  expect(play(open.session, { type: "session-resumed", plan: null }).last).toContainEqual({
    type: "run-tool",
    call: old,
  });
  const output = { content: [], answers: [{ question: "Which?", answer: "a" }] };
  const done = play(open.session, { type: "tool-finished", callId: "a", output, isError: false });
  expect(resultsOf(done.session)["a"]).toEqual({ kind: "ran", output, isError: false });
});
