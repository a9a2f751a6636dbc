/** The approval dialog as a value: what is shown, where the person is in it, and what they have written so far. */
import type { ReviewRequest } from "../../../../core/plan/review.ts";
import { placeComments, withoutAnchor } from "../../../../core/plan/anchors.ts";
import type { Choice, Comment, Verdict } from "../../../../core/verdict.ts";
import type { Keys } from "../../keys/keys.ts";
import type { DialogStep } from "../component.ts";
import { beginning, type Pages, type Position } from "../pager.ts";
import { emptyBox, type TextBox } from "../../keys/text-box.ts";

export interface ApprovalState {
  readonly request: ReviewRequest;
  /** The text as it would be approved: the request's, or the person's edit of it. */
  readonly plan: string;
  readonly shows: "plan" | "difference";
  readonly focus: "choices" | "lines" | "box";
  readonly from: Position;
  /** Lines of the plan, counted from 1: where the cursor is, and where a selection began. */
  readonly cursor: number;
  readonly anchor: number;
  readonly selected: number;
  /** The person's new comments, not yet sent. */
  readonly comments: readonly Comment[];
  /** Earlier comments that are settled. */
  readonly resolved: readonly string[];
  readonly box: Box | null;
  readonly feedback: TextBox;
  readonly notes: TextBox;
  /** Comments made so far, for their names. */
  readonly made: number;
  /** The choice that was made although something would be lost; it counts when it is made again. */
  readonly doubted: Choice["kind"] | "dismiss" | null;
  /** The editor is to be opened. */
  readonly wantsEditor: boolean;
  /** Something that just happened, until the next key. */
  readonly says: string | null;
}

export type Box =
  | { readonly purpose: "feedback" }
  | { readonly purpose: "notes"; readonly choice: Choice }
  | {
      readonly purpose: "comment";
      readonly kind: Comment["kind"];
      readonly from: number;
      readonly to: number;
      /** The comment that is changed; null for a new one. */
      readonly id: string | null;
      readonly text: TextBox;
    };

export type ApprovalStep = DialogStep<ApprovalState, Verdict>;

/** How the state lies on a screen of some size. */
export interface ApprovalLayout {
  readonly pages: Pages;
  /** Rows for the plan. */
  readonly height: number;
  /** Whether a line of the plan can be seen at all: what nobody can see, nobody approves. */
  readonly isReadable: boolean;
  /** The number of the plan's last line. */
  readonly lastLine: number;
  /** Between lines of what is shown and lines of the plan. */
  sourceLine(shown: number): number | null;
  documentLine(source: number): number;
}

export interface ApprovalTools {
  readonly keys: Keys;
  readonly layout: ApprovalLayout;
}

export function openedApproval(request: ReviewRequest): ApprovalState {
  const isNew = request.again === "changed" && request.previous !== null && request.previous !== request.plan;
  return {
    request,
    plan: request.plan,
    shows: isNew ? "difference" : "plan",
    focus: "choices",
    from: beginning,
    cursor: 1,
    anchor: 1,
    selected: 0,
    comments: [],
    resolved: [],
    box: null,
    feedback: emptyBox,
    notes: emptyBox,
    made: 0,
    doubted: null,
    wantsEditor: false,
    says: null,
  };
}

/** Offered anew: whatever the person wrote stays. */
export function withChoices(state: ApprovalState, choices: readonly Choice[] | null): ApprovalState {
  if (choices === null || JSON.stringify(choices) === JSON.stringify(state.request.choices)) return state;
  return { ...state, request: { ...state.request, choices }, selected: 0, says: "The modes to choose from changed." };
}

export function isEdited({ plan, request }: ApprovalState): boolean {
  return plan !== request.plan;
}

/** What the difference is taken from: the submitted text once the person edited it, else what they saw last (B3.1). */
export function comparedWith(state: ApprovalState): string | null {
  return isEdited(state) ? state.request.plan : state.request.previous;
}

/** What would be lost if the dialog closed without sending it. */
export function unsent(state: ApprovalState): readonly string[] {
  const { comments, resolved, feedback, notes } = state;
  const count = comments.length + resolved.length;
  return [
    ...(count > 0 ? [count === 1 ? "your comment" : `your ${count} comments`] : []),
    ...(feedback.text.trim() === "" ? [] : ["your feedback"]),
    ...(notes.text.trim() === "" ? [] : ["your notes"]),
    ...(isEdited(state) ? ["your edit"] : []),
  ];
}

/** After the editor: the new text, with the comments where their words stand now. */
export function editedPlan(state: ApprovalState, text: string): ApprovalState {
  const placed = placeComments(state.comments, text, state.plan);
  return {
    ...state,
    plan: text,
    comments: placed.map(withoutAnchor),
    shows: "plan",
    from: beginning,
    cursor: 1,
    anchor: 1,
    focus: "choices",
    selected: 0,
    says: text === state.request.plan ? "The plan is as it was submitted." : "Edited: approving approves this text.",
  };
}

export function selectionOf({ cursor, anchor }: ApprovalState): { readonly from: number; readonly to: number } {
  return { from: Math.min(cursor, anchor), to: Math.max(cursor, anchor) };
}

/** The words of lines of a plan. */
export function quoteOf(plan: string, from: number, to: number): string {
  const lines = plan.split("\n").slice(from - 1, to);
  const quote = lines.join("\n");
  return lines.length === 1 ? quote.replace(/\r$/, "").slice(0, 2_000) : quote;
}
