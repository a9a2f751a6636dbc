/** A plan with the lead: sent until it is acknowledged, waited for until the deadline, never longer (B9.1). */
import type { Submission } from "../../agent/loop/agent.ts";
import type { SessionHandle, TeamNews } from "../../agent/ports/handle.ts";
import { askSurface } from "../../agent/answers/ask-surface.ts";
import type { Person, ReviewAnswer, Send } from "../../agent/ports/ports.ts";
import { workingModeOf } from "../../core/mode.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import { isHeld } from "../../core/decide/situation.ts";
import { teamLead, type Keeping, type Mailbox } from "../../mail/mailbox.ts";
import { letterOf, readLetter, type LetterBody, type PlanApprovalRequest } from "./messages.ts";
import { pause, within } from "../../mail/pause.ts";
import { takeAnswer, takeResponse } from "./take-answer.ts";

export interface AwaitOptions {
  readonly mailbox: Mailbox;
  readonly name: string;
  readonly team: string;
  readonly task: string;
  readonly person: Person;
  /** The person at this very session goes before the lead. */
  readonly personFirst?: boolean;
  readonly now: () => number;
  readonly tell: (news: TeamNews) => void;
  /** Milliseconds after which it looks at the clock, and where answers are kept, at the latest. */
  readonly everyMs?: number;
  /** Resolves when everything that waited in the inbox has been taken. */
  readonly caughtUp: Promise<void>;
  /** Ends the waiting; the request stays as it is, for when the session is resumed. */
  readonly interrupted: AbortSignal;
}

/** Resolves when nobody waits for the answer any more: it came, the person answered, or the time is over. */
export async function awaitLead(submission: Submission, options: AwaitOptions): Promise<void> {
  const { request, handle, signal } = submission;
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal, options.interrupted]);
  const stop = handle.subscribe(() => isAwaited(handle, request) || ended.abort());
  if (!isAwaited(handle, request)) ended.abort();
  if (options.personFirst === true) await askPerson(submission, options, over);
  const sending = deliver(submission, options, over);
  await untilDeadline(submission, options, over);
  if (!over.aborted) await within(options.caughtUp, patience(options));
  if (!over.aborted) await expire(submission, options, over);
  stop();
  ended.abort();
  await within(sending, patience(options));
}

/** An answer whose letter never came, since whoever gave it was stopped in between, is found where it was kept. */
async function untilDeadline(submission: Submission, options: AwaitOptions, over: AbortSignal): Promise<void> {
  const { request } = submission;
  const { now, everyMs = lookEvery } = options;
  let tried = "";
  const isOver = (): boolean => over.aborted || (request.deadline !== undefined && now() >= request.deadline);
  while (!isOver()) {
    await pause(Math.min(everyMs, (request.deadline ?? Infinity) - now()), over);
    if (isOver()) return;
    const kept = await options.mailbox.snapshots.get({ team: options.team, plan: request.id }).catch(() => null);
    if (over.aborted || kept === null || kept.text === tried || isHeld(submission.handle.state.actor)) continue;
    tried = kept.text;
    await takeKept(kept.text, submission, options);
  }
}

const lookEvery = 10_000;

/** The same id each time, also after a restart: however often it is tried, one request reaches the lead. */
async function deliver(submission: Submission, options: AwaitOptions, over: AbortSignal): Promise<void> {
  const { request } = submission;
  const { mailbox, name, team, now, tell } = options;
  const said = messageOf(submission, options);
  const key = { team, plan: request.id };
  const letter = letterOf(name, said, now());
  for (let tries = 0; !over.aborted; tries += 1) {
    const kept = await mailbox.snapshots.put(key, JSON.stringify(said), { expected: 0 });
    if (kept.kind === "changed" && (await takeKept(kept.present?.text ?? "", submission, options))) return;
    const sent =
      kept.kind === "refused"
        ? kept
        : await mailbox.send({ team, agent: teamLead }, letter, { id: request.id, signal: over });
    if (sent.kind === "sent") return tell({ type: "team.waiting", id: request.id, deadline: request.deadline ?? null });
    if (tries === 0 && !over.aborted)
      tell({ type: "team.connection", state: "refused", detail: `The plan could not be sent yet: ${sent.reason}` });
    await pause(Math.min(5_000, 250 * 2 ** tries), over);
  }
}

function messageOf({ request, handle }: Submission, { name, task, now }: AwaitOptions): PlanApprovalRequest {
  const { id, planFile, plan, hash, deadline, revision, previous, again, changed, choices } = request;
  const modes = choices.flatMap((choice) => (choice.kind === "approve" ? [choice.mode] : []));
  return {
    type: "plan_approval_request",
    from: name,
    timestamp: new Date(now()).toISOString(),
    planFilePath: planFile,
    planContent: plan,
    requestId: id,
    hash,
    ...(deadline === undefined ? {} : { deadline }),
    revision,
    previous,
    again,
    changed: [...changed],
    modes,
    returnTo: workingModeOf(handle.state.permissions),
    task,
  };
}

/**
 * The lead did not answer: the person is asked where there is one, else nothing is approved (B9.1). The request is closed first
 * where every surface looks before it answers, so that nobody answers for nothing; an answer that was kept there before, and
 * whose letter is still on its way, counts.
 */
async function expire(submission: Submission, options: AwaitOptions, over: AbortSignal): Promise<void> {
  const { request } = submission;
  const { tell } = options;
  const kept = await withdraw(request, "the time for an answer is over", options);
  if (kept?.kind === "changed" && (await takeKept(kept.present?.text ?? "", submission, options))) return;
  tell({ type: "team.escalated", id: request.id });
  if (await askPerson(submission, options, over)) return;
  if (over.aborted) return;
  tell({ type: "team.expired", id: request.id });
  const by = { user: "nobody", surface: "deadline" };
  await takeAnswer(submission, { verdict: { kind: "dismiss" }, by, at: options.now() });
}

/** True when the person's answer counted. */
async function askPerson(submission: Submission, options: AwaitOptions, over: AbortSignal): Promise<boolean> {
  const { request } = submission;
  const asked = new AbortController();
  const signal = AbortSignal.any([over, asked.signal]);
  const given: Promise<string | null>[] = [];
  const send: Send<ReviewAnswer> = async ({ verdict, by }) => {
    if (given.length > 0 || signal.aborted) return { reason: "already-answered" };
    const isAnswer = verdict.kind === "approve" || verdict.kind === "revise";
    const taking = isAnswer
      ? takeAnswer(submission, { verdict, by, at: options.now() })
      : Promise.resolve(verdict.kind);
    given.push(taking);
    const problem = await taking;
    if (isAnswer && problem !== null) options.tell({ type: "team.ignored", from: by.user, reason: problem });
    asked.abort();
    return problem === null ? null : { reason: "stale-request" };
  };
  await askSurface((sending) => options.person.review(request, signal, sending), { send, signal });
  return (await given[0]) === null;
}

/** False when it is no answer, or does not count. */
async function takeKept(text: string, submission: Submission, options: AwaitOptions): Promise<boolean> {
  const read = readLetter({ text });
  if ("ignored" in read || read.message.type !== "plan_approval_response") return false;
  return takeResponse(submission, read.message, options);
}

/** Every surface learns that nobody waits any more. */
export async function withdraw(
  { id }: Pick<ReviewRequest, "id">,
  why: string,
  options: Pick<AwaitOptions, "mailbox" | "team" | "now">,
): Promise<Keeping | null> {
  const { mailbox, team, now } = options;
  const timestamp = new Date(now()).toISOString();
  const closed: LetterBody = { type: "plan_approval_withdrawn", requestId: id, why, timestamp };
  return within(mailbox.snapshots.put({ team, plan: id }, JSON.stringify(closed), { expected: 1 }), patience(options));
}

/** Milliseconds for a last word, enough on a busy machine; without a connection there is nobody to hear it. */
export function patience({ mailbox }: Pick<AwaitOptions, "mailbox">): number {
  return mailbox.connection().state === "connected" ? 10_000 : 200;
}

function isAwaited({ state }: SessionHandle, { id }: ReviewRequest): boolean {
  return state.plan.awaiting?.id === id;
}
