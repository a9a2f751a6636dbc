/** The team lead's answer to a submitted plan; what does not match by id is ignored (R12.2). */
import { append } from "../chain.ts";
import type { Step } from "../effect.ts";
import type { Event } from "../event.ts";
import type { Session } from "../session.ts";
import { refuse, step, follow, withPlan } from "../step.ts";
import { recordDecision } from "./record.ts";
import { approvePlan, decisionOf, objection, rejectPlan } from "./review.ts";
import { advance } from "./calls.ts";
import { speak } from "./speak.ts";

export function leadAnswered(session: Session, event: Extract<Event, { type: "lead-answered" }>): Step {
  const request = session.plan.awaiting;
  if (request === null || request.id !== event.requestId) return refuse(session, event.type, "foreign-answer");
  const { verdict } = event;
  const problem = objection(session, request, verdict);
  if (problem !== null) return refuse(session, event.type, problem);
  const decision = decisionOf(session, request, event);
  const entry = { kind: "lead", requestId: request.id, verdict } as const;
  const answered = withPlan({ ...session, transcript: append(session.transcript, entry) }, { awaiting: null });
  switch (verdict.kind) {
    case "approve":
      return follow(approvePlan(answered, { request, text: request.plan, decision, verdict }), wake);
    case "revise":
      return wake(rejectPlan(recordDecision(answered, decision), request, verdict));
    case "save":
    case "abandon":
    case "dismiss":
      return step(session, { type: "refuse", event: event.type, reason: "nothing-to-do" });
  }
}

/** The answer reaches the model at once, or as soon as what is under way is done. */
function wake(session: Session): Step {
  return session.turn.open.length > 0 ? advance(session) : speak(session);
}
