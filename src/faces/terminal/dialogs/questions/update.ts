/** What each key does in the question dialog. */
import type { QuestionAnswer } from "../../../../core/questions.ts";
import type { Key } from "../../keys/key-input.ts";
import type { Keys } from "../../keys/keys.ts";
import type { DialogStep } from "../component.ts";
import { answersOf, hasReview, isReviewing, isTouched, type AnswerDraft, type QuestionsState } from "./state.ts";
import { typed } from "../../keys/text-box.ts";

type QuestionStep = DialogStep<QuestionsState, QuestionAnswer>;

export function updateQuestions(before: QuestionsState, key: Key, keys: Keys): QuestionStep {
  const state = { ...before, says: null };
  if (state.typing !== null) return updateTyping(state, key, keys);
  if (keys.matches(key, "dismiss")) return given(state, "dismiss");
  if (key.text?.toLowerCase() === "x") return given(state, "decline");
  const calm = { ...state, doubted: null };
  if (key.text?.toLowerCase() === "n") return { state: { ...calm, typing: "notes" } };
  const turn = tabOf(key, keys);
  if (turn !== 0) return { state: { ...calm, tab: Math.max(0, Math.min(lastTab(state), state.tab + turn)) } };
  return isReviewing(state) ? updateReview(state, key, keys) : updateOptions(calm, key, keys);
}

function tabOf(key: Key, keys: Keys): number {
  if (keys.matches(key, "nextField") || key.name === "right") return 1;
  return keys.matches(key, "previousField") || key.name === "left" ? -1 : 0;
}

function lastTab(state: QuestionsState): number {
  return hasReview(state) ? state.questions.length : 0;
}

/** Says once more what would be lost; the second time counts. */
function given(state: QuestionsState, what: "decline" | "dismiss"): QuestionStep {
  if (isTouched(state) && state.doubted !== what) return { state: { ...state, doubted: what } };
  return { state, answer: { status: what === "decline" ? "declined" : "dismissed" } };
}

function updateOptions(state: QuestionsState, key: Key, keys: Keys): QuestionStep {
  const question = state.questions[state.tab]!;
  const count = question.options.length + 1;
  const { cursor } = state.answering[state.tab]!;
  const step =
    keys.matches(key, "up") || keys.matches(key, "lineUp")
      ? -1
      : keys.matches(key, "down") || keys.matches(key, "lineDown")
        ? 1
        : 0;
  if (step !== 0) return { state: answered(state, { cursor: (cursor + step + count) % count }) };
  const number = /^[1-9]$/.test(key.text ?? "") ? Number(key.text) - 1 : -1;
  if (number >= 0 && number < count) return picked(answered(state, { cursor: number }), number);
  if (keys.matches(key, "toggle")) return picked(state, cursor);
  if (!keys.matches(key, "confirm")) return { state };
  return question.multiSelect && cursor < question.options.length ? next(state) : picked(state, cursor);
}

/** An option, or words of one's own, for which the box opens. */
function picked(state: QuestionsState, index: number): QuestionStep {
  const question = state.questions[state.tab]!;
  const answering = state.answering[state.tab]!;
  if (index === question.options.length) return { state: { ...state, typing: "other" } };
  if (!question.multiSelect) return next(answered(state, { picked: [index] }));
  const others = answering.picked.filter((one) => one !== index);
  const now =
    others.length < answering.picked.length ? others : [...others, index].toSorted((one, other) => one - other);
  return { state: answered(state, { picked: now }) };
}

function next(state: QuestionsState): QuestionStep {
  if (hasReview(state)) return { state: { ...state, tab: state.tab + 1 } };
  const answer = answersOf(state);
  return answer === null ? { state } : { state, answer };
}

function updateTyping(state: QuestionsState, key: Key, keys: Keys): QuestionStep {
  const isOther = state.typing === "other";
  const box = isOther ? state.answering[state.tab]!.other : state.notes;
  const closed = { ...state, typing: null };
  const kept = isOther ? withOther(closed) : closed;
  if (keys.matches(key, "dismiss")) return { state: kept };
  if (keys.matches(key, "confirm")) {
    const isWhole = isOther && box.text.trim() !== "" && !state.questions[state.tab]!.multiSelect;
    return isWhole ? next(kept) : { state: kept };
  }
  const text = typed(box, key);
  if (text === null) return { state };
  return { state: isOther ? answered(state, { other: text }) : { ...state, notes: text } };
}

/** Words of one's own are picked when there are any. */
function withOther(state: QuestionsState): QuestionsState {
  const { options, multiSelect } = state.questions[state.tab]!;
  const { picked: before, other } = state.answering[state.tab]!;
  const listed = before.filter((index) => index < options.length);
  if (other.text.trim() === "") return answered(state, { picked: listed });
  return answered(state, { picked: multiSelect ? [...listed, options.length] : [options.length] });
}

function updateReview(state: QuestionsState, key: Key, keys: Keys): QuestionStep {
  const choose = (what: number): QuestionStep => {
    if (what === 1) return given({ ...state, selected: 1 }, "decline");
    const answer = answersOf(state);
    if (answer !== null) return { state, answer };
    return { state: { ...state, says: "Nothing is answered yet: answer, decline, or leave with esc." } };
  };
  if (keys.matches(key, "up") || keys.matches(key, "down"))
    return { state: { ...state, selected: 1 - state.selected, doubted: null } };
  if (keys.matches(key, "confirm")) return choose(state.selected);
  if (key.text === "1" || key.text?.toLowerCase() === "s") return choose(0);
  return key.text === "2" ? choose(1) : { state };
}

function answered(state: QuestionsState, change: Partial<AnswerDraft>): QuestionsState {
  return {
    ...state,
    answering: state.answering.map((one, index) => (index === state.tab ? { ...one, ...change } : one)),
  };
}
