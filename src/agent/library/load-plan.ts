/** A plan with everything that is known of it: texts from the session's log, what its file holds, what changed since (B5.1, B5.5). */
import { approvedHash, staleFiles, type Evidence, type PlanDecision, type Revision } from "../../core/plan/ledger.ts";
import { hashText } from "../../core/plan/hash.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Comment } from "../../core/verdict.ts";
import { pendingReview } from "../../core/selectors.ts";
import { fileStates } from "../store/file-states.ts";
import { createFiles } from "../host/files/files.ts";
import type { PlanEntry } from "./entry.ts";
import { readPlanFile } from "./loose-files.ts";
import type { GivenWords, ReadLog } from "./replay-log.ts";
import { logPath } from "./session-logs.ts";

export interface LoadedPlan {
  readonly entry: PlanEntry;
  /** Approved: exactly these bytes. Else what the file holds, else the newest text that the log has. */
  readonly text: string;
  readonly revisions: readonly Revision[];
  readonly approved: ApprovedText | null;
  /** Oldest first, with the words that were said where the log has them. */
  readonly decisions: readonly ToldDecision[];
  /** What the file holds now; null when it is gone. */
  readonly onDisk: string | null;
  /** The file of an approved plan no longer holds the approved bytes. */
  readonly changedOutside: boolean;
  /** The log of its session; null when the session is gone. */
  readonly log: string | null;
  /** Comments that are open still. */
  readonly comments: readonly Comment[];
  /** The request that awaits a verdict. */
  readonly pending: ReviewRequest | null;
  /** Files that the plan names and that changed since it was submitted. */
  readonly stale: readonly string[];
}

/** What a person decided, and what they said with it. */
export interface ToldDecision extends PlanDecision {
  /** Feedback, or notes with a yes; empty where nothing was said. */
  readonly words: string;
  readonly comments: readonly Comment[];
}

export interface ApprovedText extends PlanDecision {
  readonly text: string;
}

/** Never throws; what cannot be had any more is missing from it. */
export async function loadPlan(configHome: string, entry: PlanEntry): Promise<LoadedPlan> {
  const found = await logOf(configHome, entry);
  const record = found?.session.plans.find(({ id }) => id === entry.id);
  const onDisk = readPlanFile(entry.file);
  const revisions = record?.revisions ?? fromDisk(entry, onDisk);
  const approved = approvedText(entry, revisions);
  const text = approved?.text ?? onDisk ?? found?.texts.get(entry.file) ?? revisions.at(-1)?.text ?? "";
  const session = found?.session ?? null;
  const isCurrent = session !== null && session.plan.file === entry.file;
  const pending = session === null ? null : pendingReview(session);
  return {
    entry: record === undefined ? entry : { ...entry, evidence: record.evidence },
    text,
    revisions,
    approved,
    decisions: entry.decisions.map((decision) => told(decision, found?.verdicts ?? [])),
    onDisk,
    changedOutside: isChanged(entry, onDisk),
    log: found?.path ?? null,
    comments: isCurrent ? session.plan.comments : [],
    pending: pending?.planFile === entry.file ? pending : null,
    stale: entry.evidence === null || entry.project === null ? [] : await changedSince(entry.evidence, entry.project),
  };
}

function told(decision: PlanDecision, verdicts: readonly GivenWords[]): ToldDecision {
  const given = verdicts.find(({ verdict, at }) => at === decision.at && verdict.kind === decision.kind)?.verdict;
  const words = given?.kind === "revise" ? given.feedback : given?.kind === "approve" ? (given.notes ?? "") : "";
  const comments = given?.kind === "revise" || given?.kind === "approve" ? (given.comments ?? []) : [];
  return { ...decision, words, comments };
}

/** The plan's own session, else the one that carries it out. */
async function logOf(
  configHome: string,
  { session, project, lineage }: PlanEntry,
): Promise<(ReadLog & { readonly path: string }) | null> {
  if (project === null) return null;
  const { replayLog } = await import("./replay-log.ts");
  for (const id of [session, lineage.carriedOutIn]) {
    if (id === null) continue;
    const path = logPath(configHome, project, id);
    const read = await replayLog(path);
    if (read !== null && read.session.id !== "") return { ...read, path };
  }
  return null;
}

/** Without a log only the file is left: its text counts as the revision that it is the same as. */
function fromDisk({ revisions }: PlanEntry, onDisk: string | null): readonly Revision[] {
  const hash = onDisk === null ? null : hashText(onDisk);
  const same = revisions.find((revision) => revision.hash === hash);
  return onDisk === null || same === undefined ? [] : [{ ...same, text: onDisk }];
}

function approvedText({ decisions }: PlanEntry, revisions: readonly Revision[]): ApprovedText | null {
  const hash = approvedHash({ decisions });
  const decision = decisions.findLast(({ kind }) => kind === "approve");
  const text = revisions.find((revision) => revision.hash === hash)?.text;
  return decision === undefined || text === undefined ? null : { ...decision, text };
}

function isChanged(entry: PlanEntry, onDisk: string | null): boolean {
  const hash = approvedHash(entry);
  return hash !== null && onDisk !== null && hashText(onDisk) !== hash;
}

/** Those of a plan's files in a project that are not as they were when it was submitted. */
export async function changedSince(evidence: Evidence, projectRoot: string): Promise<readonly string[]> {
  const paths = evidence.files.map(({ path }) => path);
  return staleFiles(evidence, await fileStates(paths, { files: createFiles(), projectRoot }));
}
