import { expect, test } from "vitest";
import {
  approval,
  decided,
  planFile,
  play,
  refusalsIn,
  resultsOf,
  reviewing,
  statesOf,
  typesOf,
  type Move,
} from "../../testing/core-fixtures.ts";
import { hashText } from "../plan/hash.ts";
import { pendingReview } from "../selectors.ts";

const text = "# Plan\n1. do it";
const read = (content: string | null): Move => ({ type: "plan-read", callId: "exit", text: content, at: 21 });

test("B3.5 an edit that is sent back is written first, and is the plan that the model goes on from", () => {
  const verdict = { kind: "revise", feedback: "so", plan: "# Mine" } as const;
  const writing = play(reviewing(), decided(verdict), read(text));
  expect(writing.last).toEqual([{ type: "write-plan", callId: "exit", file: planFile, text: "# Mine" }]);
  expect(statesOf(writing.session)).toEqual({ exit: "writing-plan" });
  const { session, last } = play(writing.session, { type: "plan-written", callId: "exit" });
  expect(typesOf(last)).toEqual(["close-review", "call-model"]);
  expect(session.plan.text).toBe("# Mine");
  expect(resultsOf(session)["exit"]).toEqual({ kind: "revise", feedback: "so", comments: [] });
  expect(session.plans[0]!.revisions.map(({ text, by }) => ({ text, by }))).toEqual([
    { text, by: "model" },
    { text: "# Mine", by: "person" },
  ]);
  expect(session.plans[0]!.decisions.map(({ kind, hash }) => ({ kind, hash }))).toEqual([
    { kind: "revise", hash: hashText(text) },
  ]);
});

test.each([
  ["the file changed meanwhile", [read("# Other")], { plan: "# Other", again: "changed" }],
  [
    "it cannot be written",
    [read(text), { type: "plan-written", callId: "exit", error: "disk full" }],
    { plan: text, again: "write-failed" },
  ],
] as const)("B2.1 an edit that is sent back does not count where %s: the plan is shown again", (_, moves, shown) => {
  const { session } = play(reviewing(), decided({ kind: "revise", feedback: "so", plan: "# Mine" }), ...moves);
  expect(pendingReview(session)).toMatchObject({ id: "s1-review-2", ...shown });
  expect(session.plans[0]!.decisions).toEqual([]);
});

test("B2.3 an empty edit is no answer, whatever the verdict", () => {
  for (const verdict of [
    { kind: "revise", feedback: "so", plan: " " },
    { kind: "approve", hash: hashText(text), plan: " " },
  ] as const)
    expect(refusalsIn(play(reviewing(), decided(verdict)).last)).toEqual(["empty-plan"]);
});

test("B3.3 comments go along with a yes as they are, at the lines of the text that was approved", () => {
  const comment = { id: "c", kind: "note", from: 1, to: 1, quote: "# Mine", text: "Good." } as const;
  const { session } = play(reviewing(), ...approval({ plan: "\n# Mine", comments: [comment] }), {
    type: "plan-written",
    callId: "exit",
  });
  expect(resultsOf(session)["exit"]).toMatchObject({
    kind: "approved",
    notes: null,
    comments: [{ ...comment, from: 2, to: 2, anchor: "moved" }],
  });
});
