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
  /** What its lines should read instead; empty: they should go (B19.2). */
  readonly suggestion?: string | undefined;
  /** What was added to it in later reviews, oldest first. */
  readonly followUps?: readonly string[] | undefined;
  /** Its whole lines when it was said, where they read otherwise since. */
  readonly was?: string | undefined;
  /** What they read when it was placed last, where that is not what they were. */
  readonly now?: string | undefined;
}

/** Everything that was said in a comment, in order. */
export function saidIn({ text, followUps = [] }: Comment): readonly string[] {
  return [text, ...followUps];
}

/** How a comment's lines stand in the present text: as they were, at another place, in other words (`now`), or not at all. */
export interface PlacedComment extends Comment {
  readonly anchor: "kept" | "moved" | "changed" | "gone";
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

/** In R7.4's order, in words that cannot be misread; the same on every surface. */
export function choiceLabel(choice: Choice): string {
  switch (choice.kind) {
    case "approve":
      return choice.label === "earlier"
        ? `Approve, back to the earlier mode (${modeName(choice.mode)})`
        : approveLabels[choice.label];
    case "approve-fresh":
      return `Approve, with fresh context (${modeName(choice.mode)})`;
    case "save":
      return "Save for later";
    case "revise":
      return "No, keep planning";
    case "abandon":
      return "Abandon";
  }
}

const approveLabels = {
  "each-edit": "Approve, ask before each edit",
  "accept-edits": "Approve, edit freely",
  "skip-permissions": "Approve, ask nothing at all",
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

/** Everything that a verdict leaves said: earlier comments that are neither resolved nor replaced, and the new ones. */
export function saidComments<Said extends Comment>(
  before: readonly Said[],
  comments: readonly Said[],
  resolved: readonly string[] = [],
): readonly Said[] {
  const settled = new Set([...resolved, ...comments.map(({ id }) => id)]);
  return [...before.filter(({ id }) => !settled.has(id)), ...comments];
}

/** Of what was said; notes need no answer. */
export function stayOpen<Said extends Comment>(said: readonly Said[]): readonly Said[] {
  return said.filter(({ kind }) => kind !== "note");
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
