/** What the sealed log of a session says of a plan: task, approved text, approver, todos, and where the log stands (B16.1). */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { approvedHash, isSettled, type PlanRecord } from "../../core/plan/ledger.ts";
import { reduce } from "../../core/reduce.ts";
import type { Todo } from "../../core/reminders/reminder.ts";
import { freshSession, type Session } from "../../core/session.ts";
import type { LoadedPlan } from "../library/load-plan.ts";
import { loadLog } from "../store/log-reader.ts";
import { lastSeal, openSealer, type Sealer } from "../store/log-seal.ts";

export interface LogHead {
  readonly bytes: number;
  readonly hash: string;
  readonly lines: number;
  readonly seal: string;
}

export interface SealedPlan {
  readonly record: PlanRecord;
  readonly task: string | null;
  readonly todos: readonly Todo[];
  readonly head: LogHead;
  /** The session with fresh context that carries it out. */
  readonly carriedOutIn: string | null;
}

/** A problem where there is no log of the plan, or a line of it is not as it was written. */
export async function sealedPlan(
  path: string,
  plan: string,
  sealer: Sealer,
): Promise<SealedPlan | { readonly problem: string }> {
  const log = await loadLog(path, sealer).catch(() => null);
  if (log === null) return { problem: "The log of its session cannot be read." };
  if (log.broken !== null)
    return {
      problem: `${path}:${log.broken} does not bear its seal: it was changed, moved or added by something else.`,
    };
  let session = freshSession();
  let task: string | null = null;
  let todos: readonly Todo[] = [];
  for (const { event } of log.entries) {
    const before = session;
    session = reduce(session, event).session;
    const isNextTask = settledOthers(session, plan) > settledOthers(before, plan) && !isApproved(session, plan);
    if (isNextTask) task = null;
    if (event.type === "user-said" && task === null) task = event.text;
    if (isCarriedOut(session, plan)) ({ todos } = session);
  }
  const record = recordOf(session, plan);
  if (record === undefined) return { problem: "The log of its session does not know the plan." };
  const head = await headOf(path, log.size);
  return { record, task, todos, head, carriedOutIn: session.links.to };
}

/** Why the approval that the library tells of does not count: the log of its session is not as it was written, or does not say so. Null where it counts, or the session is gone. */
export async function approvalDoubt({ entry, approved, log }: LoadedPlan, configHome: string): Promise<string | null> {
  const isOwn = log !== null && entry.session !== null && basename(log, ".jsonl") === entry.session;
  if (approved === null || !isOwn) return null;
  const sealed = await sealedPlan(log, entry.id, await openSealer(configHome));
  if ("problem" in sealed) return sealed.problem;
  const isTold = approvedHash(sealed.record) === approvedHash(entry);
  return isTold ? null : "The log of its session does not tell of the approval that the library has.";
}

/** The todos of the session that carries the plan out; none where its log is not as it was written. */
export async function linkedTodos(path: string, sealer: Sealer): Promise<readonly Todo[]> {
  const log = await loadLog(path, sealer).catch(() => null);
  if (log === null || log.broken !== null) return [];
  return log.entries.reduce((session, { event }) => reduce(session, event).session, freshSession()).todos;
}

/** Of the first so many bytes; a log only grows, so these stay as they are. */
export async function headOf(path: string, bytes: number): Promise<LogHead> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const seal = await lastSeal(file, bytes);
    const hash = createHash("sha256");
    let lines = 0;
    const chunks = bytes === 0 ? [] : file.createReadStream({ start: 0, end: bytes - 1, autoClose: false });
    for await (const chunk of chunks) {
      hash.update(chunk as Buffer);
      lines += (chunk as Buffer).toString("latin1").split("\n").length - 1;
    }
    return { bytes, hash: hash.digest("hex"), lines, seal };
  } finally {
    await file.close();
  }
}

function recordOf({ plans }: Session, plan: string): PlanRecord | undefined {
  return plans.find(({ id }) => id === plan);
}

function isApproved(session: Session, plan: string): boolean {
  const record = recordOf(session, plan);
  return record !== undefined && approvedHash(record) !== null;
}

/** Its todos are those of the session while it is the plan that is carried out. */
function isCarriedOut(session: Session, plan: string): boolean {
  return isApproved(session, plan) && session.plan.approved?.file === recordOf(session, plan)?.file;
}

function settledOthers({ plans }: Session, plan: string): number {
  return plans.filter((record) => record.id !== plan && isSettled(record)).length;
}
