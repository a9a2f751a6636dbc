import { expect, test } from "vitest";
import { choicesFor } from "../../../core/plan/review.ts";
import { saidIn } from "../../../core/verdict.ts";
import { firstText, hashOfText, serverState } from "./page-fixtures.ts";
import { opening, type PageState, type UnsentWords } from "./state.ts";
import { update } from "./update.ts";
import { choiceHint, labelOf, commentsFor, outcomeText, verdictFor, withReply } from "./verdict.ts";

const earlier = { id: "e", kind: "question", from: 3, to: 3, quote: "- one", text: "Why?", anchor: "kept" } as const;
const draft = { id: "d", kind: "change", from: 4, to: 4, quote: "- two", text: "Three." } as const;
const hash = hashOfText(firstText);
const base = { requestId: `request for ${hash}`, hash };

function saying(words: Partial<UnsentWords>): PageState {
  const state = serverState(firstText, { comments: [earlier] });
  const shown = update(opening, { type: "state-came", state, hash });
  return { ...shown, words: { ...shown.words, ...words } };
}

test("B3.4 the choices are worded and ordered as R7.4 has them", () => {
  const choices = choicesFor({ returnTo: "auto", bypassAvailable: true, autoAvailable: true, ceiling: null });
  expect(choices.map((choice) => labelOf(choice, false))).toEqual([
    "Approve, ask before each edit",
    "Approve, edit freely",
    "Approve, back to the earlier mode (auto)",
    "Approve, ask nothing at all",
    "Approve, with fresh context (auto)",
    "Save for later",
    "No, keep planning",
    "Abandon",
  ]);
  expect(labelOf(choices[0]!, true)).toBe("Approve");
  for (const choice of choices) expect(choiceHint(choice, true)).not.toMatch(/plan mode|every change/);
});

test("B3.3 a no carries feedback, comments, follow-ups and what is settled", () => {
  const state = saying({ message: " Nearly. ", drafts: [draft], replies: { e: "And two?" }, edit: "mine" });
  expect(verdictFor(state, { kind: "revise" })).toEqual({
    ...base,
    kind: "revise",
    plan: "mine",
    feedback: "Nearly.",
    comments: [
      { id: "e", kind: "question", from: 3, to: 3, quote: "- one", text: "Why?", followUps: ["And two?"] },
      draft,
    ],
    resolved: [],
  });
  const settled = saying({ replies: { e: "Never mind" }, resolved: ["e"] });
  expect(verdictFor(settled, { kind: "revise" })).toEqual({
    ...base,
    kind: "revise",
    feedback: "",
    comments: [],
    resolved: ["e"],
  });
});

test("B3.3 a yes carries notes, comments and the edit, each as it is", () => {
  const state = saying({ message: "Go.", drafts: [draft], edit: "mine" });
  expect(verdictFor(state, { kind: "approve", mode: "acceptEdits", label: "accept-edits" })).toEqual({
    ...base,
    kind: "approve",
    mode: "acceptEdits",
    plan: "mine",
    notes: "Go.",
    comments: [draft],
  });
  expect(verdictFor(saying({}), { kind: "approve-fresh", mode: "default" })).toEqual({
    ...base,
    kind: "approve",
    mode: "default",
    fresh: true,
  });
  expect(verdictFor(saying({}), { kind: "abandon" })).toEqual({ ...base, kind: "abandon" });
});

test("B2.1 a verdict names the hash of the shown text, and there is none while nothing is asked", () => {
  const newer = serverState("# Other\n");
  const state = update(saying({ message: "x" }), { type: "state-came", state: newer, hash: newer.hash });
  expect(verdictFor(state, { kind: "save" })).toEqual({ ...base, kind: "save" });
  expect(verdictFor({ ...state, shown: null }, { kind: "save" })).toBe(null);
});

test("B3.2 words can be left while nothing is asked", () => {
  expect(commentsFor(saying({ drafts: [draft] }))).toEqual({ hash, feedback: "", comments: [draft], resolved: [] });
});

test("B3.2 a thread is told apart again into what was said", () => {
  expect(saidIn(withReply({ ...withReply(earlier, "A?"), anchor: "kept" }, "B?"))).toEqual(["Why?", "A?", "B?"]);
});

test("B2.6 the end of a request says who answered, and where", () => {
  const by = { user: "grace", surface: "terminal" };
  const answered = { requestId: "r", by, kind: "approve", mode: "acceptEdits", at: 1, here: false } as const;
  const server = { session: { id: "s", live: true } };
  expect(outcomeText(answered, server)).toBe("grace (terminal) approved the plan. Mode: acceptEdits.");
  expect(outcomeText({ ...answered, here: true, kind: "revise", mode: null }, server)).toBe(
    "You sent the plan back. The next revision appears here by itself.",
  );
  expect(outcomeText({ ...answered, kind: "save", mode: null }, { session: null })).toBe(
    "grace (terminal) saved the plan for later. Nothing was started.",
  );
  expect(outcomeText({ ...answered, by: null, kind: "withdrawn" }, server)).toMatch(/nothing was decided/);
});
