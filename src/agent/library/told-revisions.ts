/** The history of a plan as people tell it: each revision with what was decided on it. */
import type { PlanDecision, Revision } from "../../core/plan/ledger.ts";
import type { Comment } from "../../core/verdict.ts";
import type { LoadedPlan, ToldDecision } from "./load-plan.ts";

export interface ToldRevision {
  /** Null for decisions on a text that is not kept. */
  readonly revision: Omit<Revision, "text"> | null;
  /** Oldest first. */
  readonly decisions: readonly ToldDecision[];
}

/** A text that was submitted twice: what was decided belongs to the last one that was there by then. */
export function toldRevisions({ entry, revisions: kept, decisions }: LoadedPlan): readonly ToldRevision[] {
  const revisions = entry.revisions.length > 0 ? entry.revisions : kept;
  const ownerOf = ({ hash, at }: PlanDecision) =>
    revisions.findLast((revision) => revision.hash === hash && revision.at <= at) ??
    revisions.find((revision) => revision.hash === hash) ??
    null;
  const owned = decisions.map((decision) => ({ owner: ownerOf(decision), decision }));
  const on = (revision: ToldRevision["revision"]): readonly ToldDecision[] =>
    owned.flatMap(({ owner, decision }) => (owner === revision ? [decision] : []));
  const told = revisions.map((revision) => ({ revision, decisions: on(revision) }));
  const lost = on(null);
  return lost.length === 0 ? told : [...told, { revision: null, decisions: lost }];
}

/** Open comments that no decision told: said between two reviews. */
export function saidSince({ comments, decisions }: LoadedPlan): readonly Comment[] {
  const told = new Set(decisions.flatMap((decision) => decision.comments.map(({ id }) => id)));
  return comments.filter(({ id }) => !told.has(id));
}

export const decisionWords: Readonly<Record<PlanDecision["kind"], string>> = {
  approve: "approved",
  revise: "sent back",
  save: "saved",
  abandon: "abandoned",
  dismiss: "dismissed",
};

export function linesOfComment({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}
