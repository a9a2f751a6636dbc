import { expect, test } from "vitest";
import * as z from "zod";
import { commentShape, verdictWords } from "./verdict-shape.ts";
import { shapeProblem } from "./event-shape.ts";

const comment = { id: "c", kind: "note", from: 1, to: 2, quote: "", text: "so" };
const lines = z.array(commentShape);

test.each([
  [comment, true],
  [{ ...comment, kind: "praise" }, false],
  [{ ...comment, from: "1" }, false],
  [{ ...comment, quote: undefined }, false],
  [{ ...comment, text: null }, false],
])("a comment is the same for logs as for other programs: %j", (one, isGood) => {
  const by = { user: "ada", surface: "test" };
  for (const verdict of [
    { kind: "revise", feedback: "", comments: [one] },
    { kind: "approve", hash: "h", comments: [one] },
  ])
    expect(shapeProblem({ type: "review-decided", requestId: "r", verdict, by, at: 1 }) === null).toBe(isGood);
  expect(lines.safeParse([one]).success).toBe(isGood);
});

test.each(Object.entries({ mode: "plan", fresh: 1, plan: 1, notes: 1, feedback: 1, comments: {}, resolved: [1] }))(
  "what goes along with a verdict is checked: %s",
  (name, value) => {
    const shape = z.object(verdictWords);
    expect([shape.safeParse({}).success, shape.safeParse({ [name]: value }).success]).toEqual([true, false]);
  },
);
