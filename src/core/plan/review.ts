/** Review: the frozen request, the person's verdict, and comments that follow the text. */
import type { WorkingMode } from "../mode.ts";

export interface ReviewRequest {
  readonly id: string;
  readonly callId: string;
  readonly planFile: string;
  /** Exactly what is shown, and all that an approval can approve. */
  readonly plan: string;
  readonly hash: string;
  readonly modeRevision: number;
  readonly revision: number;
  /** What the person saw last, for the difference (B3.1). */
  readonly previous: string | null;
  readonly comments: readonly PlacedComment[];
  readonly choices: readonly Choice[];
  /** Why it is shown again although it was answered: the file changed meanwhile, or could not be written (B2.1). */
  readonly again: "changed" | "write-failed" | null;
  /** Files that the plan names and that changed since it was first submitted (B5.5). */
  readonly stale: readonly string[];
  /** Files that changed in the work tree since plan mode began (B1.6). */
  readonly changed: readonly string[];
  /** Whose plan it is, when not the main agent's. */
  readonly agent: string | null;
  /** Until when a team lead's answer counts (B9.1). */
  readonly deadline?: number;
}

/** In R7.4's order; the first is selected. */
export type Choice =
  | { readonly kind: "approve"; readonly mode: WorkingMode; readonly label: ApproveLabel }
  | { readonly kind: "approve-fresh"; readonly mode: WorkingMode }
  | { readonly kind: "save" }
  | { readonly kind: "revise" }
  | { readonly kind: "abandon" };
export type ApproveLabel = "each-edit" | "accept-edits" | "earlier" | "skip-permissions";

export type Verdict =
  | {
      readonly kind: "approve";
      readonly hash: string;
      readonly mode?: WorkingMode;
      /** The person's edit, made in the review; never the model's. */
      readonly plan?: string;
      readonly notes?: string;
      readonly fresh?: boolean;
    }
  | {
      readonly kind: "revise";
      readonly feedback: string;
      readonly comments?: readonly Comment[];
      readonly resolved?: readonly string[];
    }
  | { readonly kind: "save" }
  | { readonly kind: "abandon" }
  | { readonly kind: "dismiss" };

type Revise = Extract<Verdict, { kind: "revise" }>;

/** Lines are counted from 1, both ends included. */
export interface Comment {
  readonly id: string;
  readonly kind: "change" | "question" | "note";
  readonly from: number;
  readonly to: number;
  readonly quote: string;
  readonly text: string;
}

/** Where a comment's words stand in the present text: as they were, at other lines, or gone. */
export interface PlacedComment extends Comment {
  readonly anchor: "kept" | "moved" | "gone";
}

export interface Answerer {
  readonly user: string;
  readonly surface: string;
}

export interface ChoiceFacts {
  readonly returnTo: WorkingMode;
  readonly bypassAvailable: boolean;
  /** False after auto mode's breaker tripped: what cannot be had is not offered (R7.6). */
  readonly autoAvailable: boolean;
  /** The most that may be granted: a subagent's parent's mode. */
  readonly ceiling: WorkingMode | null;
}

export function choicesFor(facts: ChoiceFacts): readonly Choice[] {
  const { bypassAvailable, autoAvailable, ceiling } = facts;
  const returnTo = facts.returnTo === "auto" && !autoAvailable ? "default" : facts.returnTo;
  const modes: Extract<Choice, { kind: "approve" }>[] = [
    { kind: "approve", mode: "default", label: "each-edit" },
    { kind: "approve", mode: "acceptEdits", label: "accept-edits" },
  ];
  if (!modes.some(({ mode }) => mode === returnTo)) modes.push({ kind: "approve", mode: returnTo, label: "earlier" });
  if (bypassAvailable && returnTo !== "bypassPermissions") {
    modes.push({ kind: "approve", mode: "bypassPermissions", label: "skip-permissions" });
  }
  const open = ceiling === null ? modes : modes.filter(({ mode }) => rank(mode) <= rank(ceiling));
  const fresh: Choice[] = ceiling === null ? [{ kind: "approve-fresh", mode: returnTo }] : [];
  return [...open, ...fresh, { kind: "save" }, { kind: "revise" }, { kind: "abandon" }];
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

/** Everything that a verdict leaves said: earlier comments that are neither resolved nor replaced, and the new ones. */
export function saidComments(before: readonly Comment[], { comments = [], resolved = [] }: Revise): readonly Comment[] {
  const settled = new Set([...resolved, ...comments.map(({ id }) => id)]);
  return [...before.filter(({ id }) => !settled.has(id)), ...comments];
}

/** The comments that stay open after a verdict; notes need no answer. */
export function openComments(before: readonly Comment[], verdict: Revise): readonly Comment[] {
  return saidComments(before, verdict).filter(({ kind }) => kind !== "note");
}

/** What the feedback calls for: another text, answers, a thought, or a question back. */
export function wishOf({ feedback, comments = [] }: Pick<Revise, "feedback" | "comments">): Wish {
  if (feedback.trim() !== "" || comments.some(({ kind }) => kind === "change")) return "change";
  if (comments.some(({ kind }) => kind === "question")) return "answer";
  return comments.length > 0 ? "consider" : "ask";
}

type Wish = "change" | "answer" | "consider" | "ask";

/** Whether the feedback asks for another text; a mere question may be answered with the plan as it is (B3.2). */
export function wantsChange(verdict: Revise): boolean {
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

function rank(mode: WorkingMode): number {
  return ["default", "acceptEdits", "auto", "bypassPermissions"].indexOf(mode);
}
