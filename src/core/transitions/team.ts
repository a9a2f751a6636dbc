/** The team lead's answer to a submitted plan; what does not match by id is ignored (R12.2). */
import { append } from "../chain.ts";
import type { Refusal, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { addRevision } from "../plan/ledger.ts";
import { isBlank } from "../plan/hash.ts";
import type { ReviewRequest } from "../plan/review.ts";
import { mostAnswered, type Session } from "../session.ts";
import { isHeld } from "../decide/situation.ts";
import { refuse, step, follow, withPlan, withTurn } from "../step.ts";
import { editIn, type Verdict } from "../verdict.ts";
import { hasHooks } from "./ask-hooks.ts";
import { resume } from "./calls.ts";
import { recordDecision, updateRecord } from "./record.ts";
import { approvePlan, decisionOf, objection, rejectPlan } from "./review.ts";
import { submitAgain } from "./submission.ts";

type LeadAnswered = Extract<Event, { type: "lead-answered" }>;
type LeadVerdict = Pick<LeadAnswered, "verdict" | "by" | "at">;

export function leadAnswered(session: Session, event: LeadAnswered): Step {
  const request = session.plan.awaiting;
  if (request === null || request.id !== event.requestId) return refuse(session, event.type, "foreign-answer");
  const { answering, text } = session.plan;
  if (answering !== null) return refuse(session, event.type, "already-answered", answering.by);
  const { verdict, by, at } = event;
  const problem = leadObjection(session, request, verdict);
  if (problem !== null) return refuse(session, event.type, problem);
  const edit = editIn(verdict, request.plan);
  if ((verdict.kind === "approve" || verdict.kind === "revise") && edit !== null && text === request.plan) {
    const write = { type: "write-plan", callId: request.callId, file: request.planFile, text: edit } as const;
    return step(withPlan(session, { answering: { verdict, by, at } }), write);
  }
  if (verdict.kind === "approve" && text !== (verdict.plan ?? request.plan)) return changedMeanwhile(session, event);
  return conclude(session, request, { verdict, by, at });
}

/** The file holds the lead's edit; where it could not be written, or nothing may be granted now, the request stands. */
export function leadEditWritten(session: Session, event: Extract<Event, { type: "plan-written" }>): Step {
  const { awaiting: request, answering: given } = session.plan;
  if (request === null || given === null || request.callId !== event.callId)
    return refuse(session, event.type, "unknown-call");
  const open = withPlan(session, { answering: null });
  if (event.error !== undefined)
    return step(open, { type: "notify", notice: { key: "plan-write-failed", error: event.error } });
  const text = given.verdict.plan ?? request.plan;
  const written = updateRecord(withPlan(open, { text }), (record) =>
    addRevision(record, text, { at: given.at, by: "person" }),
  );
  return leadObjection(written, request, given.verdict) === null ? conclude(written, request, given) : step(written);
}

function leadObjection(session: Session, request: ReviewRequest, verdict: Verdict): Refusal | null {
  if (verdict.kind === "approve" && isHeld(session.actor)) return "mode-not-available";
  return objection(session, request, verdict);
}

function conclude(session: Session, request: ReviewRequest, given: LeadVerdict): Step {
  const { verdict } = given;
  const decision = decisionOf(session, request, given);
  const entry = { kind: "lead", requestId: request.id, verdict } as const;
  const known = [...session.answered, { id: request.id, by: given.by }].slice(-mostAnswered);
  const heard = { ...session, answered: known, transcript: append(session.transcript, entry) };
  const answered = withPlan(heard, { awaiting: null });
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
      return refuse(session, "lead-answered", "nothing-to-do");
  }
}

/** What the lead saw is not what the file holds any more: the answer does not count (B2.1). Hooks hear of the new text only when it is handed in again. */
function changedMeanwhile(session: Session, event: LeadAnswered): Step {
  const { text, awaiting } = session.plan;
  const isUnheard = hasHooks(session, "plan.submitted");
  if (text === null || isBlank(text) || awaiting === null || isUnheard)
    return refuse(session, event.type, "other-hash");
  const recorded = updateRecord(session, (record) => addRevision(record, text, { at: event.at, by: "model" }));
  return submitAgain(recorded, awaiting, text);
}

/** The teammate hears the answer as soon as nothing is in its way. */
function wake(session: Session): Step {
  return step(withTurn(session, { due: true, ended: false }));
}
