import { expect, test } from "vitest";
import type { PlacedComment } from "../../../../core/verdict.ts";
import { firstText } from "../page-fixtures.ts";
import { noWords } from "../state.ts";
import { topsOf } from "./align.ts";
import { isOpenQuestion, threadsOf } from "./threads.ts";

const question: PlacedComment = {
  id: "q",
  kind: "question",
  from: 4,
  to: 4,
  quote: "- two",
  text: "Why?",
  followUps: ["Still?"],
  anchor: "moved",
};
const lost: PlacedComment = { ...question, id: "g", from: 1, quote: "- gone", anchor: "gone" };

function facts(...comments: readonly PlacedComment[]) {
  return { comments, text: firstText, reply: null };
}

test("B3.2 threads stand in the order of the text, those without their words last, and keep their state", () => {
  const words = {
    ...noWords,
    drafts: [{ ...question, id: "d", from: 3, to: 3, quote: "- one", text: "Now." }],
    resolved: ["g"],
  };
  const threads = threadsOf(facts(lost, question), words, firstText);
  expect(
    threads.map(({ comment, isDraft, isResolved, said }) => [comment.id, comment.anchor, isDraft, isResolved, said]),
  ).toEqual([
    ["d", "kept", true, false, ["Now."]],
    ["q", "moved", false, false, ["Why?", "Still?"]],
    ["g", "gone", false, true, ["Why?", "Still?"]],
  ]);
  expect(threads.filter(isOpenQuestion).map(({ comment }) => comment.id)).toEqual(["q"]);
});

test("B3.2 while the text is edited, threads go with their words", () => {
  expect(threadsOf(facts(question), noWords, "- two\n")[0]?.comment).toMatchObject({ from: 1, anchor: "moved" });
  expect(threadsOf(facts(question), noWords, "none\n")[0]?.comment).toMatchObject({ anchor: "gone" });
});

test("B3.2 cards stand beside their lines, never on each other; the focused one has its place for sure", () => {
  const cards = [
    { wish: 0, height: 50 },
    { wish: 10, height: 50 },
    { wish: 300, height: 50 },
  ];
  expect(topsOf(cards, -1)).toEqual([0, 60, 300]);
  expect(topsOf(cards, 1)).toEqual([-50, 10, 300]);
});
