/** Typing in the approval dialog: feedback, notes and comments; digits are digits there, Enter sends, Esc goes back. */
import { commentKinds, type Choice, type Comment } from "../../../../core/verdict.ts";
import type { Key } from "../../keys/key-input.ts";
import type { Keys } from "../../keys/keys.ts";
import { quoteOf, type ApprovalState, type ApprovalStep, type Box } from "./state.ts";
import { lostBy, verdictOf } from "./verdict.ts";
import { typed } from "../../keys/text-box.ts";

export function updateBox(state: ApprovalState & { readonly box: Box }, key: Key, keys: Keys): ApprovalStep {
  const { box } = state;
  const back = { ...state, box: null, focus: box.purpose === "comment" ? "lines" : "choices" } as const;
  if (keys.matches(key, "dismiss")) return { state: back };
  if (box.purpose === "comment") return { state: updateComment({ ...state, box }, key, keys) };
  if (keys.matches(key, "confirm")) {
    const revise: Choice = { kind: "revise" };
    return sent(back, box.purpose === "notes" ? box.choice : revise);
  }
  const text = typed(state[box.purpose], key);
  return { state: text === null ? state : { ...state, [box.purpose]: text } };
}

/** Asks once more where words of the person would be lost. */
export function sent(state: ApprovalState, choice: Choice): ApprovalStep {
  const lost = lostBy(state, choice.kind);
  if (lost.length === 0 || state.doubted === choice.kind) return { state, answer: verdictOf(state, choice) };
  return { state: { ...state, focus: "choices", box: null, doubted: choice.kind } };
}

type Commenting = ApprovalState & { readonly box: Extract<Box, { purpose: "comment" }> };

function updateComment(state: Commenting, key: Key, keys: Keys): ApprovalState {
  const { box } = state;
  if (keys.matches(key, "confirm")) return kept(state);
  const turn = keys.matches(key, "nextField") ? 1 : keys.matches(key, "previousField") ? -1 : 0;
  if (turn !== 0) {
    const kind = commentKinds[(commentKinds.indexOf(box.kind) + turn + commentKinds.length) % commentKinds.length]!;
    return { ...state, box: { ...box, kind } };
  }
  const text = typed(box.text, key);
  return text === null ? state : { ...state, box: { ...box, text } };
}

/** A comment without words is none. */
function kept(state: Commenting): ApprovalState {
  const { box, plan, comments } = state;
  const text = box.text.text.trim();
  const others = comments.filter(({ id }) => id !== box.id);
  const closed = { ...state, box: null, focus: "lines", anchor: state.cursor } as const;
  if (text === "") return { ...closed, comments: others, says: box.id === null ? null : "Comment removed." };
  const id = box.id ?? `${state.request.id}-c${state.made + 1}`;
  const quote = quoteOf(plan, box.from, box.to);
  const comment: Comment = { id, kind: box.kind, from: box.from, to: box.to, quote, text };
  const all = [...others, comment].toSorted((one, other) => one.from - other.from);
  return { ...closed, comments: all, made: box.id === null ? state.made + 1 : state.made };
}
