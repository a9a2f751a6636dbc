/** An answer on its way into the session: it counts for exactly the text that was sent, and only if the file still holds it (B2.1). */
import type { Submission } from "../../agent/loop/agent.ts";
import type { Happening, TeamNews } from "../../agent/ports/handle.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import { editIn, verdictOf as verdictFrom, type Answerer, type Verdict } from "../../core/verdict.ts";
import type { Session } from "../../core/session.ts";
import { teamLead, type Mailbox } from "../../mail/mailbox.ts";
import { readLetter, type PlanApprovalResponse } from "./messages.ts";

export interface Answer {
  readonly verdict: Verdict;
  readonly by: Answerer;
  readonly at: number;
}

/** Who answers where the letter does not say it. */
const leadItself: Answerer = { user: teamLead, surface: "team" };

/** Null when it counted; otherwise why it did not. */
export async function takeAnswer(waiting: Submission, { verdict, by, at }: Answer): Promise<string | null> {
  const { request, handle, plans } = waiting;
  if (verdict.kind === "approve" || editIn(verdict, request.plan) !== null) {
    const held = await plans.read(request.planFile);
    const { text, awaiting, answering } = handle.state.plan;
    const isOpen = awaiting?.id === request.id && answering === null;
    if (isOpen && held !== text) await handle.send({ type: "plan-saved", text: held ?? "", by: "person", at });
  }
  const refused = await handle.send({ type: "lead-answered", requestId: request.id, verdict, by, at });
  /** The edit that came with the answer that was taken is in the file, or could not be brought there. */
  await untilSo(waiting, (happening) => happening?.kind === "halted" || handle.state.plan.answering === null);
  if (refused !== null) return refused.reason === "closed" ? "the session is closed" : refused.reason;
  const { awaiting } = handle.state.plan;
  if (awaiting === null) return null;
  return awaiting.id === request.id
    ? "its edit is not in the file, or nothing can be granted now"
    : "the plan changed meanwhile: sent again";
}

interface Taking {
  readonly mailbox: Pick<Mailbox, "snapshots">;
  readonly team: string;
  readonly now: () => number;
  readonly tell: (news: TeamNews) => void;
}

/**
 * A lead's response, from its letter or from where it was kept; false when it does not count, which is told. Both may be on
 * their way at once: the second of them is the answer that counted.
 */
export async function takeResponse(
  waiting: Submission,
  answer: PlanApprovalResponse,
  taking: Taking,
): Promise<boolean> {
  const { requestId, by = leadItself } = answer;
  const problem = await takeAnswer(waiting, { verdict: verdictOf(answer, waiting.request), by, at: taking.now() });
  if (problem === null || (await hasCounted(answer, waiting.handle.state, taking))) return true;
  const reason = `the answer to ${requestId} does not count: ${problem}`;
  taking.tell({ type: "team.ignored", from: teamLead, reason });
  return false;
}

/** Whether it is the very answer that was taken already, from its letter or from where it is kept. */
export async function hasCounted(
  answer: PlanApprovalResponse,
  { answered }: Pick<Session, "answered">,
  { mailbox, team }: Pick<Taking, "mailbox" | "team">,
): Promise<boolean> {
  const { requestId, by = leadItself } = answer;
  const taken = answered.findLast(({ id }) => id === requestId)?.by;
  if (taken?.user !== by.user || taken.surface !== by.surface) return false;
  const kept = await mailbox.snapshots.get({ team, plan: requestId }).catch(() => null);
  const read = readLetter({ text: kept?.text ?? "" });
  return "message" in read && JSON.stringify(read.message) === JSON.stringify(answer);
}

function verdictOf(answer: PlanApprovalResponse, request: ReviewRequest): Verdict {
  const { approve, hash = request.hash, plan } = answer;
  const kind = approve ? "approve" : "revise";
  return verdictFrom({ ...answer, kind, hash, fresh: false, plan: plan === request.plan ? undefined : plan });
}

/** Resolves at the first happening after which that is so, or when the session is closed. */
export function untilSo({ handle, signal }: Submission, isSo: (happening?: Happening) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || isSo()) return resolve();
    const stop = handle.subscribe((happening) => {
      if (!signal.aborted && !isSo(happening)) return;
      stop();
      resolve();
    });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
