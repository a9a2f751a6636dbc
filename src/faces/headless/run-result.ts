/** The result of a headless run, as scripts read it (`--output-format json`). */
import { isAbsolute, relative } from "node:path";
import { replyText } from "../../core/transcript.ts";
import { costUsd } from "../../agent/models/index.ts";
import type { UserQuestion } from "../../core/questions.ts";
import { items } from "../../core/chain.ts";
import { isPlanning } from "../../core/mode.ts";
import { hashText, isBlank } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import { planProgress } from "../../core/transitions/drift.ts";
import { pendingReview } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import { readRegularText } from "../../agent/host/files/read-regular.ts";
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import type { HeadlessLink, HeadlessOptions } from "./link.ts";
import type { Run } from "./run-notes.ts";

export type RunResult = Omit<Extract<PublicEvent, { type: "result" }>, "questions"> & {
  readonly questions: readonly UserQuestion[];
};

export type RunStatus = RunResult["status"];

export const exitCodes: Readonly<Record<RunStatus, number>> = {
  done: 0,
  failed: 1,
  plan_ready: 3,
  limit: 4,
  interrupted: 130,
};

export async function runResult(
  { handle, model, sideModel, shell }: HeadlessLink,
  run: Run,
  { status, program }: Pick<RunResult, "status"> & Pick<HeadlessOptions, "program">,
): Promise<RunResult> {
  const session = handle.state;
  const { error, denials, questions, notices } = run;
  const plan = await planOf(session);
  const rung = shell.knownRung();
  const others = [...run.agentModels, ...(run.hasSideUsage && sideModel !== null ? [sideModel] : [])];
  /** Null when agents used another one: no figure beats a wrong one. */
  const cost = others.every((name) => name === model.name) ? costUsd(model.name, session.usage.total) : null;
  const changed = new Set([...run.changed].map((path) => fromRoot(path, session)));
  return {
    type: "result",
    status,
    sessionId: session.id,
    mode: session.permissions.mode.current,
    result: error ?? (status === "plan_ready" && plan !== null ? plan.text : wordsOf(session, run, program)),
    plan,
    denials,
    usage: { ...session.usage.total, costUsd: cost },
    durationMs: Math.round(performance.now() - run.started),
    changed: [...changed].toSorted(),
    ...progressOf(session),
    questions,
    ...(rung === null ? {} : { sandbox: rung.kind === "none" ? "none" : rung.name }),
    notices,
  };
}

/** How far the approved plan is, while it is carried out. */
function progressOf(session: Session): Pick<RunResult, "progress"> {
  const progress = planProgress(session);
  if (progress === null) return {};
  return { progress: { ...progress, outside: progress.outside.map((path) => fromRoot(path, session)) } };
}

/** The plan under review, the draft, or the one that is being carried out. */
async function planOf(session: Session): Promise<RunResult["plan"]> {
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

/** The last message, and what it left open. */
function wordsOf(session: Session, { said, questions }: Run, program: string): string {
  const asked = questions.length === 0 ? [] : [questionsText(questions, { id: session.id, program })];
  return [said ?? lastWords(session).trimEnd(), ...asked].filter((text) => text !== "").join("\n\n");
}

function lastWords(session: Session): string {
  const last = items(session.transcript).findLast((entry) => entry.kind === "assistant");
  if (last?.kind !== "assistant") return "";
  return replyText(last.content);
}

/** Questions that nobody could be shown, and how to answer them. */
export function questionsText(
  questions: readonly UserQuestion[],
  { id, program }: { readonly id: string; readonly program: string },
): string {
  const numbered = questions.map(({ question, options }, at) => {
    const choices = options.map(
      ({ label, description }) => `   - ${label}${description === "" ? "" : `: ${description}`}`,
    );
    return [`${at + 1}. ${question}`, ...choices].join("\n");
  });
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

/** Inside of the project: from its root, as everywhere in the JSON; elsewhere whole. */
function fromRoot(path: string, { roots }: Session): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(roots.project, path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}
