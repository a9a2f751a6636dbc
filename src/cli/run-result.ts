/** The result of a headless run, as scripts read it (`--output-format json`). */
import { readFile } from "node:fs/promises";
import { costUsd } from "../agent/models/index.ts";
import { items } from "../core/chain.ts";
import { isPlanning } from "../core/mode.ts";
import type { PlanStatus } from "../core/ledger.ts";
import { hashText, isBlank } from "../core/plan/hash.ts";
import { titleOf } from "../core/plan/outline.ts";
import { pendingReview } from "../core/selectors.ts";
import type { Session } from "../core/session.ts";
import type { RunNotice } from "./run-notices.ts";
import type { UsageTotal } from "../core/usage.ts";

export type RunStatus = "done" | "failed" | "plan_ready" | "limit" | "interrupted";

export interface RunResult {
  readonly type: "result";
  /** What the person was told meanwhile; the same lines are on stderr. */
  readonly notices?: readonly RunNotice[];
  readonly status: RunStatus;
  readonly sessionId: string;
  readonly mode: string;
  readonly result: string;
  readonly plan: PlanResult | null;
  readonly denials: readonly Denied[];
  readonly usage: UsageTotal & { readonly costUsd: number | null };
  readonly durationMs: number;
  readonly changed: readonly string[];
}

export interface PlanResult {
  readonly path: string;
  readonly title: string;
  readonly hash: string;
  readonly revision: number;
  readonly text: string;
  readonly status: PlanStatus;
}

export interface Denied {
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string;
  readonly code: string;
}

export const exitCodes: Readonly<Record<RunStatus, number>> = {
  done: 0,
  failed: 1,
  plan_ready: 3,
  limit: 4,
  interrupted: 130,
};

export interface RunFacts {
  readonly status: RunStatus;
  readonly error: string | null;
  readonly denials: readonly Denied[];
  readonly changed: readonly string[];
  readonly durationMs: number;
  /** Null when agents used another one: no figure beats a wrong one. */
  readonly model: string | null;
}

export async function runResult(session: Session, facts: RunFacts): Promise<RunResult> {
  const { status, error, denials, changed, durationMs, model } = facts;
  const plan = await planOf(session);
  return {
    type: "result",
    status,
    sessionId: session.id,
    mode: session.permissions.mode.current,
    result: error ?? (status === "plan_ready" && plan !== null ? plan.text : lastWords(session)),
    plan,
    denials,
    usage: { ...session.usage.total, costUsd: model === null ? null : costUsd(model, session.usage.total) },
    durationMs: Math.round(durationMs),
    changed: [...new Set([...changed, ...session.workTreeChanges])].toSorted(),
  };
}

/** The plan under review, the draft, or the one that is being carried out. */
async function planOf(session: Session): Promise<PlanResult | null> {
  const pending = pendingReview(session);
  const { plan } = session;
  const path = pending?.planFile ?? plan.file ?? plan.approved?.file ?? null;
  if (path === null) return null;
  const text = pending?.plan ?? (await readFile(path, "utf8").catch(() => plan.text ?? plan.approved?.text ?? ""));
  if (isBlank(text)) return null;
  const record = session.plans.findLast(({ file }) => file === path);
  return {
    path,
    title: titleOf(text),
    hash: hashText(text),
    revision: record?.revisions.length ?? 0,
    text,
    status: record?.status ?? "draft",
  };
}

export function lastWords(session: Session): string {
  const last = items(session.transcript).findLast((entry) => entry.kind === "assistant");
  if (last?.kind !== "assistant") return "";
  return last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** Whether the run ended with a plan that nobody approved (R7.11): submitted, or at least written. */
export function endsWithPlan(session: Session): boolean {
  if (!isPlanning(session.permissions)) return false;
  return pendingReview(session) !== null || !isBlank(session.plan.text);
}
