/** The team lead's answer to a submitted plan; what does not match by id is ignored (R12.2). */
import { append } from "../chain.ts";
import type { Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { addRevision } from "../plan/ledger.ts";
import { isBlank } from "../plan/hash.ts";
import type { Session } from "../session.ts";
import { isHeld } from "../decide/situation.ts";
import { refuse, step, follow, withPlan, withTurn } from "../step.ts";
import { resume } from "./calls.ts";
import { recordDecision, updateRecord } from "./record.ts";
import { approvePlan, decisionOf, objection, rejectPlan } from "./review.ts";
import { submitAgain } from "./submission.ts";

type LeadAnswered = Extract<Event, { type: "lead-answered" }>;

export function leadAnswered(session: Session, event: LeadAnswered): Step {
  const request = session.plan.awaiting;
  if (request === null || request.id !== event.requestId) return refuse(session, event.type, "foreign-answer");
  const { verdict } = event;
  const problem = objection(session, request, verdict);
  if (problem !== null) return refuse(session, event.type, problem);
  if (verdict.kind === "approve" && isHeld(session.actor)) return refuse(session, event.type, "mode-not-available");
  if (verdict.kind === "approve" && session.plan.text !== (verdict.plan ?? request.plan))
    return changedMeanwhile(session, event);
  const decision = decisionOf(session, request, event);
  const entry = { kind: "lead", requestId: request.id, verdict } as const;
  const answered = withPlan({ ...session, transcript: append(session.transcript, entry) }, { awaiting: null });
  switch (verdict.kind) {
    case "approve": {
      const text = verdict.plan ?? request.plan;
      return resume(session, follow(approvePlan(answered, { request, text, decision, verdict }), wake));
    }
    case "revise":
      return resume(session, wake(rejectPlan(recordDecision(answered, decision), request, verdict)));
    /** Nobody will answer any more: still planning, and nobody is woken. */
    case "dismiss":
      return step(recordDecision(answered, decision));
    case "save":
    case "abandon":
      return refuse(session, event.type, "nothing-to-do");
  }
}

/** What the lead saw is not what the file holds any more: the answer does not count (B2.1). */
function changedMeanwhile(session: Session, event: LeadAnswered): Step {
  const { text, awaiting } = session.plan;
  if (text === null || isBlank(text) || awaiting === null) return refuse(session, event.type, "other-hash");
  const recorded = updateRecord(session, (record) => addRevision(record, text, { at: event.at, by: "model" }));
  return submitAgain(recorded, awaiting, text);
}

/** The teammate hears the answer as soon as nothing is in its way. */
function wake(session: Session): Step {
  return step(withTurn(session, { due: true, ended: false }));
}
