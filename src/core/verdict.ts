/** A person's verdict on a plan, and their comments: what can be said, what it is called, and what it means. */
import type { WorkingMode } from "./mode.ts";

export type Verdict =
  | {
      readonly kind: "approve";
      readonly hash: string;
      readonly mode?: WorkingMode;
      /** The person's edit, made in the review; never the model's. */
      readonly plan?: string;
      readonly notes?: string;
      readonly comments?: readonly Comment[];
      readonly fresh?: boolean;
    }
  | {
      readonly kind: "revise";
      readonly feedback: string;
      readonly comments?: readonly Comment[];
      readonly resolved?: readonly string[];
      /** The person's edit: it is written, and the model goes on from it. */
      readonly plan?: string;
    }
  | { readonly kind: "save" }
  | { readonly kind: "abandon" }
  | { readonly kind: "dismiss" };

export type ApprovalVerdict = Extract<Verdict, { kind: "approve" }>;
export type RevisionVerdict = Extract<Verdict, { kind: "revise" }>;

export const commentKinds = ["change", "question", "note"] as const;

/** Lines are counted from 1, both ends included. */
export interface Comment {
  readonly id: string;
  readonly kind: (typeof commentKinds)[number];
  readonly from: number;
  readonly to: number;
  readonly quote: string;
  readonly text: string;
  /** What was added to it in later reviews, oldest first. */
  readonly followUps?: readonly string[] | undefined;
}

/** Everything that was said in a comment, in order. */
export function saidIn({ text, followUps = [] }: Comment): readonly string[] {
  return [text, ...followUps];
}

/** Where a comment's words stand in the present text: as they were, at other lines, or gone. */
export interface PlacedComment extends Comment {
  readonly anchor: "kept" | "moved" | "gone";
}

export interface Answerer {
  readonly user: string;
  readonly surface: string;
}

/** In R7.4's order; the first is selected. */
export type Choice =
  | { readonly kind: "approve"; readonly mode: WorkingMode; readonly label: ApproveLabel }
  | { readonly kind: "approve-fresh"; readonly mode: WorkingMode }
  | { readonly kind: "save" }
  | { readonly kind: "revise" }
  | { readonly kind: "abandon" };
export type ApproveLabel = "each-edit" | "accept-edits" | "earlier" | "skip-permissions";

/** R7.4's words. */
export function choiceLabel(choice: Choice): string {
  switch (choice.kind) {
    case "approve":
      return choice.label === "earlier"
        ? `Yes, back to the earlier mode (${modeName(choice.mode)})`
        : approveLabels[choice.label];
    case "approve-fresh":
      return `Yes, with fresh context (${modeName(choice.mode)})`;
    case "save":
      return "Save for later";
    case "revise":
      return "No, keep planning";
    case "abandon":
      return "Abandon";
  }
}

const approveLabels = {
  "each-edit": "Yes, approve each edit",
  "accept-edits": "Yes, and accept edits",
  "skip-permissions": "Yes, and skip permissions",
} as const;

export function modeName(mode: WorkingMode): string {
  return mode === "bypassPermissions" ? "bypass" : mode;
}

/** A verdict as surfaces, lines and letters carry it: one record for all kinds. */
export interface VerdictWords {
  readonly kind: Verdict["kind"];
  readonly hash: string;
  readonly mode?: WorkingMode | undefined;
  readonly fresh?: boolean | undefined;
  readonly plan?: string | undefined;
  /** With a yes; feedback counts as notes there. */
  readonly notes?: string | undefined;
  readonly feedback?: string | undefined;
  readonly comments?: readonly Comment[] | undefined;
  readonly resolved?: readonly string[] | undefined;
}

/** What does not belong to its kind is left out, and so is what says nothing. */
export function verdictOf(words: VerdictWords): Verdict {
  const { kind, hash, mode, fresh, plan, feedback = "", notes = feedback, comments = [], resolved = [] } = words;
  const said = { ...(comments.length === 0 ? {} : { comments }), ...(plan === undefined ? {} : { plan }) };
  switch (kind) {
    case "approve":
      return {
        kind,
        hash,
        ...(mode === undefined ? {} : { mode }),
        ...(notes.trim() === "" ? {} : { notes }),
        ...(fresh === true ? { fresh } : {}),
        ...said,
      };
    case "revise":
      return { kind, feedback, ...(resolved.length === 0 ? {} : { resolved }), ...said };
    case "save":
    case "abandon":
    case "dismiss":
      return { kind };
  }
}

/** The person's own text, where their verdict brings another one than was shown. */
export function editIn(verdict: Verdict, shown: string): string | null {
  const plan = verdict.kind === "approve" || verdict.kind === "revise" ? verdict.plan : undefined;
  return plan === undefined || plan === shown ? null : plan;
}

/** Follows comments into a new text: the quoted words at the same lines, else at the nearest place, else gone. */
export function placeComments(comments: readonly Comment[], text: string): readonly PlacedComment[] {
  const lines = text.split("\n");
  return comments.map((comment) => {
    const quoted = comment.quote.split("\n");
    const starts = lines.flatMap((_, index) => (holds(lines, index, quoted) ? [index + 1] : []));
    const nearest = starts.toSorted((a, b) => Math.abs(a - comment.from) - Math.abs(b - comment.from))[0];
    if (comment.quote === "" || nearest === undefined) return { ...comment, anchor: "gone" };
    if (nearest === comment.from) return { ...comment, anchor: "kept" };
    return { ...comment, from: nearest, to: nearest + quoted.length - 1, anchor: "moved" };
  });
}

export function withoutAnchor(placed: PlacedComment): Comment {
  const { anchor: _, ...comment } = placed;
  return comment;
}

/** Everything that a verdict leaves said: earlier comments that are neither resolved nor replaced, and the new ones. */
export function saidComments(
  before: readonly Comment[],
  { comments = [], resolved = [] }: RevisionVerdict,
): readonly Comment[] {
  const settled = new Set([...resolved, ...comments.map(({ id }) => id)]);
  return [...before.filter(({ id }) => !settled.has(id)), ...comments];
}

/** The comments that stay open after a verdict; notes need no answer. */
export function openComments(before: readonly Comment[], verdict: RevisionVerdict): readonly Comment[] {
  return saidComments(before, verdict).filter(({ kind }) => kind !== "note");
}

/** What the feedback calls for: another text, answers, a thought, or a question back. */
export function wishOf({ feedback, comments = [] }: Pick<RevisionVerdict, "feedback" | "comments">): Wish {
  if (feedback.trim() !== "" || comments.some(({ kind }) => kind === "change")) return "change";
  if (comments.some(({ kind }) => kind === "question")) return "answer";
  return comments.length > 0 ? "consider" : "ask";
}

type Wish = "change" | "answer" | "consider" | "ask";

/** Whether the feedback asks for another text; a mere question may be answered with the plan as it is (B3.2). */
export function wantsChange(verdict: RevisionVerdict): boolean {
  return ["change", "ask"].includes(wishOf(verdict));
}

function holds(lines: readonly string[], start: number, quoted: readonly string[]): boolean {
  return quoted.every((part, offset) => {
    const line = lines[start + offset];
    if (line === undefined) return false;
    if (quoted.length === 1) return line.includes(part);
    if (offset === 0) return line.endsWith(part);
    return offset === quoted.length - 1 ? line.startsWith(part) : line === part;
  });
}
