/** What each key does in the approval dialog: choose, scroll, compare, edit; lines and boxes have files of their own. */
import type { Choice } from "../../../../core/verdict.ts";
import type { Key } from "../../keys/key-input.ts";
import { sent, updateBox } from "./box.ts";
import { updateLines } from "./line-cursor.ts";
import {
  comparedWith,
  type ApprovalLayout,
  type ApprovalState,
  type ApprovalStep,
  type ApprovalTools,
} from "./state.ts";
import { choiceText, lostBy } from "./verdict.ts";
import { beginning, scrolledBy } from "../pager.ts";

export function updateApproval(before: ApprovalState, key: Key, tools: ApprovalTools): ApprovalStep {
  const state = { ...before, says: null, wantsEditor: false };
  if (state.focus === "box" && state.box !== null)
    return seen(state, tools, updateBox({ ...state, box: state.box }, key, tools.keys));
  const { keys } = tools;
  if (keys.matches(key, "difference")) return { state: shownDifference(state) };
  if (keys.matches(key, "editPlan")) return { state: { ...state, wantsEditor: true, doubted: null } };
  if (state.focus === "lines") return { state: updateLines(state, key, tools) };
  return seen(state, tools, updateChoices(state, key, tools));
}

/** B2.5: where no line of the plan fits on the screen, nothing can be approved. */
function seen(before: ApprovalState, { layout }: ApprovalTools, step: ApprovalStep): ApprovalStep {
  if (step.answer?.kind !== "approve" || layout.isReadable) return step;
  return { state: { ...before, says: "No line of the plan fits here: make the window larger to approve it." } };
}

function updateChoices(state: ApprovalState, key: Key, tools: ApprovalTools): ApprovalStep {
  const { keys, layout } = tools;
  const { choices } = state.request;
  if (keys.matches(key, "dismiss")) return dismissed(state);
  if (keys.matches(key, "confirm")) return chosen(state, choices[state.selected]!);
  const calm = { ...state, doubted: null };
  const move = (by: number): ApprovalStep => ({
    state: { ...calm, selected: (state.selected + by + choices.length) % choices.length },
  });
  if (keys.matches(key, "up")) return move(-1);
  if (keys.matches(key, "down")) return move(1);
  if (keys.matches(key, "nextField")) return { state: withNotes(calm) };
  if (keys.matches(key, "comment")) return { state: toLines(calm, layout) };
  const from = scrolledBy(key, layout.pages, { from: state.from, keys, height: layout.height });
  if (from !== null) return { state: { ...calm, from } };
  const byNumber = /^[1-9]$/.test(key.text ?? "") ? choices[Number(key.text) - 1] : undefined;
  const picked = byNumber ?? choices.find((choice) => choiceText(choice).letter === key.text?.toLowerCase());
  return picked === undefined ? { state: calm } : chosen({ ...state, selected: choices.indexOf(picked) }, picked);
}

function chosen(state: ApprovalState, choice: Choice): ApprovalStep {
  if (choice.kind !== "revise") return sent(state, choice);
  return { state: { ...state, focus: "box", box: { purpose: "feedback" }, doubted: null } };
}

function dismissed(state: ApprovalState): ApprovalStep {
  const isSure = lostBy(state, "dismiss").length === 0 || state.doubted === "dismiss";
  return isSure ? { state, answer: { kind: "dismiss" } } : { state: { ...state, doubted: "dismiss" } };
}

function shownDifference(state: ApprovalState): ApprovalState {
  const base = comparedWith(state);
  if (base === null) return { ...state, says: "This is the first revision: there is nothing to compare it with." };
  if (base === state.plan) return { ...state, says: "Nothing changed since you last saw it." };
  const shows = state.shows === "plan" ? "difference" : "plan";
  return { ...state, shows, from: beginning, focus: "choices", doubted: null };
}

function withNotes(state: ApprovalState): ApprovalState {
  const choice = state.request.choices[state.selected]!;
  if (choice.kind === "revise") return { ...state, focus: "box", box: { purpose: "feedback" } };
  if (choice.kind === "approve" || choice.kind === "approve-fresh") {
    return { ...state, focus: "box", box: { purpose: "notes", choice } };
  }
  return { ...state, says: "Notes go along with a yes or a no: choose one first." };
}

/** The line cursor starts where the person is looking, also when they are looking at the difference. */
function toLines(state: ApprovalState, layout: ApprovalLayout): ApprovalState {
  const top = layout.sourceLine(state.from.line) ?? 1;
  const lines = { ...state, shows: "plan", focus: "lines", cursor: top, anchor: top } as const;
  if (state.shows === "plan") return lines;
  const gone = state.request.comments.filter(({ anchor }) => anchor === "gone").length;
  return { ...lines, from: { line: gone + top - 1, row: 0 } };
}
