/** The lead's side of plans: which of them wait for an answer, and answering one of them exactly once. */
import { hashText } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import type { Answerer, ApprovalVerdict, RevisionVerdict } from "../../core/verdict.ts";
import { teamLead, type Letter, type Mailbox } from "../../mail/mailbox.ts";
import { letterOf, readLetter, requestIn, type PlanApprovalRequest, type PlanApprovalResponse } from "./messages.ts";
import { pause } from "../../mail/pause.ts";

export interface PendingPlan {
  readonly id: string;
  /** `name@team` */
  readonly agent: string;
  readonly from: string;
  readonly team: string;
  readonly title: string;
  readonly plan: string;
  readonly hash: string;
  readonly path: string;
  readonly revision: number;
  readonly previous: string | null;
  readonly submittedAt: number;
  readonly deadline: number | null;
  readonly message: PlanApprovalRequest;
}

export interface Inbox {
  readonly pending: readonly PendingPlan[];
  /** Letters that need no answer any more, and why, by id. */
  readonly dead: ReadonlyMap<string, string>;
  /** In the order in which they lie there. */
  readonly letters: readonly Letter[];
}

/** Takes nothing; rejects with MailboxError where the inbox cannot be read. */
export async function lookAtInbox(mailbox: Mailbox, team: string, now: number): Promise<Inbox> {
  const letters = await mailbox.peek({ team, agent: teamLead }, mostLetters);
  const dead = new Map<string, string>();
  const newest = new Map<string, PendingPlan>();
  for (const letter of letters) {
    const read = requestIn(letter, team);
    if (read === null) dead.set(letter.id, "");
    else if ("ignored" in read) dead.set(letter.id, `A message from ${letter.from} is ignored: ${read.ignored}.`);
    else {
      const plan = pendingPlan(letter, read.request, team);
      const before = newest.get(plan.from);
      if (before !== undefined) dead.set(before.id, "replaced by a newer one");
      newest.set(plan.from, plan);
    }
  }
  const plans = [...newest.values()];
  const closed = await Promise.all(plans.map((plan) => closedWhy(mailbox, plan)));
  const whys = plans.map((plan, at) => closed[at] ?? (isLate(plan, now) ? "the time for an answer is over" : null));
  for (const [at, why] of whys.entries()) if (why !== null) dead.set(plans[at]!.id, why);
  return { pending: plans.filter((_, at) => whys[at] === null), dead, letters };
}

const mostLetters = 1_000;

/** Lets go of letters that need no answer, as far as they lie before the first that does. */
export async function tidyInbox(mailbox: Mailbox, team: string, { dead, letters }: Inbox): Promise<void> {
  const first = letters.findIndex(({ id }) => !dead.has(id));
  const count = first < 0 ? letters.length : first;
  if (count === 0) return;
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(longestTidying)]);
  let taken = 0;
  const take = async ({ id }: Letter): Promise<void> => {
    if (!dead.has(id)) {
      enough.abort();
      throw new Error("This letter still waits.");
    }
    taken += 1;
    if (taken === count) enough.abort();
  };
  await mailbox.receive({ team, agent: teamLead }, take, { signal, whenEmpty: () => enough.abort() });
}

const longestTidying = 5_000;

export type LeadDecision =
  | ({ readonly approve: true } & Omit<ApprovalVerdict, "kind" | "fresh">)
  | ({ readonly approve: false } & Omit<RevisionVerdict, "kind">);

export type Answering =
  /** It counts. `untold` says why the teammate could not be told yet; it finds the answer by itself where it is kept. */
  | { readonly kind: "answered"; readonly untold?: string }
  /** Another surface was first, or the teammate waits no longer. */
  | { readonly kind: "closed"; readonly why: string }
  /** Not claimed: whether it counts is not known, or it surely does not. */
  | { readonly kind: "failed"; readonly reason: string };

export interface AnswerFacts {
  readonly decision: LeadDecision;
  readonly by: Answerer;
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** First come, first served: the answer is kept beside the plan by compare-and-set, then sent. */
export async function answerPlan(mailbox: Mailbox, plan: PendingPlan, facts: AnswerFacts): Promise<Answering> {
  const { decision, by, now } = facts;
  if (isLate(plan, now)) return { kind: "closed", why: "the time for an answer is over" };
  if (decision.approve && decision.hash !== plan.hash)
    return { kind: "failed", reason: `the plan that waits has another hash, ${plan.hash}` };
  const said = responseTo(plan, decision, { by, now });
  const key = { team: plan.team, plan: plan.id };
  const keep = () => mailbox.snapshots.put(key, JSON.stringify(said), { expected: 1 });
  let kept = await keep();
  if (kept.kind === "changed" && kept.present === null) {
    await mailbox.snapshots.put(key, JSON.stringify(plan.message), { expected: 0 });
    kept = await keep();
  }
  if (kept.kind === "refused") return { kind: "failed", reason: kept.reason };
  if (kept.kind === "kept") return post(mailbox, plan, said, facts);
  const earlier = readLetter({ text: kept.present?.text ?? "" });
  if ("message" in earlier && earlier.message.type === "plan_approval_response")
    await post(mailbox, plan, earlier.message, facts);
  return { kind: "closed", why: (await closedWhy(mailbox, plan)) ?? "somebody else was first" };
}

function responseTo(
  { id, hash }: PendingPlan,
  decision: LeadDecision,
  { by, now }: { readonly by: Answerer; readonly now: number },
): PlanApprovalResponse {
  const timestamp = new Date(now).toISOString();
  const common = { type: "plan_approval_response", requestId: id, timestamp, by } as const;
  const { plan, comments } = decision;
  const said = { ...common, plan, comments: comments === undefined ? undefined : [...comments] };
  if (decision.approve) return { ...said, approve: true, hash, mode: decision.mode, feedback: decision.notes };
  const { feedback, resolved } = decision;
  return { ...said, approve: false, feedback, resolved: resolved === undefined ? undefined : [...resolved] };
}

/** The answer has one id, so that it can be sent again by anybody who finds it kept. Tried at least once. */
async function post(
  mailbox: Mailbox,
  { id, from, team }: PendingPlan,
  said: PlanApprovalResponse,
  { now, signal }: AnswerFacts,
): Promise<Answering> {
  const letter = letterOf(teamLead, said, now);
  for (let tries = 1; ; tries += 1) {
    const sent = await mailbox.send({ team, agent: from }, letter, { id: `${id}:answer` });
    if (sent.kind === "sent") return { kind: "answered" };
    if (tries === mostSendings || signal?.aborted === true) return { kind: "answered", untold: sent.reason };
    await pause(100 * 2 ** tries, signal);
  }
}

const mostSendings = 5;

/** Null while an answer still counts. It is known also when the letter was tidied away by another surface. */
export async function closedWhy({ snapshots }: Mailbox, { id, team }: PendingPlan): Promise<string | null> {
  const newest = await snapshots.get({ team, plan: id });
  const read = readLetter({ text: newest?.text ?? "" });
  if ("ignored" in read) return null;
  const { message } = read;
  if (message.type === "plan_approval_withdrawn") return message.why;
  if (message.type !== "plan_approval_response") return null;
  const who = message.by === undefined ? "" : ` by ${message.by.user} (${message.by.surface})`;
  return `${message.approve ? "approved" : "rejected"}${who}`;
}

function pendingPlan({ from, timestamp }: Letter, message: PlanApprovalRequest, team: string): PendingPlan {
  const { requestId: id, planContent: plan, planFilePath: path } = message;
  const { revision = 1, previous = null, deadline = null } = message;
  const submittedAt = Date.parse(message.timestamp) || Date.parse(timestamp) || 0;
  const sender = { from, team, agent: `${from}@${team}` };
  const content = { title: titleOf(plan), plan, hash: hashText(plan), path };
  return { id, ...sender, ...content, revision, previous, submittedAt, deadline, message };
}

function isLate({ deadline }: PendingPlan, now: number): boolean {
  return deadline !== null && now > deadline;
}
