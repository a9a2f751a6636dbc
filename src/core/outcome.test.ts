import { expect, test } from "vitest";
import { answersIn } from "./outcome.ts";

test("what a person answered is read from an output, and nothing that only looks like it", () => {
  const answer = { question: "Which store?", answer: "Files" };
  expect(answersIn({ content: [], answers: [answer, { question: "Which?" }, null, "Files"] })).toEqual([answer]);
  expect([null, "answers", {}, { answers: "Files" }].map(answersIn)).toEqual([[], [], [], []]);
});
