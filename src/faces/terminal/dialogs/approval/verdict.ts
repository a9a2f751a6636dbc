/** From a choice in the approval dialog to the verdict that says it. */
import type { WorkingMode } from "../../../../core/mode.ts";
import {
  choiceLabel,
  modeName,
  verdictOf as verdictFrom,
  type Choice,
  type Verdict,
} from "../../../../core/verdict.ts";
import { isEdited, unsent, type ApprovalState } from "./state.ts";

export function verdictOf(state: ApprovalState, choice: Choice): Verdict {
  const { request, comments, resolved } = state;
  const isFresh = choice.kind === "approve-fresh";
  return verdictFrom({
    kind: isFresh ? "approve" : choice.kind,
    hash: request.hash,
    mode: "mode" in choice ? choice.mode : undefined,
    fresh: isFresh,
    plan: isEdited(state) ? state.plan : undefined,
    notes: state.notes.text.trim(),
    feedback: state.feedback.text.trim(),
    comments,
    resolved,
  });
}

/** What such a choice would not send along. */
export function lostBy(state: ApprovalState, choice: Choice["kind"] | "dismiss"): readonly string[] {
  const open = unsent(state);
  if (choice === "approve" || choice === "approve-fresh") return open.filter((what) => what === "your feedback");
  return choice === "revise" ? open.filter((what) => what === "your notes") : open;
}

export interface ChoiceText {
  readonly label: string;
  /** Where there is little room. */
  readonly short: string;
  readonly letter: string;
}

export function choiceText(choice: Choice): ChoiceText {
  const label = choiceLabel(choice);
  switch (choice.kind) {
    case "approve":
      return { label, ...approveTexts[choice.label], ...(choice.label === "earlier" ? backTo(choice.mode) : {}) };
    case "approve-fresh":
      return { label, short: `Approve, fresh context (${modeName(choice.mode)})`, letter: "f" };
    case "save":
      return { label, short: "Save", letter: "s" };
    case "revise":
      return { label, short: "No", letter: "n" };
    case "abandon":
      return { label, short: label, letter: "x" };
  }
}

const approveTexts = {
  "each-edit": { short: "Approve, ask", letter: "y" },
  "accept-edits": { short: "Approve, edit freely", letter: "a" },
  earlier: { short: "Approve, back", letter: "b" },
  "skip-permissions": { short: "Approve, ask nothing", letter: "p" },
} as const;

function backTo(mode: WorkingMode): { readonly short: string } {
  return { short: `Approve, back: ${modeName(mode)}` };
}
