/** The session as the page shows it: a pure function of the session, the request that is open, and a few facts from outside. */
import { items } from "../../../core/chain.ts";
import { answersIn, type AnsweredQuestion } from "../../../core/outcome.ts";
import type { PlanRecord } from "../../../core/plan/ledger.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { titleOf } from "../../../core/plan/outline.ts";
import { checksOf } from "../../../core/plan/steps.ts";
import type { ReviewRequest } from "../../../core/plan/review.ts";
import { placeComments } from "../../../core/plan/anchors.ts";
import type { Session } from "../../../core/session.ts";
import { labelOf } from "../../../core/transitions/submission.ts";
import type { Answered, NamedFile, OpenRequest, PlanFacts, ReviewState } from "./wire.ts";

export interface Shown {
  readonly version: number;
  readonly session: Session;
  readonly request: ReviewRequest | null;
  /** A plan of the session by its id; the one under review, else the newest, otherwise. */
  readonly planId?: string;
  /** What its file holds, where nothing is open and that is known; and what was submitted, where that is another text. */
  readonly text?: string | null;
  readonly previous?: string | null;
  readonly files: readonly NamedFile[];
  readonly live: boolean;
  readonly answered: Answered | null;
  readonly costUsd: number | null;
}

export function reviewState(shown: Shown): ReviewState {
  const { version, session, request, files, live, answered, costUsd } = shown;
  const record = recordOf(session, request, shown.planId);
  const isOfTeammate = isTeammates(request, session);
  const text = request?.plan ?? shown.text ?? textOf(session, record);
  const isCurrent = record !== null && record.file === session.plan.file;
  const open = isCurrent ? placeComments(session.plan.comments, text, session.plan.commented) : [];
  const { total, planning } = session.usage;
  return {
    version,
    plan: planFacts(shown, record, text),
    text,
    hash: hashText(text),
    request: request === null ? null : openRequest(request),
    revisions: record?.revisions ?? [],
    previous: request?.previous ?? shown.previous ?? null,
    comments: request?.comments ?? open,
    reply: isOfTeammate || (request === null && !isCurrent) ? null : replyOf(session),
    answers: isOfTeammate ? [] : answersOf(session),
    decisions: record?.decisions ?? [],
    files,
    changed: request?.changed ?? session.workTreeChanges,
    usage: { total, planning, costUsd },
    session: { id: session.id, live },
    ...outlineOf(text),
    ...(isOfTeammate || record?.file !== session.plan.approved?.file ? {} : { todos: session.todos }),
    ...(record?.verified === undefined ? {} : { verified: record.verified }),
    answered,
  };
}

/** Nothing that is too long to be looked through at every turn. */
export function outlineOf(text: string): Pick<ReviewState, "outline"> {
  if (text.length > longestOutlined) return {};
  const { steps, commands } = checksOf(text);
  const checks = new Set([...commands, ...steps.flatMap(({ verify }) => verify)]);
  return { outline: { steps: steps.length, checks: checks.size } };
}

const longestOutlined = 200_000;

/** The plan that is under review, the one that was asked for, or the newest. */
export function recordOf(session: Session, request: ReviewRequest | null, planId?: string): PlanRecord | null {
  const { plans, plan } = session;
  if (isTeammates(request, session)) return null;
  if (request !== null) return plans.findLast(({ file }) => file === request.planFile) ?? null;
  if (planId !== undefined) return plans.find(({ id }) => id === planId) ?? null;
  const file = plan.file ?? plan.approved?.file ?? null;
  return plans.findLast((record) => record.file === file) ?? plans.at(-1) ?? null;
}

/** A plan of somebody else in the team, shown to this session as its lead: nothing of this session's own belongs to it. */
function isTeammates(request: ReviewRequest | null, { actor }: Session): boolean {
  return request !== null && request.agent !== labelOf(actor);
}

/** The request that waits for a person here; one that is with a team's lead, or answered already, is not. */
export function requestOf(session: Session): ReviewRequest | null {
  for (const { state } of session.turn.open) if (state.kind === "reviewing") return state.request;
  return null;
}

function textOf({ plan }: Session, record: PlanRecord | null): string {
  const isOf = (file: string | null | undefined): boolean => record === null || record.file === file;
  if (plan.approved !== null && isOf(plan.approved.file)) return plan.approved.text;
  if (plan.text !== null && isOf(plan.file)) return plan.text;
  return record?.revisions.at(-1)?.text ?? "";
}

function planFacts({ session, request }: Shown, record: PlanRecord | null, text: string): PlanFacts {
  const { roots } = session;
  const path = record?.file ?? request?.planFile ?? "";
  return {
    id: record?.id ?? (request === null ? "" : `${request.agent ?? ""} ${request.planFile}`),
    title: titleOf(text),
    path: tildePath(path, roots.home),
    status: record?.status ?? (request === null ? "draft" : "submitted"),
    project: roots.project,
    branch: record?.origin.branch ?? null,
    commit: record?.origin.commit ?? null,
  };
}

function openRequest({ id, hash, revision, choices, agent, again }: ReviewRequest): OpenRequest {
  return { id, hash, revision, choices, agent, again };
}

/** As a person writes it. */
export function tildePath(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** What the model said since a plan was last sent back; null where none was. */
function replyOf({ transcript }: Session): string | null {
  const entries = items(transcript);
  const sentBack = entries.findLastIndex(
    (entry) => entry.kind === "result" && (entry.outcome.kind === "revise" || entry.outcome.kind === "unchanged"),
  );
  if (sentBack < 0) return null;
  const said = entries.slice(sentBack).flatMap((entry) => {
    if (entry.kind !== "assistant") return [];
    return entry.content.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text.trim()] : []));
  });
  return said.length === 0 ? null : said.join("\n\n");
}

function answersOf({ transcript }: Session): readonly AnsweredQuestion[] {
  return items(transcript).flatMap((entry) =>
    entry.kind === "result" && entry.outcome.kind === "ran" ? answersIn(entry.outcome.output) : [],
  );
}
