/** The team lead's answer to a submitted plan; what does not match by id is ignored (R12.2). */
import { append } from "../chain.ts";
import type { Step } from "../effect.ts";
import type { Event } from "../event.ts";
import type { ReviewRequest, Verdict } from "../review.ts";
import type { Session } from "../session.ts";
import { refuse, step, follow, withPlan, withTurn } from "../step.ts";
import { resume } from "./calls.ts";
import { recordDecision } from "./record.ts";
import { approvePlan, decisionOf, objection, rejectPlan } from "./review.ts";

export function leadAnswered(session: Session, event: Extract<Event, { type: "lead-answered" }>): Step {
  const request = session.plan.awaiting;
  if (request === null || request.id !== event.requestId) return refuse(session, event.type, "foreign-answer");
  const { verdict } = event;
  const problem = objection(session, request, verdict) ?? changed(session, request, verdict);
  if (problem !== null) return refuse(session, event.type, problem);
  const decision = decisionOf(session, request, event);
  const entry = { kind: "lead", requestId: request.id, verdict } as const;
  const answered = withPlan({ ...session, transcript: append(session.transcript, entry) }, { awaiting: null });
  switch (verdict.kind) {
    case "approve":
      return resume(session, follow(approvePlan(answered, { request, text: request.plan, decision, verdict }), wake));
    case "revise":
      return resume(session, wake(rejectPlan(recordDecision(answered, decision), request, verdict)));
    case "save":
    case "abandon":
    case "dismiss":
      return step(session, { type: "refuse", event: event.type, reason: "nothing-to-do" });
  }
}

/** What the lead saw is not what the file holds any more (B2.1). */
function changed({ plan }: Session, request: ReviewRequest, verdict: Verdict): "other-hash" | null {
  return verdict.kind === "approve" && plan.text !== request.plan ? "other-hash" : null;
}

/** The teammate hears the answer as soon as nothing is in its way. */
function wake(session: Session): Step {
  return step(withTurn(session, { due: true, ended: false }));
}
