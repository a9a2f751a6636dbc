/** From a choice in the approval dialog to the verdict that says it. */
import type { Choice, Comment, Verdict } from "../../../../core/plan/review.ts";
import type { WorkingMode } from "../../../../core/mode.ts";
import { isEdited, unsent, type ApprovalState } from "./state.ts";
import { differenceLines, unified } from "../difference.ts";

export function verdictOf(state: ApprovalState, choice: Choice): Verdict {
  switch (choice.kind) {
    case "approve":
      return { kind: "approve", hash: state.request.hash, mode: choice.mode, ...approved(state) };
    case "approve-fresh":
      return { kind: "approve", hash: state.request.hash, mode: choice.mode, fresh: true, ...approved(state) };
    case "revise":
      return {
        kind: "revise",
        feedback: feedbackOf(state),
        ...(state.comments.length > 0 ? { comments: state.comments } : {}),
        ...(state.resolved.length > 0 ? { resolved: state.resolved } : {}),
      };
    case "save":
    case "abandon":
      return { kind: choice.kind };
  }
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
  switch (choice.kind) {
    case "approve":
      return approveText(choice.label, choice.mode);
    case "approve-fresh": {
      const label = `Yes, with fresh context (${named(choice.mode)})`;
      return { label, short: label, letter: "f" };
    }
    case "save":
      return { label: "Save for later", short: "Save", letter: "s" };
    case "revise":
      return { label: "No, keep planning", short: "No", letter: "n" };
    case "abandon":
      return { label: "Abandon", short: "Abandon", letter: "x" };
  }
}

function approveText(label: Extract<Choice, { kind: "approve" }>["label"], mode: WorkingMode): ChoiceText {
  switch (label) {
    case "each-edit":
      return { label: "Yes, approve each edit", short: "Yes, each edit", letter: "y" };
    case "accept-edits":
      return { label: "Yes, and accept edits", short: "Yes, accept edits", letter: "a" };
    case "earlier":
      return {
        label: `Yes, back to the earlier mode (${named(mode)})`,
        short: `Yes, back: ${named(mode)}`,
        letter: "b",
      };
    case "skip-permissions":
      return { label: "Yes, and skip permissions", short: "Yes, skip asking", letter: "p" };
  }
}

function named(mode: WorkingMode): string {
  return mode === "bypassPermissions" ? "bypass" : mode;
}

function approved(state: ApprovalState): { readonly plan?: string; readonly notes?: string } {
  const notes = [state.notes.text.trim(), ...state.comments.map(asNote)].filter((text) => text !== "").join("\n\n");
  return { ...(isEdited(state) ? { plan: state.plan } : {}), ...(notes === "" ? {} : { notes }) };
}

/** An approval has notes but no comments: they go along as notes, quoted. */
function asNote({ from, to, quote, text }: Comment): string {
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return `${quote.replace(/^/gm, "> ")}\n(${lines}) ${text}`;
}

/** An edit that is not approved is not written; so that it is not lost, its difference goes along with the feedback. */
function feedbackOf(state: ApprovalState): string {
  const said = state.feedback.text.trim();
  if (!isEdited(state)) return said;
  const edit = `\`\`\`diff\n${unified(differenceLines(state.request.plan, state.plan))}\n\`\`\``;
  return said === "" ? edit : `${said}\n\n${edit}`;
}
