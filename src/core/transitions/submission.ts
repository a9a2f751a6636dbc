/** A plan on its way to review: checked, recorded as a revision, frozen into a request. */
import type { Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { addRevision, staleFiles } from "../plan/ledger.ts";
import type { Outcome } from "../outcome.ts";
import { hashText, isBlank } from "../plan/hash.ts";
import { missingHeadings } from "../plan/outline.ts";
import type { ReviewRequest } from "../plan/review.ts";
import { placeComments } from "../plan/anchors.ts";
import type { ReadPlan, Session } from "../session.ts";
import type { Actor } from "../decide/situation.ts";
import { step, withPlan, withTurn } from "../step.ts";
import { askHooks, hasHooks } from "./ask-hooks.ts";
import { noPlan } from "./calls.ts";
import { choicesNow } from "./mode.ts";
import { setState, settle } from "./open-calls.ts";
import { currentRecord, updateRecord } from "./record.ts";

type PlanRead = Extract<Event, { type: "plan-read" }>;

export function submit(session: Session, event: PlanRead, next: "review" | "submit"): Step {
  const { callId, text } = event;
  if (text === null || isBlank(text)) return step(settle(session, callId, noPlan(session.plan.file)));
  const missing = session.settings.planTemplate === null ? [] : missingHeadings(text, session.settings.planTemplate);
  if (missing.length > 0 && !session.plan.sentBack) {
    return step(settle(withPlan(session, { sentBack: true }), callId, { kind: "sent-back", missing }));
  }
  if (session.plan.rejected?.hash === hashText(text)) return repeated(session, callId, text);
  if (next === "submit" && session.plan.awaiting?.plan === text)
    return step(settle(session, callId, awaiting(session)));
  const { type: _, ...rest } = event;
  const read: ReadPlan = { ...rest, text };
  if (!hasHooks(session, "plan.submitted")) return handIn(session, read, next);
  const asking = setState(session, callId, { kind: "submitting", next, read });
  return askHooks(asking, { event: "plan.submitted", callId });
}

/** Nothing speaks against it: the person, or the lead, is shown the plan. */
export function handIn(session: Session, read: ReadPlan, next: "review" | "submit"): Step {
  const { callId, text } = read;
  const stale = staleFiles(currentRecord(session)?.evidence ?? null, read.evidence?.files ?? []);
  const recorded = updateRecord(session, (now) => ({
    ...addRevision({ ...now, status: "submitted" }, text, { at: read.at, by: "model" }),
    evidence: read.evidence ?? now.evidence,
  }));
  return next === "submit"
    ? toLead(recorded, read)
    : present(recorded, { callId, plan: text, again: null, stale, changed: read.changed ?? [] });
}

/** The answer did not count, since the file changed or could not be written: what it holds now is shown (B2.1). */
export function presentAgain(
  session: Session,
  { callId, text, again, at }: { callId: string; text: string | null; again: "changed" | "write-failed"; at: number },
): Step {
  if (text === null || isBlank(text)) return step(settle(session, callId, noPlan(session.plan.file)));
  const recorded = updateRecord(session, (now) => addRevision(now, text, { at, by: "model" }));
  return present(recorded, { callId, plan: text, again, stale: [], changed: [] });
}

function present(
  session: Session,
  shown: Pick<ReviewRequest, "callId" | "plan" | "again" | "stale" | "changed">,
): Step {
  const [counted, request] = freeze(session, shown);
  const seen = withPlan(counted, { seen: shown.plan, text: shown.plan });
  return step(setState(seen, shown.callId, { kind: "reviewing", request }), { type: "request-review", request });
}

/** The lead's yes was for another text: what the file holds now goes to it instead, within the same time (B2.1). */
export function submitAgain(session: Session, before: ReviewRequest, plan: string): Step {
  const [counted, fresh] = freeze(session, { ...before, plan, again: "changed" });
  const request = before.deadline === undefined ? fresh : { ...fresh, deadline: before.deadline };
  const told = { type: "notify", notice: { key: "plan-changed-during-review" } } as const;
  return step(withPlan(counted, { awaiting: request, seen: plan }), told, { type: "submit-plan", request });
}

function toLead(session: Session, { callId, at, changed = [], text: plan }: ReadPlan): Step {
  const { actor } = session;
  const [counted, frozen] = freeze(session, { callId, plan, again: null, stale: [], changed });
  const within = actor.kind === "teammate" ? actor.answerWithin : undefined;
  const request = within === undefined ? frozen : { ...frozen, deadline: at + within };
  const sent = withPlan(counted, { awaiting: request, seen: plan });
  return step(settle(sent, callId, { kind: "submitted", requestId: request.id }), { type: "submit-plan", request });
}

/** B4.2: the same text again, although feedback is open: answered without a dialog; the third time ends the turn. */
function repeated(session: Session, callId: string, text: string): Step {
  const rejected = session.plan.rejected!;
  const times = rejected.times + 1;
  const comments = placeComments(session.plan.comments, text, session.plan.commented);
  const outcome = { kind: "unchanged", feedback: rejected.feedback, comments, times } as const;
  const settled = settle(withPlan(session, { rejected: { ...rejected, times } }), callId, outcome);
  if (times < 3) return step(settled);
  return step(withTurn(settled, { ended: true }), { type: "notify", notice: { key: "plan-repeated" } });
}

/** The lead has this very plan before it already. */
function awaiting({ plan }: Session): Outcome {
  return { kind: "denied", denial: { code: "exit-awaiting-lead", detail: plan.awaiting?.id ?? null, part: null } };
}

function freeze(
  session: Session,
  { callId, plan, again, stale, changed }: Pick<ReviewRequest, "callId" | "plan" | "again" | "stale" | "changed">,
): readonly [Session, ReviewRequest] {
  const { actor, permissions } = session;
  const reviews = session.counters.reviews + 1;
  const request: ReviewRequest = {
    id: requestId(session, reviews),
    callId,
    planFile: session.plan.file!,
    plan,
    hash: hashText(plan),
    modeRevision: permissions.revision,
    revision: currentRecord(session)?.revisions.length ?? 1,
    previous: session.plan.seen === plan ? null : session.plan.seen,
    comments: placeComments(session.plan.comments, plan, session.plan.commented),
    choices: choicesNow(session),
    again,
    stale,
    changed,
    agent: labelOf(actor),
  };
  return [{ ...session, counters: { ...session.counters, reviews } }, request];
}

/** R12.4: a request to a lead says by its id what it is and whose. */
function requestId({ id, actor }: Session, number: number): string {
  if (actor.kind !== "teammate") return `${id}-review-${number}`;
  return `plan_approval:${actor.name}@${actor.team}:${id}:${number}`;
}

/** Whose plan a request is about; null for the main agent's. */
export function labelOf(actor: Actor): string | null {
  switch (actor.kind) {
    case "main":
      return null;
    case "subagent":
      return actor.id;
    case "teammate":
      return `${actor.name}@${actor.team}`;
  }
}
