import { expect, test } from "vitest";
import type { Comment } from "../../../core/verdict.ts";
import { joinWords } from "./joining.ts";
import { noWords } from "./state.ts";

const draft = (id: string, text = id): Comment => ({ id, kind: "change", from: 1, to: 1, quote: "q", text });
const common = { ...noWords, drafts: [draft("a"), draft("b")], message: "both", resolved: ["r"] };

test("what each of two tabs adds, changes and takes away is in both", () => {
  const mine = { ...common, drafts: [draft("a", "mine"), draft("b"), draft("c")], resolved: [] };
  const theirs = { ...common, drafts: [draft("a"), draft("d")], message: "theirs", replies: { x: "more" } };
  expect(joinWords(common, mine, theirs)).toEqual({
    ...noWords,
    drafts: [draft("a", "mine"), draft("c"), draft("d")],
    message: "theirs",
    replies: { x: "more" },
  });
});

test("what another tab sent is gone here, and what was typed since stays", () => {
  expect(joinWords(common, common, noWords)).toBe(noWords);
  const mine = { ...common, message: "both, and more" };
  expect(joinWords(common, mine, noWords)).toEqual({ ...noWords, message: "both, and more" });
});

test("where nothing came the words are the very same; a comment that is being written stays in its tab", () => {
  const composer = {
    id: "n",
    place: { from: 1, to: 1, quote: "q" },
    kind: "change",
    text: "half",
    suggestion: null,
  } as const;
  const mine = { ...common, composer };
  expect(joinWords(common, mine, common)).toBe(mine);
});
