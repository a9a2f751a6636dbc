/** Beginning, resuming, forking and clearing: what survives, and what is given to the model again (section 14). */
import { isRepeatable } from "../decide/access.ts";
import { chain } from "../chain.ts";
import type { Effect, Step } from "../effect.ts";
import type { Event, SessionStarted } from "../event.ts";
import { isSettled, openRecord, type PlanOrigin, type PlanRecord } from "../plan/ledger.ts";
import { chooseMode, enterPlan, narrower } from "../mode.ts";
import { hashText } from "../plan/hash.ts";
import { isPlanPath } from "../plan/location.ts";
import type { WaitingHooks } from "../hooks.ts";
import { emptyPlan, freshSession, isBusy, type OpenCall, type Session } from "../session.ts";
import { ceilingOf, isHeld } from "../decide/situation.ts";
import { refuse, step, follow, withNotices, withPlan, withTurn } from "../step.ts";
import { beginHooks, withHooks } from "./ask-hooks.ts";
import { resume } from "./calls.ts";
import { autoPolicy } from "./mode.ts";
import { setState, settle } from "./open-calls.ts";
import { withoutPoints } from "./points.ts";
import { updateRecord } from "./record.ts";
import { seedTodos, todoNews } from "./progress.ts";
import { speakAgain, speakIfDue } from "./speak.ts";
import { applyToday, isAskedStill, partOpenCalls } from "./today.ts";
import { userSaid } from "./turn.ts";

export function sessionStarted(session: Session, event: Extract<Event, { type: "session-started" }>): Step {
  if (session.id !== "") return refuse(session, event.type, "already-started");
  const { id, actor, roots, opening = "", reviewable, settings, bypassAvailable, runners, plan, linked, taken } = event;
  const { allow, ask, deny, session: given = [] } = event.rules;
  const ofSession = given.length === 0 ? {} : { session: given };
  const { optedIn, gateOpen } = event.auto;
  const agentId = actor.kind === "subagent" ? actor.id : undefined;
  if (plan !== undefined && !isPlanPath(plan.file, plan.slug, agentId)) return refuse(session, event.type, "plan-path");
  if (taken !== undefined && !isPlanPath(taken.file, taken.slug)) return refuse(session, event.type, "plan-path");
  const fresh = freshSession();
  const started: Session = {
    ...fresh,
    id,
    actor,
    roots,
    ...(event.source === undefined ? {} : { source: event.source }),
    opening,
    reviewable,
    settings: { ...fresh.settings, ...settings },
    permissions: {
      ...fresh.permissions,
      bypassAvailable,
      rules: { allow, ask, deny, ...ofSession, runners, stripped: false },
    },
    auto: { ...fresh.auto, optedIn, gateOpen },
    plan: plan === undefined ? emptyPlan : { ...emptyPlan, slug: plan.slug, file: plan.file, claim: "held" },
  };
  const told = linked === undefined ? started : carryOut(started, linked);
  const scoped = event.approved === undefined ? told : withPlan(told, { approved: approvedPlan(event.approved) });
  const opened = plan === undefined ? scoped : openPlan(scoped, plan.file, { branch: null, commit: null });
  const begun = taken === undefined ? opened : takeUp(opened, taken);
  const news = linked === undefined ? [] : todoNews([], linked.text);
  const source = linked === undefined ? "startup" : "clear";
  return follow(step(begun, ...news), (now) => follow(startIn(now, event), (at) => beginHooks(at, source)));
}

/** The plan of another session is the one that is carried out here; its bytes never change (B5.1, B6.4). */
function carryOut(session: Session, { from, file, text, record }: NonNullable<SessionStarted["linked"]>): Session {
  const carried = record === undefined ? [] : [carriedOut(record, session.id)];
  return {
    ...withPlan(session, { previous: file, approved: approvedPlan({ file, text }) }),
    links: { ...session.links, from },
    plans: carried,
    todos: seedTodos(session.todos, text),
  };
}

/** A copy in a file of its own. What was decided elsewhere is its history; an approval counts only where it was given. */
function takeUp(
  session: Session,
  { slug, file, text, record, comments }: NonNullable<SessionStarted["taken"]>,
): Session {
  const opened = openPlan(
    withPlan(session, { slug, file, claim: "held", text, comments, commented: text }),
    file,
    record.origin,
  );
  const decisions = record.decisions.filter((decision) => !isSettled({ decisions: [decision] }));
  const status = decisions.at(-1)?.kind === "revise" ? "rejected" : "draft";
  const { evidence } = record;
  return updateRecord(opened, (own) => ({ ...forkRecord(own, record), decisions, status, evidence }));
}

function approvedPlan({ file, text }: { readonly file: string; readonly text: string }) {
  return { file, text, hash: hashText(text) };
}

function carriedOut(record: PlanRecord, session: string): PlanRecord {
  return { ...record, status: "executing", lineage: { ...record.lineage, carriedOutIn: session } };
}

/** The link stands in both logs. */
export function sessionLinked(session: Session, event: Extract<Event, { type: "session-linked" }>): Step {
  if (session.links.due === null) return refuse(session, event.type, "nothing-to-do");
  const { planFile } = session.links.due;
  const plans = session.plans.map((record) => (record.file === planFile ? carriedOut(record, event.id) : record));
  return step({ ...session, plans, links: { ...session.links, to: event.id, due: null } });
}

export function planClaimed(session: Session, event: Extract<Event, { type: "plan-claimed" }>): Step {
  if (session.plan.claim !== "pending") return refuse(session, event.type, "no-claim-pending");
  if (session.plans.some((record) => record.file === event.file)) return refuse(session, event.type, "plan-path");
  const { slug, file, origin } = event;
  if (!isPlanPath(file, slug)) return refuse(session, event.type, "plan-path");
  const claimed = openPlan(withPlan(session, { claim: "held", slug, file }), file, origin);
  return speakIfDue(claimed);
}

function openPlan(session: Session, file: string, origin: PlanOrigin): Session {
  const plans = session.counters.plans + 1;
  const { id, roots } = session;
  const previous = session.plans.findLast((plan) => plan.file === session.plan.previous)?.id ?? null;
  const source = session.source === undefined ? {} : { source: session.source };
  const named = { id: `${id}-plan-${plans}`, file, session: id, project: roots.project };
  const record = openRecord({ ...named, origin, previous, ...source });
  return { ...session, plans: [...session.plans, record], counters: { ...session.counters, plans } };
}

/** Plan mode stays on, and without a file nothing at all may be written (R8.7). */
export function planClaimFailed(session: Session, event: Extract<Event, { type: "plan-claim-failed" }>): Step {
  if (session.plan.claim !== "pending") return refuse(session, event.type, "no-claim-pending");
  const told = step(withPlan(session, { claim: "failed" }), {
    type: "notify",
    notice: { key: "plan-file-unavailable", error: event.error },
  });
  return follow(told, speakIfDue);
}

/** What was open when the process died: reads run again, questions and reviews come back, the rest may have run (R14.6). */
export function sessionResumed(session: Session, event: Extract<Event, { type: "session-resumed" }>): Step {
  const before = withoutSessionRules(session);
  const begun = event.today === undefined ? step(before) : applyToday(before, event.today);
  return follow(begun, (now) =>
    follow(beginHooks(withHooks(now, { waiting: [] }), "resume"), (at) => goOn(at, event, now.hooks.waiting)),
  );
}

/** What was allowed for a session's run ends with it: a log never brings permissions (B1.15, B18.2). */
function withoutSessionRules(session: Session): Session {
  const { session: _, ...rules } = session.permissions.rules;
  return { ...session, permissions: { ...session.permissions, rules } };
}

function goOn(
  session: Session,
  event: Extract<Event, { type: "session-resumed" }>,
  asked: readonly WaitingHooks[],
): Step {
  const wasThinking = session.turn.thinking !== null;
  const restored = withPlan(withNotices(session, { reminders: 0, turnsSinceReminder: 0 }), {
    text: session.plan.file === null ? session.plan.text : (event.plan ?? session.plan.text),
    claim: session.plan.claim === "failed" ? "none" : session.plan.claim,
    answering: null,
  });
  const { compaction } = session.turn;
  const idle = withTurn(restored, {
    thinking: null,
    due: session.turn.due || wasThinking,
    compaction: compaction === null ? null : { ...compaction, state: "due" },
    open: session.turn.open.map(unheard),
  });
  const effects: Effect[] =
    idle.plan.claim === "pending" ? [{ type: "claim-plan", task: idle.turn.queued.at(-1) ?? null }] : [];
  if (session.plan.awaiting !== null) effects.push({ type: "submit-plan", request: session.plan.awaiting });
  if (session.links.due !== null) effects.push({ type: "start-linked-session", ...session.links.due });
  const { stale = [] } = event;
  if (stale.length > 0) effects.push({ type: "notify", notice: { key: "plan-files-changed", files: stale } });
  const reopened = idle.turn.open.reduce(
    (sofar, open) => follow(sofar, (now) => reopen(now, open)),
    step(idle, ...effects),
  );
  const resumed = wasThinking ? follow(reopened, speakAgain) : resume(session, reopened);
  return follow(resumed, (now) => sayAgain(now, asked));
}

/** What hooks said of a call that has not begun was said then: those of today are asked. */
function unheard({ call, state }: OpenCall): OpenCall {
  if (state.kind === "running" || state.kind === "finishing") return { call, state };
  const { hook: _, ...rest } = call;
  return { call: rest, state };
}

/** Words that the process died over, with a hook still looking at them. */
function sayAgain(session: Session, asked: readonly WaitingHooks[]): Step {
  return asked.reduce(
    (sofar, { occasion }) =>
      occasion.event === "UserPromptSubmit" ? follow(sofar, (now) => userSaid(now, occasion.prompt)) : sofar,
    step(session),
  );
}

/** Another session from here on: a plan file of its own, or none yet; what was open stays the parent's (R14.3, R3.7). */
export function sessionForked(session: Session, event: Extract<Event, { type: "session-forked" }>): Step {
  const { id, slug, file } = event;
  const links = { ...session.links, due: null };
  const parted: Session = {
    ...withNotices(partOpenCalls(withoutSessionRules(session)), { reminders: 0, turnsSinceReminder: 0 }),
    ...withoutPoints,
    id,
    links,
  };
  if (slug === null && file === null) {
    const { previous, approved } = session.plan;
    return step({ ...parted, plan: { ...emptyPlan, previous, approved } });
  }
  if (slug === null || file === null || !isPlanPath(file, slug) || file === session.plan.file) {
    return refuse(session, event.type, "plan-path");
  }
  const plans = session.counters.plans + 1;
  const parent = session.plans.findLast((record) => record.file === session.plan.file);
  const origin = parent?.origin ?? { branch: null, commit: null };
  const opened = openRecord({ id: `${id}-plan-${plans}`, file, session: id, project: session.roots.project, origin });
  const record = parent === undefined ? opened : forkRecord(opened, parent);
  return step({
    ...withPlan(parted, { slug, file, claim: "held", awaiting: null, answering: null }),
    plans: [...parted.plans, record],
    counters: { ...parted.counters, plans },
  });
}

function forkRecord(opened: PlanRecord, { id, title, revisions, lineage }: PlanRecord): PlanRecord {
  const { previous } = lineage;
  return { ...opened, title, revisions, lineage: { ...opened.lineage, previous, forkedFrom: id } };
}

/** `/clear`: the conversation and the plan's name are let go of, the mode stays. */
export function contextCleared(session: Session): Step {
  if (isBusy(session.turn)) return refuse(session, "context-cleared", "busy");
  const cleared: Session = { ...session, transcript: chain(), plan: emptyPlan, todos: [] };
  const notices = { ...freshSession().notices, autoExitDue: session.notices.autoExitDue };
  const turn = { ...session.turn, queued: [], due: false, ended: false, compaction: null };
  return beginHooks(withHooks({ ...cleared, notices, turn }, { waiting: [], heard: [] }), "clear");
}

/** A teammate that must plan, and the child of a planning parent, start in plan mode whatever was asked for (R12.1, B1.7). */
function startIn(session: Session, event: Extract<Event, { type: "session-started" }>): Step {
  const { actor } = session;
  const auto = autoPolicy(session);
  const mustPlan = isHeld(actor) || (actor.kind === "teammate" && actor.planRequired);
  const wanted = event.mode === "plan" ? (event.returnTo ?? "default") : event.mode;
  const ceiling = ceilingOf(actor);
  const base = ceiling === null ? wanted : narrower(wanted, ceiling);
  const worked = chooseMode(session.permissions, base, auto);
  const told: Effect[] =
    typeof worked === "string" ? [{ type: "notify", notice: { key: "mode-refused", mode: base, reason: worked } }] : [];
  const working = typeof worked === "string" ? session.permissions : worked.permissions;
  const permissions = event.mode === "plan" || mustPlan ? enterPlan(working, auto).permissions : working;
  return step({ ...session, permissions }, ...told);
}

function reopen(session: Session, { call, state }: OpenCall): Step {
  const file = session.plan.file;
  switch (state.kind) {
    case "waiting":
      return step(session);
    case "hooking":
      return step(setState(session, call.id, { kind: "waiting" }));
    case "finishing":
      return step(settle(session, call.id, { kind: "ran", output: state.output, isError: false }));
    case "asking": {
      if (!isAskedStill(session, { call, state })) return step(setState(session, call.id, { kind: "waiting" }));
      const { questionId, question } = state;
      return step(session, {
        type: "ask-permission",
        questionId,
        call,
        question,
        modeRevision: session.permissions.revision,
      });
    }
    case "classifying":
      if (!isAskedStill(session, { call, state })) return step(setState(session, call.id, { kind: "waiting" }));
      return step(session, { type: "classify", questionId: state.questionId, call, question: state.question });
    case "questioning":
      return step(session, { type: "ask-questions", call, asked: state.asked });
    case "running":
      if (state.answer !== undefined) return step(session, { type: "run-tool", call, answer: state.answer });
      if (isRepeatable(call.access)) return step(setState(session, call.id, { kind: "waiting" }));
      return step(settle(session, call.id, { kind: "interrupted" }));
    case "reviewing":
      return step(session, { type: "request-review", request: state.request });
    case "submitting":
      return step(setState(session, call.id, { kind: "waiting" }));
    case "reading-plan":
    case "confirming":
      return file === null ? step(session) : step(session, { type: "read-plan", callId: call.id, file });
    case "writing-plan": {
      const text = state.given.verdict.plan ?? state.request.plan;
      return step(session, { type: "write-plan", callId: call.id, file: state.request.planFile, text });
    }
  }
}
