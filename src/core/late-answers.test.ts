import { expect, test } from "vitest";
import {
  approval,
  decided,
  person,
  planning,
  play,
  reply,
  reviewing,
  working,
  writes,
  submission,
  type Move,
} from "../testing/core-fixtures.ts";
import { hashText } from "./plan/hash.ts";

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
