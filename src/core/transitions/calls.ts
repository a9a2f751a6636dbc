/** The life of tool calls: waiting, judged, asked about, running, settled with exactly one result each. */
import { isConcurrencySafe, type Call } from "../decide/access.ts";
import { append } from "../chain.ts";
import { decide } from "../decide/decide.ts";
import type { Decision, Denial, Question } from "../decide/decision.ts";
import type { Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { isSettled } from "../plan/ledger.ts";
import { isPlanning } from "../mode.ts";
import type { Outcome } from "../outcome.ts";
import type { OpenCall, Session } from "../session.ts";
import type { Situation } from "../decide/situation.ts";
import { refuse, step, follow, withNotices, withTurn } from "../step.ts";
import { addTotal, addUsage, tokensOf, type UsageTotal } from "../usage.ts";
import { askHooks, hasHooks, isInner, isUnheard } from "./ask-hooks.ts";
import { flagOutside } from "./drift.ts";
import { enterByModel, leaveOnOwn } from "./mode.ts";
import { setState, settle } from "./open-calls.ts";
import { workBegun } from "./progress.ts";
import { speak, speakIfDue } from "./speak.ts";

export function modelReplied(session: Session, event: Extract<Event, { type: "model-replied" }>): Step {
  if (session.turn.thinking !== event.request) return refuse(session, event.type, "stale-request");
  const ids = new Set<string>();
  const calls = event.calls.filter(({ id }) => !ids.has(id) && ids.add(id));
  const replied: Session = {
    ...withTurn(session, {
      thinking: null,
      open: calls.map((call): OpenCall => ({ call, state: { kind: "waiting" } })),
    }),
    transcript: append(session.transcript, { kind: "assistant", content: event.content }),
  };
  const { usage } = event;
  const counted = countUsage(replied, usage === undefined ? undefined : (total) => addUsage(total, usage));
  return follow(counted, calls.length > 0 ? advance : endedInText);
}

/** What an agent used counts also when its call was stopped meanwhile. A call that cannot succeed ends before anybody is asked. */
export function toolFinished(session: Session, event: Extract<Event, { type: "tool-finished" }>): Step {
  const open = session.turn.open.find(({ call }) => call.id === event.callId);
  const { output, isError, usage } = event;
  const counted = countUsage(session, usage === undefined ? undefined : (total) => addTotal(total, usage));
  if (open?.state.kind === "asking" && isError) {
    const withdrawn = step(counted.session, { type: "withdraw-question", questionId: open.state.questionId });
    return follow(withdrawn, (now) => advance(settle(now, event.callId, { kind: "ran", output, isError })));
  }
  if (open?.state.kind !== "running") {
    return usage === undefined ? refuse(session, event.type, "unknown-call") : counted;
  }
  const noted = isError ? counted : follow(counted, (now) => flagged(now, open.call, "edited"));
  if (!isError && hasHooks(session, "PostToolUse")) {
    const finishing = (now: Session) => setState(now, event.callId, { kind: "finishing", output });
    return follow(noted, (now) => askHooks(finishing(now), { event: "PostToolUse", callId: event.callId }));
  }
  return follow(noted, (now) => advance(settle(now, event.callId, { kind: "ran", output, isError })));
}

/** Starts whatever may start now; when nothing is open any more, the model speaks or the turn is over. */
export function advance(session: Session): Step {
  let current = step(session);
  for (;;) {
    const ready = current.session.turn.open.find((open) => mayStart(open, current.session.turn.open));
    if (ready === undefined) break;
    current = follow(current, (now) => judge(now, ready.call));
  }
  if (current.session.turn.open.length > 0) return current;
  return follow(current, finishTurn);
}

export function start(session: Session, call: Call): Step {
  const { access } = call;
  if (access?.kind === "ask-user" && access.questions !== undefined) {
    const [counted, id] = nextQuestion(session);
    const asked = { id, questions: access.questions };
    return step(setState(counted, call.id, { kind: "questioning", asked }), { type: "ask-questions", call, asked });
  }
  return step(setState(workBegun(session, call), call.id, { kind: "running" }), { type: "run-tool", call });
}

export function askPerson(session: Session, call: Call, question: Question): Step {
  const [counted, questionId] = nextQuestion(session);
  const state = setState(counted, call.id, { kind: "asking", questionId, question });
  const modeRevision = session.permissions.revision;
  return step(state, { type: "ask-permission", questionId, call, question, modeRevision });
}

export function situationOf(session: Session): Situation {
  const { permissions, actor, plan, roots, settings, reviewable } = session;
  const { planNetwork, modelMayEnterPlan, planScope } = settings;
  const settled = session.plans.filter(isSettled);
  const settledFiles = [...settled.map(({ file }) => file), ...(plan.approved === null ? [] : [plan.approved.file])];
  const scope =
    plan.approved === null || planScope === "off" ? {} : { scope: { plan: plan.approved.text, rule: planScope } };
  return {
    permissions,
    actor,
    planFile: plan.file,
    roots,
    planNetwork,
    modelMayEnterPlan,
    reviewable,
    settledFiles,
    ...scope,
  };
}

export function apply(session: Session, call: Call, decision: Decision): Step {
  switch (decision.kind) {
    case "allow":
      return start(session, call);
    case "deny":
      return step(
        countExit(settle(session, call.id, { kind: "denied", denial: explained(session, decision) }), decision),
      );
    case "ask":
      return askPerson(session, call, decision.question);
    case "classify": {
      const { question } = decision;
      const [counted, questionId] = nextQuestion(session);
      const state = setState(counted, call.id, { kind: "classifying", questionId, question });
      return step(state, { type: "classify", questionId, call, question });
    }
    case "enter":
      return enterByModel(settle(session, call.id, { kind: "entered" }));
    case "leave":
      return leaveOnOwn(session, call.id);
    case "review":
    case "submit": {
      const { file } = session.plan;
      if (file === null) return step(settle(session, call.id, noPlan(null)));
      const state = setState(session, call.id, { kind: "reading-plan", next: decision.kind });
      return step(state, { type: "read-plan", callId: call.id, file });
    }
  }
}

/** Older reminders may name an earlier plan: the denial says which file it is now. */
function explained({ plan }: Session, { denial }: Extract<Decision, { kind: "deny" }>): Denial {
  return denial.code === "plan-write" && plan.file !== null ? { ...denial, planFile: plan.file } : denial;
}

/** After an event that is not a call's own: goes on with the open calls, if there were any. */
export function resume(before: Session, changed: Step): Step {
  return follow(changed, before.turn.open.length > 0 ? advance : speakIfDue);
}

export function noPlan(file: string | null): Outcome {
  return { kind: "denied", denial: { code: "no-plan", detail: file, part: null } };
}

function judge(session: Session, call: Call): Step {
  if (isUnheard(session, call)) {
    return askHooks(setState(session, call.id, { kind: "hooking" }), { event: "PreToolUse", callId: call.id });
  }
  const decision = decide(call, situationOf(session));
  const isIgnored = call.hook?.answer === "allow" && decision.kind !== "allow" && isPlanning(session.permissions);
  const told = isIgnored
    ? step(session, { type: "notify", notice: { key: "hook-allow-ignored", tool: call.tool } })
    : step(session);
  const isAsked = decision.kind === "ask" && session.settings.planScope === "ask";
  const noted = isAsked ? follow(told, (now) => flagged(now, call, "asked")) : told;
  return follow(noted, (now) => apply(now, call, decision));
}

function flagged(session: Session, call: Call, now: "asked" | "edited"): Step {
  return flagOutside(session, call, { now, situation: situationOf(session) });
}

/**
 * Readers run side by side; a call that changes something waits for all before it and holds up all after it. A wish to enter
 * plan mode goes first, so that its whole turn is judged in the mode that follows (B1.9); leaving waits for everything else.
 */
function mayStart({ call, state }: OpenCall, open: readonly OpenCall[]): boolean {
  if (state.kind !== "waiting") return false;
  const { access } = call;
  const first = open.find((other) => other.call.access?.kind === "enter-plan");
  if (first !== undefined) return first.call.id === call.id;
  const before = open.slice(
    0,
    open.findIndex((other) => other.call.id === call.id),
  );
  if (access?.kind === "exit-plan") {
    return before.length === 0 && open.every((other) => other.call.id === call.id || isExit(other.call));
  }
  if (!isConcurrencySafe(access)) return before.every((other) => isExit(other.call));
  return before.every((other) => isConcurrencySafe(other.call.access));
}

function isExit(call: Call): boolean {
  return call.access?.kind === "exit-plan";
}

function finishTurn(session: Session): Step {
  const { turn } = session;
  if (turn.thinking !== null) return step(session);
  if (turn.ended && turn.queued.length === 0) return speakIfDue(withTurn(session, { due: false }));
  return speak(session);
}

/** Words that waited, or a lead's answer that came meanwhile, are heard at once. */
function endedInText(session: Session): Step {
  if (session.turn.queued.length > 0 || session.turn.due) return speak(session);
  const event = isInner(session) ? "SubagentStop" : "Stop";
  if (!hasHooks(session, event)) return stopped(session);
  return askHooks(session, { event, again: session.hooks.stops > 0 });
}

/** The person has the floor. */
export function stopped(session: Session): Step {
  const ended = withTurn(session, { due: false });
  if (!isPlanning(session.permissions) || isLeads(session)) return speakIfDue(ended);
  return follow(step(ended, { type: "notify", notice: { key: "turn-ended-in-text" } }), speakIfDue);
}

/** Whether the next word is the lead's: nobody else can end the planning. */
function isLeads({ actor, plan }: Session): boolean {
  return plan.awaiting !== null || (actor.kind === "teammate" && actor.planRequired);
}

/** In all, and for planning where that is the mode; the budget is told once. */
export function countUsage(session: Session, add: ((total: UsageTotal) => UsageTotal) | undefined): Step {
  if (add === undefined) return step(session);
  const total = add(session.usage.total);
  if (!isPlanning(session.permissions)) return step({ ...session, usage: { ...session.usage, total } });
  const counted: Session = { ...session, usage: { total, planning: add(session.usage.planning) } };
  const limit = session.settings.maxPlanningTokens;
  const spent = tokensOf(counted.usage.planning);
  if (limit === null || spent <= limit || session.notices.budget !== "within") return step(counted);
  const notice = { key: "planning-budget", used: spent, limit } as const;
  return step(withNotices(counted, { budget: "due" }), { type: "notify", notice });
}

function countExit(session: Session, decision: Extract<Decision, { kind: "deny" }>): Session {
  if (decision.denial.code !== "exit-not-planning") return session;
  return { ...session, counters: { ...session.counters, exitsOutsidePlan: session.counters.exitsOutsidePlan + 1 } };
}

function nextQuestion(session: Session): readonly [Session, string] {
  const questions = session.counters.questions + 1;
  return [{ ...session, counters: { ...session.counters, questions } }, `q${questions}`];
}
