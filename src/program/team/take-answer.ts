/** An answer on its way into the session: it counts for exactly the text that was sent, and only if the file still holds it (B2.1). */
import type { Plans } from "../../agent/store/plans.ts";
import type { SessionHandle, TeamNews } from "../../agent/ports/handle.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import { editIn, verdictOf as verdictFrom, type Answerer, type Verdict } from "../../core/verdict.ts";
import { teamLead } from "../../mail/mailbox.ts";
import type { PlanApprovalResponse } from "./messages.ts";

export interface Waiting {
  readonly request: ReviewRequest;
  readonly handle: SessionHandle;
  readonly plans: Pick<Plans, "read" | "write">;
}

export interface Answer {
  readonly verdict: Verdict;
  readonly by: Answerer;
  readonly at: number;
}

/** Null when it counted; otherwise why it did not. */
export async function takeAnswer(waiting: Waiting, { verdict, by, at }: Answer): Promise<string | null> {
  const { request, handle } = waiting;
  const edit = editIn(verdict, request.plan);
  if (verdict.kind === "approve" || edit !== null) {
    const isOfOther = verdict.kind === "approve" && verdict.hash !== request.hash;
    const problem = await bringToFile(waiting, isOfOther ? null : edit, at);
    if (problem !== null) return problem;
  }
  const refused = await handle.send({ type: "lead-answered", requestId: request.id, verdict, by, at });
  if (refused !== null) return refused.reason === "closed" ? "the session is closed" : refused.reason;
  const { awaiting } = handle.state.plan;
  return verdict.kind === "approve" && awaiting !== null ? "the plan changed meanwhile: sent again" : null;
}

/** A lead's response, from its letter or from where it was kept; false when it does not count, which is told. */
export async function takeResponse(
  waiting: Waiting,
  answer: PlanApprovalResponse,
  { now, tell }: { readonly now: () => number; readonly tell: (news: TeamNews) => void },
): Promise<boolean> {
  const { requestId, by = { user: teamLead, surface: "team" } } = answer;
  const problem = await takeAnswer(waiting, { verdict: verdictOf(answer, waiting.request), by, at: now() });
  const reason = `the answer to ${requestId} does not count: ${problem}`;
  if (problem !== null) tell({ type: "team.ignored", from: teamLead, reason });
  return problem === null;
}

function verdictOf(answer: PlanApprovalResponse, request: ReviewRequest): Verdict {
  const { approve, hash = request.hash, plan } = answer;
  const kind = approve ? "approve" : "revise";
  return verdictFrom({ ...answer, kind, hash, fresh: false, plan: plan === request.plan ? undefined : plan });
}

/** The session learns what the file holds; the lead's own edit goes in only where it still holds what the lead saw. */
async function bringToFile(
  { request, handle, plans }: Waiting,
  edit: string | null,
  at: number,
): Promise<string | null> {
  const { planFile, plan } = request;
  const held = await plans.read(planFile);
  if (held !== plan) {
    await handle.send({ type: "plan-saved", text: held ?? "", by: "person", at });
    return null;
  }
  if (handle.state.plan.text !== plan) await handle.send({ type: "plan-saved", text: plan, by: "person", at });
  if (edit === null) return null;
  const { error } = await plans.write(request.callId, planFile, edit);
  if (error !== undefined) return `the lead's edit could not be written: ${error}`;
  await handle.send({ type: "plan-saved", text: edit, by: "person", at });
  return null;
}
