/** Answers to questions about a call: a person's, or the classifier's; each is judged again when it arrives (B1.9). */
import type { Call } from "../decide/access.ts";
import { decide } from "../decide/decide.ts";
import { isRememberable, type Denial, type Question } from "../decide/decision.ts";
import type { Effect, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { isPlanning } from "../mode.ts";
import type { AutoState, CallState, Session } from "../session.ts";
import { refuse, refuseLate, step, follow } from "../step.ts";
import { addUsage } from "../usage.ts";
import { advance, apply, askPerson, countUsage, resume, situationOf, start } from "./calls.ts";
import { autoChanged, enterByModel } from "./mode.ts";
import { setState, settle } from "./open-calls.ts";
import { rejudgeChanged } from "./settings.ts";
import { reofferModes } from "./today.ts";
import { stopTurn } from "./turn.ts";

type Asked = { readonly call: Call; readonly question: Question };
type Answered = Extract<Event, { type: "permission-answered" }>;
type Classified = Extract<Event, { type: "classifier-answered" }>;

const denialsInRowLimit = 3;
const denialsLimit = 20;

export function permissionAnswered(session: Session, event: Answered): Step {
  const found = findAsked(session, event.questionId, "asking");
  if (found === null) return refuseLate(session, event.type, { id: event.questionId, unknown: "unknown-question" });
  const { call, question } = found;
  if (!event.allowed) {
    const denied = settle(session, call.id, { kind: "denied", denial: denialFor(question, event) });
    return event.stop === true ? stopTurn(denied) : advance(denied);
  }
  const granted = remember(session, question, event);
  return follow(granted, (now) =>
    follow(accept(now, call, question), (begun) => follow(rejudgeChanged(begun), advance)),
  );
}

/** What a person gave for the session in a question of an agent's (B18.2). */
export function sessionAllowed(session: Session, { rules }: Extract<Event, { type: "session-allowed" }>): Step {
  if (isPlanning(session.permissions)) return step(session);
  return resume(session, rejudgeChanged(withSessionRules(session, rules)));
}

/** The first answer is taken: with it the call goes on, also after a crash. Words for what was not asked would be lost, and are no answer. */
export function questionAnswered(session: Session, event: Extract<Event, { type: "question-answered" }>): Step {
  const { questionId: id, answer, by } = event;
  const open = session.turn.open.find(({ state }) => state.kind === "questioning" && state.asked.id === id);
  if (open === undefined) return refuseLate(session, event.type, { id, unknown: "unknown-question" });
  const { call, state } = open;
  const texts = state.kind === "questioning" ? state.asked.questions.map(({ question }) => question) : [];
  const isForeign = answer.status === "answered" && Object.keys(answer.answers).some((text) => !texts.includes(text));
  if (isForeign) return refuse(session, event.type, "foreign-answer");
  if (event.stop === true) return stopTurn(session, by);
  const running = setState(session, call.id, { kind: "running", answer });
  return step(running, { type: "close-questions", id, by }, { type: "run-tool", call, answer });
}

export function classifierAnswered(session: Session, event: Classified): Step {
  const found = findAsked(session, event.questionId, "classifying");
  const { usage } = event;
  if (found === null && usage === undefined) return refuse(session, event.type, "unknown-question");
  const counted = countUsage(session, usage === undefined ? undefined : (total) => addUsage(total, usage));
  return found === null ? counted : follow(counted, (now) => obey(now, found, event));
}

function obey(session: Session, { call, question }: Asked, event: Classified): Step {
  switch (event.answer) {
    case "allow":
      return follow(accept(withAuto(session, { denialsInRow: 0 }), call, question), advance);
    case "unsure": {
      const told = step(session, { type: "notify", notice: { key: "auto-mode-unsure", reason: event.reason } });
      return follow(told, (now) => follow(askPerson(now, call, question), advance));
    }
    case "deny": {
      const denial = { code: "classifier", detail: event.reason, part: null } as const;
      const denied = settle(session, call.id, { kind: "denied", denial });
      return resume(session, countDenial(denied));
    }
  }
}

/** What the breaker closed stays closed for the session (R11.1). */
export function gateChanged(session: Session, open: boolean): Step {
  if (open && isTripped(session.auto)) return refuse(session, "auto-gate-changed", "auto-not-available");
  const counted = open ? { gateOpen: true, denialsInRow: 0 } : { gateOpen: false };
  return follow(autoChanged(withAuto(session, counted)), reofferModes);
}

/** A yes belongs to the question it was given to; plan mode may have begun since. */
export function accept(session: Session, call: Call, question: Question): Step {
  const decision = decide(call, situationOf(session));
  const isSame =
    (decision.kind === "ask" || decision.kind === "classify") &&
    JSON.stringify(decision.question) === JSON.stringify(question);
  if (!isSame) return apply(session, call, decision);
  if (question.kind === "enter-plan") return enterByModel(settle(session, call.id, { kind: "entered" }));
  return start(session, call);
}

/** Where nobody can be asked about an unproven command, the model hears which part could not be proved (R5.2). */
function denialFor(question: Question, { by, reason }: Answered): Denial {
  if (by === null && question.kind === "unproven") {
    return { code: "plan-command-unproven", detail: question.reason, part: question.part };
  }
  const declined = question.kind === "enter-plan" ? "enter-declined" : "declined";
  return { code: by === null ? "nobody" : declined, detail: reason ?? null, part: null };
}

/** While planning nothing is remembered, and what was opens nothing (B1.1, B18.2). */
function remember(session: Session, question: Question, given: Answered): Step {
  const { remember: always = [], forSession = [], by } = given;
  if (by === null || isPlanning(session.permissions) || !isRememberable(question)) return step(session);
  const { rules } = session.permissions;
  const added = [...new Set([always].flat())].filter((rule) => !rules.allow.includes(rule));
  const allow = added.length === 0 ? rules.allow : [...rules.allow, ...added];
  const effects = added.map((rule): Effect => ({ type: "save-rule", rule }));
  const kept = { ...session, permissions: { ...session.permissions, rules: { ...rules, allow } } };
  return step(withSessionRules(kept, forSession), ...effects);
}

function withSessionRules(session: Session, added: readonly string[]): Session {
  const { rules } = session.permissions;
  const known = rules.session ?? [];
  const fresh = [...new Set(added)].filter((rule) => !known.includes(rule));
  if (fresh.length === 0) return session;
  return { ...session, permissions: { ...session.permissions, rules: { ...rules, session: [...known, ...fresh] } } };
}

function countDenial(session: Session): Step {
  const denialsInRow = session.auto.denialsInRow + 1;
  const denials = session.auto.denials + 1;
  const counted = withAuto(session, { denialsInRow, denials });
  return isTripped(counted.auto) ? gateChanged(counted, false) : step(counted);
}

function isTripped({ denialsInRow, denials }: AutoState): boolean {
  return denialsInRow >= denialsInRowLimit || denials >= denialsLimit;
}

export function findAsked(session: Session, questionId: string, kind: "asking" | "classifying"): Asked | null {
  const isAsked = (state: CallState) => state.kind === kind && state.questionId === questionId;
  const open = session.turn.open.find(({ state }) => isAsked(state));
  return open !== undefined && "question" in open.state ? { call: open.call, question: open.state.question } : null;
}

function withAuto(session: Session, auto: Partial<AutoState>): Session {
  return { ...session, auto: { ...session.auto, ...auto } };
}
