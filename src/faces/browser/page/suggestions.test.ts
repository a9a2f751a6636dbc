import { expect, test } from "vitest";
import type { Comment } from "../../../core/verdict.ts";
import { firstText, hashOfText, serverState } from "./page-fixtures.ts";
import { opening, type PageState } from "./state.ts";
import { answerText, suggestionAt } from "./suggestions.ts";
import { update } from "./update.ts";
import { verdictFor } from "./verdict.ts";

const server = serverState(firstText);
const came = update(opening, { type: "state-came", state: server, hash: hashOfText(firstText) });
const [approve] = server.request!.choices;

function suggesting(...suggestions: readonly Pick<Comment, "from" | "to" | "suggestion">[]): PageState {
  const drafts = suggestions.map(({ from, to, suggestion }, index): Comment => {
    const quote = firstText
      .split("\n")
      .slice(from - 1, to)
      .join("\n");
    return { id: `s${index}`, kind: "change", from, to, quote, text: index === 0 ? "" : "Why.", suggestion };
  });
  return { ...came, words: { ...came.words, drafts } };
}

test("B19.2 a yes approves the text with every suggestion in it; their words go along", () => {
  const state = suggesting({ from: 3, to: 3, suggestion: "- uno\n- due" }, { from: 4, to: 4, suggestion: "" });
  expect(answerText(state)).toBe("# Plan\n\n- uno\n- due\n");
  expect(verdictFor(state, approve!)).toMatchObject({
    kind: "approve",
    hash: hashOfText(firstText),
    plan: "# Plan\n\n- uno\n- due\n",
    comments: [{ id: "s1", text: "Why." }],
  });
});

test("B19.2 sent back, it is old and new text, and the plan's file is not touched", () => {
  const state = suggesting({ from: 3, to: 3, suggestion: "- uno" });
  const verdict = verdictFor(state, { kind: "revise" });
  expect(verdict).toMatchObject({ kind: "revise", comments: [{ quote: "- one", suggestion: "- uno" }] });
  expect(verdict).not.toHaveProperty("plan");
});

test("B19.2 a block that goes takes one of the blank lines round it along; of two on the same lines one counts", () => {
  const text = "One.\n\nTwo.\n\nThree.\n";
  const shown = update(opening, { type: "state-came", state: serverState(text), hash: hashOfText(text) });
  const gone: Comment = { id: "g", kind: "change", from: 3, to: 3, quote: "Two.", text: "", suggestion: "" };
  const also: Comment = { ...gone, id: "h", from: 3, to: 5, quote: "Two.\n\nThree.", suggestion: "x" };
  const state = { ...shown, words: { ...shown.words, drafts: [gone] } };
  expect(answerText(state)).toBe("One.\n\nThree.\n");
  expect(suggestionAt([gone], also)).toEqual(gone);
  expect(suggestionAt([gone], { from: 5, to: 5 })).toBe(null);
});

test("B19.2 B19.3 a suggestion whose lines read otherwise now is no edit: it travels as words, old and new", () => {
  const state = suggesting({ from: 3, to: 3, suggestion: "- uno" });
  const other = "# Plan\n\n- three\n- two\n";
  const edited = { ...state, words: { ...state.words, edit: other } };
  expect(answerText(edited)).toBe(other);
  expect(verdictFor(edited, approve!)).toMatchObject({
    plan: other,
    comments: [{ id: "s0", quote: "- one", suggestion: "- uno" }],
  });
});
