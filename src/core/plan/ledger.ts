/** The record of each plan of a session: status, revisions with hashes, audit, and what its files looked like (B5.3, B5.5). */
import { hashText } from "./hash.ts";
import { titleOf } from "./outline.ts";
import type { Mode } from "../mode.ts";
import type { Answerer } from "../verdict.ts";

export type PlanStatus = "draft" | "submitted" | "approved" | "rejected" | "saved" | "executing" | "done" | "abandoned";

export interface PlanRecord {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly status: PlanStatus;
  readonly session: string;
  readonly project: string;
  readonly origin: PlanOrigin;
  /** The other agent that wrote it; missing for our own. */
  readonly source?: string;
  readonly revisions: readonly Revision[];
  readonly decisions: readonly PlanDecision[];
  /** The files the plan named at its last submission. */
  readonly evidence: Evidence | null;
  readonly lineage: Lineage;
  /** How the last look at the finished work ended; missing where there was none. */
  readonly verified?: VerifiedWork;
}

export interface VerifiedWork {
  readonly passed: boolean;
  readonly found: readonly string[];
  readonly at: number;
}

/** The plans and the session that it belongs together with. */
export interface Lineage {
  /** The plan that was approved or saved before it in the same session. */
  readonly previous: string | null;
  /** The plan whose text it began with, in the session that was forked (R14.3). */
  readonly forkedFrom: string | null;
  /** The session with fresh context that carries it out (B6.4). */
  readonly carriedOutIn: string | null;
}

/** Where the work stood when the plan was begun. */
export interface PlanOrigin {
  readonly branch: string | null;
  readonly commit: string | null;
}

export interface Revision {
  readonly number: number;
  readonly hash: string;
  readonly text: string;
  readonly at: number;
  readonly by: "model" | "person";
}

/** B2.7: who decided what on which text, when. */
export interface PlanDecision {
  readonly kind: "approve" | "revise" | "save" | "abandon" | "dismiss";
  readonly by: Answerer;
  readonly at: number;
  readonly hash: string;
  readonly mode: Mode;
}

export interface Evidence {
  readonly commit: string | null;
  readonly files: readonly FileState[];
}

/** `hash` is null for a file that does not exist. */
export interface FileState {
  readonly path: string;
  readonly hash: string | null;
}

export interface NewPlan {
  readonly id: string;
  readonly file: string;
  readonly session: string;
  readonly project: string;
  readonly origin: PlanOrigin;
  readonly source?: string;
  readonly previous?: string | null;
}

export function openRecord({ previous = null, ...plan }: NewPlan): PlanRecord {
  const lineage = { previous, forkedFrom: null, carriedOutIn: null };
  return { ...plan, title: "", status: "draft", revisions: [], decisions: [], evidence: null, lineage };
}

/** The same text twice in a row is one revision. */
export function addRevision(
  record: PlanRecord,
  text: string,
  { at, by }: { readonly at: number; readonly by: "model" | "person" },
): PlanRecord {
  const hash = hashText(text);
  if (record.revisions.at(-1)?.hash === hash) return record;
  const revision: Revision = { number: record.revisions.length + 1, hash, text, at, by };
  return { ...record, title: titleOf(text), revisions: [...record.revisions, revision] };
}

export function addDecision(record: PlanRecord, decision: PlanDecision): PlanRecord {
  return { ...record, status: statusAfter[decision.kind] ?? record.status, decisions: [...record.decisions, decision] };
}

/** Approved, saved or given up: its file is never written again. */
export function isSettled({ decisions }: Pick<PlanRecord, "decisions">): boolean {
  return decisions.some(({ kind }) => kind === "approve" || kind === "save" || kind === "abandon");
}

/** What a person approved, wherever the work stands that follows from it. */
export function approvedHash({ decisions }: Pick<PlanRecord, "decisions">): string | null {
  return decisions.findLast(({ kind }) => kind === "approve")?.hash ?? null;
}

/** Files whose content is another one now than at the last submission. */
export function staleFiles(then: Evidence | null, now: readonly FileState[]): readonly string[] {
  if (then === null) return [];
  const present = new Map(now.map(({ path, hash }) => [path, hash]));
  return then.files.filter(({ path, hash }) => present.has(path) && present.get(path) !== hash).map(({ path }) => path);
}

/** What the library's index keeps of a plan: everything but the texts, which the log keeps. */
export interface PlanSummary extends Omit<PlanRecord, "revisions"> {
  readonly revisions: readonly Omit<Revision, "text">[];
}

export function summaryOf(record: PlanRecord): PlanSummary {
  return { ...record, revisions: record.revisions.map(({ number, hash, at, by }) => ({ number, hash, at, by })) };
}

const statusAfter: Partial<Record<PlanDecision["kind"], PlanStatus>> = {
  approve: "approved",
  revise: "rejected",
  save: "saved",
  abandon: "abandoned",
};
