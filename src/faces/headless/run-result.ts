/** The result of a headless run, as scripts read it (`--output-format json`). */
import { costUsd } from "../../agent/models/index.ts";
import type { Rung } from "../../agent/host/cage/types.ts";
import type { UserQuestion } from "../../core/questions.ts";
import { items } from "../../core/chain.ts";
import { isPlanning } from "../../core/mode.ts";
import type { PlanStatus } from "../../core/plan/ledger.ts";
import { hashText, isBlank } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import { pendingReview } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { RunNotice } from "./run-notices.ts";
import type { UsageTotal } from "../../core/usage.ts";
import { readRegularText } from "../../agent/host/files/read-regular.ts";

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
  /** From the project's root; whole where they lie elsewhere. */
  readonly changed: readonly string[];
  /** What the model asked and nobody was shown; each is answered by words with --resume. */
  readonly questions: readonly UserQuestion[];
  /** The cage that commands ran in, or "none"; left out where no command needed one. */
  readonly sandbox?: string;
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
  readonly questions: readonly UserQuestion[];
  readonly rung: Rung | null;
  /** What a command answered, where the model was given nothing to do. */
  readonly said: string | null;
  readonly durationMs: number;
  /** The program as the person started it. */
  readonly program: string;
  /** Null when agents used another one: no figure beats a wrong one. */
  readonly model: string | null;
}

export async function runResult(session: Session, facts: RunFacts): Promise<RunResult> {
  const { status, error, denials, changed, questions, durationMs, model, rung } = facts;
  const plan = await planOf(session);
  return {
    type: "result",
    status,
    sessionId: session.id,
    mode: session.permissions.mode.current,
    result: error ?? (status === "plan_ready" && plan !== null ? plan.text : wordsOf(session, facts)),
    plan,
    denials,
    usage: { ...session.usage.total, costUsd: model === null ? null : costUsd(model, session.usage.total) },
    durationMs: Math.round(durationMs),
    changed: changed.toSorted(),
    questions,
    ...(rung === null ? {} : { sandbox: rung.kind === "none" ? "none" : rung.name }),
  };
}

/** The plan under review, the draft, or the one that is being carried out. */
async function planOf(session: Session): Promise<PlanResult | null> {
  const pending = pendingReview(session);
  const { plan } = session;
  const path = pending?.planFile ?? plan.file ?? plan.approved?.file ?? null;
  if (path === null) return null;
  const text = pending?.plan ?? (await readRegularText(path).catch(() => plan.text ?? plan.approved?.text ?? ""));
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

/** The last message, and what it left open. */
function wordsOf(session: Session, { said, questions, program }: RunFacts): string {
  const asked = questions.length === 0 ? [] : [questionsText(questions, { id: session.id, program })];
  return [said ?? lastWords(session).trimEnd(), ...asked].filter((text) => text !== "").join("\n\n");
}

/** Questions that nobody could be shown, and how to answer them. */
export function questionsText(
  questions: readonly UserQuestion[],
  { id, program }: { readonly id: string; readonly program: string },
): string {
  const lines = questions.map(({ question, options }) => {
    const choices = options.map(
      ({ label, description }) => `   - ${label}${description === "" ? "" : `: ${description}`}`,
    );
    return [question, ...choices].join("\n");
  });
  const numbered = lines.map((text, at) => `${at + 1}. ${text}`);
  return ["Asked, and nobody was there to answer:", ...numbered, `To answer: ${program} -p --resume ${id} "…"`].join(
    "\n",
  );
}

/** Whether the run ended with a plan that was submitted and that nobody approved (R7.11); a draft alone is no plan to approve. */
export function endsWithPlan(session: Session): boolean {
  if (!isPlanning(session.permissions)) return false;
  return pendingReview(session) !== null || isUnanswered(session);
}

/** A teammate's plan stays submitted when its lead's time is over: it is asked again. */
function isUnanswered({ actor, plan, plans }: Session): boolean {
  return actor.kind === "teammate" && plans.findLast(({ file }) => file === plan.file)?.status === "submitted";
}
