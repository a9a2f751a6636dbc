/** The one door out: only the text that was shown can be approved, once, by the answer to that very request (B2). */
import type { Refusal, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { addRevision, staleFiles, type Evidence, type PlanDecision } from "../plan/ledger.ts";
import { isPlanning, leavePlan, narrower, workingModeOf } from "../mode.ts";
import { hashText, isBlank } from "../plan/hash.ts";
import { placeComments, withoutAnchor } from "../plan/anchors.ts";
import { editIn, saidComments, stayOpen, wantsChange } from "../verdict.ts";
import type { ReviewRequest } from "../plan/review.ts";
import type { Answerer, ApprovalVerdict, PlacedComment, RevisionVerdict, Verdict } from "../verdict.ts";
import { emptyPlan, type CallState, type GivenVerdict, type Session } from "../session.ts";
import { ceilingOf } from "../decide/situation.ts";
import { refuse, refuseLate, step, follow, withNotices, withPlan, withTurn } from "../step.ts";
import { hasHooks } from "./ask-hooks.ts";
import { advance } from "./calls.ts";
import { autoPolicy, exitMode, leaveBy } from "./mode.ts";
import { setState, settle } from "./open-calls.ts";
import { seeding, seedTodos, todoNews } from "./progress.ts";
import { currentRecord, recordDecision, updateRecord } from "./record.ts";
import { presentAgain, submit } from "./submission.ts";

type Decided = Extract<Event, { type: "review-decided" }>;
type Underway = Extract<CallState, { kind: "confirming" | "writing-plan" }>;

export function reviewDecided(session: Session, event: Decided): Step {
  const state = stateOfRequest(session, event.requestId);
  if (state === null) return refuseLate(session, event.type, { id: event.requestId, unknown: "unknown-request" });
  if (state.kind !== "reviewing") return refuse(session, event.type, "already-answered", state.given.by);
  const { request } = state;
  const { verdict, by, at } = event;
  const problem = objection(session, request, verdict);
  if (problem !== null) return refuse(session, event.type, problem);
  if (verdict.kind === "approve" || (verdict.kind === "revise" && editIn(verdict, request.plan) !== null)) {
    const given: GivenVerdict = { verdict, by, at };
    const confirming = setState(session, request.callId, { kind: "confirming", request, given });
    return step(confirming, { type: "read-plan", callId: request.callId, file: request.planFile });
  }
  return follow(notApproved(session, request, { verdict, by, at }), advance);
}

/** The plan's text has come: for a submission, or to confirm that it is still what was shown. */
export function planRead(session: Session, event: Extract<Event, { type: "plan-read" }>): Step {
  const state = stateOfCall(session, event.callId);
  if (state?.kind === "reading-plan") {
    return follow(submit(withPlan(session, { text: event.text }), event, state.next), advance);
  }
  if (state?.kind !== "confirming") return refuse(session, event.type, "unknown-call");
  const { request, given } = state;
  if (event.text === null || hashText(event.text) !== request.hash) {
    const closed = closeChanged(session, request);
    const shown = { callId: event.callId, text: event.text, again: "changed", at: event.at } as const;
    if (hasHooks(session, "plan.submitted"))
      return follow(closed, (now) => follow(submit(withPlan(now, { text: event.text }), event, "review"), advance));
    return follow(closed, (now) => follow(presentAgain(now, shown), advance));
  }
  const told = given.verdict.kind === "approve" ? noteStale(session, event.evidence) : step(session);
  const text = editIn(given.verdict, request.plan);
  if (text === null) return follow(told, (now) => follow(conclude(now, state, request.plan), advance));
  const writing = setState(session, request.callId, { kind: "writing-plan", request, given });
  const write = { type: "write-plan", callId: request.callId, file: request.planFile, text } as const;
  return follow(told, () => step(writing, write));
}

/** B5.5: which of the files that the plan names changed since it was submitted. */
function noteStale(session: Session, evidence: Evidence | undefined): Step {
  const files = staleFiles(currentRecord(session)?.evidence ?? null, evidence?.files ?? []);
  return files.length === 0
    ? step(session)
    : step(session, { type: "notify", notice: { key: "plan-files-changed", files } });
}

export function planWritten(session: Session, event: Extract<Event, { type: "plan-written" }>): Step {
  const state = stateOfCall(session, event.callId);
  if (state?.kind !== "writing-plan") return refuse(session, event.type, "unknown-call");
  const { request, given } = state;
  const edited = given.verdict.plan ?? request.plan;
  if (event.error === undefined) return follow(conclude(session, state, edited), advance);
  const told = step(
    session,
    { type: "notify", notice: { key: "plan-write-failed", error: event.error } },
    { type: "close-review", requestId: request.id, by: null },
  );
  const shown = { callId: request.callId, text: request.plan, again: "write-failed", at: given.at } as const;
  return follow(told, (now) => presentAgain(now, shown));
}

/** What speaks against this answer counting for this request. */
export function objection(session: Session, request: ReviewRequest, verdict: Verdict): Refusal | null {
  const { permissions, actor } = session;
  if (!isPlanning(permissions)) return "not-planning";
  if (request.modeRevision !== permissions.revision) return "stale-mode";
  if (isBlank(editIn(verdict, request.plan) ?? request.plan)) return "empty-plan";
  if (verdict.kind !== "approve") return null;
  if (verdict.hash !== request.hash) return "other-hash";
  if (verdict.mode === "bypassPermissions" && !permissions.bypassAvailable) return "mode-not-available";
  const ceiling = ceilingOf(actor);
  if (ceiling === null || verdict.mode === undefined) return null;
  return narrower(verdict.mode, ceiling) === verdict.mode ? null : "mode-not-available";
}

/** Ends planning with an approval: the plan is let go of, its bytes never change again (B5.1). */
export function approvePlan(session: Session, { request, text, decision, verdict }: ApprovedPlan): Step {
  const file = request.planFile;
  const to = exitMode(session, verdict.mode);
  const edited =
    text === request.plan
      ? session
      : updateRecord(session, (record) => addRevision(record, text, { at: decision.at, by: "person" }));
  const { mode } = leavePlan(session.permissions, autoPolicy(session), to).permissions;
  const recorded = recordDecision(edited, { ...decision, hash: hashText(text), mode: mode.current });
  const approved = { file, text, hash: hashText(text) };
  const todos = verdict.fresh === true ? recorded.todos : seedTodos(recorded.todos, text);
  const released = {
    ...withNotices(recorded, { outside: { told: 0, untold: [] } }),
    todos,
    outsidePlan: [],
    outsideEdits: [],
    plan: { ...emptyPlan, previous: file, approved },
  };
  const news = verdict.fresh === true ? [] : todoNews(recorded.todos, text);
  return follow(step(released, ...news), (now) => leaveBy(now, { to, leaving: { approved: true, file, text } }));
}

interface ApprovedPlan {
  readonly request: ReviewRequest;
  readonly text: string;
  readonly decision: PlanDecision;
  readonly verdict: ApprovalVerdict;
}

/** Rejected: stays in plan mode, the feedback and open comments are kept for the next revision (B3.2, B3.3). */
export function rejectPlan(session: Session, request: ReviewRequest, verdict: RevisionVerdict): Session {
  const commented = editIn(verdict, request.plan) ?? request.plan;
  const comments = stayOpen(saidOn(session, verdict, commented)).map(withoutAnchor);
  const rejected = wantsChange(verdict) ? { hash: request.hash, feedback: verdict.feedback, times: 1 } : null;
  return withPlan(session, { comments, commented, rejected });
}

/** What a verdict leaves said, where it stands in the text that was decided on. */
function saidOn({ plan }: Session, verdict: RevisionVerdict, text: string): readonly PlacedComment[] {
  const earlier = placeComments(plan.comments, text, plan.commented);
  return saidComments(earlier, placeComments(verdict.comments ?? [], text, text), verdict.resolved);
}

export function decisionOf(
  session: Session,
  request: ReviewRequest,
  { verdict, by, at }: { readonly verdict: Verdict; readonly by: Answerer; readonly at: number },
): PlanDecision {
  return { kind: verdict.kind, by, at, hash: request.hash, mode: session.permissions.mode.current };
}

/** The file holds the text that the verdict is about. */
function conclude(session: Session, { request, given }: Underway, text: string): Step {
  const { verdict, by, at } = given;
  if (verdict.kind === "approve") return approve(session, { request, verdict, by, at, text });
  const written = updateRecord(withPlan(session, { text }), (record) =>
    addRevision(record, text, { at, by: "person" }),
  );
  return notApproved(written, { ...request, plan: text }, { verdict, by, at });
}

interface ApprovedRequest {
  readonly request: ReviewRequest;
  readonly verdict: ApprovalVerdict;
  readonly by: Answerer;
  readonly at: number;
  readonly text: string;
}

function approve(session: Session, { request, verdict, by, at, text }: ApprovedRequest): Step {
  const fresh = verdict.fresh === true;
  const notes = verdict.notes?.trim() ? verdict.notes : null;
  const said = verdict.comments === undefined ? {} : { comments: placeComments(verdict.comments, text, text) };
  const edited = text !== request.plan;
  const { steps, together } = seeding(session.todos, text);
  const seeded = fresh || steps.length === 0 ? {} : { seeded: steps.length, ...(together === 0 ? {} : { together }) };
  const { planFile: file } = request;
  const outcome = { kind: "approved", plan: text, file, edited, notes, fresh, ...said, ...seeded } as const;
  const settled = settle(session, request.callId, outcome);
  const decision = decisionOf(session, request, { verdict, by, at });
  const approved = approvePlan(fresh ? withTurn(settled, { ended: true }) : settled, {
    request,
    text,
    decision,
    verdict,
  });
  const closed: Step = {
    ...approved,
    effects: [{ type: "close-review", requestId: request.id, by }, ...approved.effects],
  };
  if (!fresh) return closed;
  const mode = workingModeOf(closed.session.permissions);
  const due = { planFile: file, plan: text, mode, notes, ...said };
  return follow(closed, (now) =>
    step({ ...now, links: { ...now.links, due } }, { type: "start-linked-session", ...due }),
  );
}

function notApproved(session: Session, request: ReviewRequest, given: NoApproval): Step {
  const closed = step(session, { type: "close-review", requestId: request.id, by: given.by });
  return follow(closed, (now) =>
    settleUnapproved(recordDecision(now, decisionOf(session, request, given)), request, given),
  );
}

interface NoApproval extends Omit<GivenVerdict, "verdict"> {
  readonly verdict: Exclude<Verdict, ApprovalVerdict>;
}

function settleUnapproved(session: Session, request: ReviewRequest, { verdict }: NoApproval): Step {
  const { callId } = request;
  switch (verdict.kind) {
    case "revise": {
      const comments = saidOn(session, verdict, request.plan);
      const outcome = { kind: "revise", feedback: verdict.feedback, comments } as const;
      return step(settle(rejectPlan(session, request, verdict), callId, outcome));
    }
    case "save": {
      const settled = settle(session, callId, { kind: "saved" });
      const { file: previous, approved } = session.plan;
      return leaveUnapproved({ ...settled, plan: { ...emptyPlan, previous, approved } }, session);
    }
    case "abandon": {
      const settled = settle(session, callId, { kind: "abandoned" });
      const { previous, approved } = session.plan;
      return leaveUnapproved({ ...settled, plan: { ...emptyPlan, previous, approved } }, session);
    }
    case "dismiss":
      return step(withTurn(settle(session, callId, { kind: "dismissed" }), { ended: true }));
  }
}

function leaveUnapproved(session: Session, { plan }: Session): Step {
  const leaving = { approved: false, file: plan.file, text: plan.text };
  return leaveBy(withTurn(session, { ended: true }), { leaving });
}

function closeChanged(session: Session, { id }: ReviewRequest): Step {
  return step(
    session,
    { type: "close-review", requestId: id, by: null },
    { type: "notify", notice: { key: "plan-changed-during-review" } },
  );
}

function stateOfCall(session: Session, callId: string): CallState | null {
  return session.turn.open.find(({ call }) => call.id === callId)?.state ?? null;
}

function stateOfRequest(
  session: Session,
  requestId: string,
): Extract<CallState, { readonly request: ReviewRequest }> | null {
  for (const { state } of session.turn.open) if ("request" in state && state.request.id === requestId) return state;
  return null;
}
