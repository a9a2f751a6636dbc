/** What hooks answered: each answer to the moment that waits for it, and none opens what plan mode keeps closed (B14.1). */
import type { Call } from "../decide/access.ts";
import type { Question } from "../decide/decision.ts";
import type { Effect, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { mostStops, type HookOccasion, type HooksAnswer, type WaitingHooks } from "../hooks.ts";
import { isPlanning } from "../mode.ts";
import { hashText } from "../plan/hash.ts";
import type { OpenCall, Session } from "../session.ts";
import { follow, refuse, step, withPlan, withTurn } from "../step.ts";
import { accept, findAsked } from "./answers.ts";
import { hear, hearOrder, withHooks } from "./ask-hooks.ts";
import { advance, stopped } from "./calls.ts";
import { setState, settle, withoutYes } from "./open-calls.ts";
import { speak, speakIfDue } from "./speak.ts";
import { handIn } from "./submission.ts";
import { takeWords } from "./turn.ts";

type Answered = Extract<Event, { type: "hooks-answered" }>;
type AboutCall = Extract<HookOccasion, { callId: string }>;
type AboutStop = Extract<HookOccasion, { again: boolean }>;

export function hooksAnswered(session: Session, event: Answered): Step {
  const found = session.hooks.waiting.find(({ id }) => id === event.id);
  if (found === undefined) return permissionHooks(session, event);
  const waiting = session.hooks.waiting.filter((other) => other !== found);
  const told = step(withHooks(session, { waiting }), ...toldBy(event.answer));
  return follow(told, (now) => answered(now, found, event));
}

function answered(session: Session, { occasion, isLate }: WaitingHooks, event: Answered): Step {
  const { answer } = event;
  switch (occasion.event) {
    case "PreToolUse":
      return beforeCall(hear(session, occasion.event, answer), { ...occasion, isLate: isLate === true }, event);
    case "PostToolUse":
      return afterCall(session, occasion, answer);
    case "UserPromptSubmit":
      return prompted(session, occasion.prompt, answer);
    case "Stop":
    case "SubagentStop":
      return atStop(session, occasion, answer);
    case "SessionStart":
      return speakIfDue(hear(session, occasion.event, answer));
    case "plan.submitted":
      return submitted(session, occasion, answer);
  }
}

/** From now on the call is judged like any other, with what hooks say of it. */
function beforeCall(session: Session, about: AboutCall & { isLate: boolean }, { answer, call }: Answered): Step {
  const { callId, isLate } = about;
  const open = openCall(session, callId, "hooking");
  if (open === null) return step(session);
  const reason = answer.stop ?? answer.reason;
  const hook = { answer: answer.stop === undefined ? answer.answer : "deny", reason } as const;
  const heard = { ...same(open.call, call), hook };
  const judged = replaced(session, isLate ? withoutYes(heard) : heard);
  return follow(ending(setState(judged, callId, { kind: "waiting" }), answer), advance);
}

function afterCall(session: Session, { callId, event }: AboutCall, answer: HooksAnswer): Step {
  const open = openCall(session, callId, "finishing");
  if (open?.state.kind !== "finishing") return step(session);
  const settled = settle(session, callId, { kind: "ran", output: open.state.output, isError: false });
  const heard = hear(settled, event, answer);
  const said = answer.answer === "deny" ? hearOrder(heard, event, answer.reason) : heard;
  return follow(ending(said, answer), advance);
}

/** A prompt that is refused never becomes part of the conversation. */
function prompted(session: Session, prompt: string, answer: HooksAnswer): Step {
  const reason = answer.stop ?? (answer.answer === "deny" ? answer.reason : null);
  if (reason !== null) return step(session, { type: "notify", notice: { key: "prompt-refused", reason } });
  return takeWords(hear(session, "UserPromptSubmit", answer), prompt);
}

/** Words of the person's that came meanwhile are answered first; the hook is asked again after that. */
function atStop(session: Session, { event }: AboutStop, answer: HooksAnswer): Step {
  const heard = hear(session, event, answer);
  const { thinking, open, due } = session.turn;
  if (thinking !== null || open.length > 0 || due) return step(heard);
  if (answer.stop !== undefined || answer.answer !== "deny") {
    return follow(ending(withHooks(heard, { stops: 0 }), answer), stopped);
  }
  const stops = session.hooks.stops + 1;
  if (stops <= mostStops) return speak(withHooks(hearOrder(heard, event, answer.reason), { stops }));
  const given = { type: "notify", notice: { key: "stop-hook-given-up", times: mostStops } } as const;
  return follow(step(withHooks(heard, { stops: 0 }), given), stopped);
}

/** Sent back, it is as if it had not been handed in; the same text again hears the same. */
function submitted(session: Session, { callId }: AboutCall, answer: HooksAnswer): Step {
  const open = openCall(session, callId, "submitting");
  if (open?.state.kind !== "submitting") return step(session);
  const { next, read } = open.state;
  if (answer.stop === undefined && answer.answer !== "deny") {
    return follow(handIn(hear(session, "plan.submitted", answer), read, next), advance);
  }
  const feedback = answer.stop ?? answer.reason;
  const rejected = { hash: hashText(read.text), feedback, times: 1 };
  const kept = answer.failed === true ? session : withPlan(session, { rejected });
  const settled = settle(hear(kept, "plan.submitted", answer), callId, denied(feedback));
  return follow(ending(settled, answer), advance);
}

/** A hook may answer in the person's place what is asked outside of plan mode; within it, it can only refuse. */
function permissionHooks(session: Session, { type, id, answer, call: given }: Answered): Step {
  const found = findAsked(session, id, "asking");
  if (found === null) return refuse(session, type, "unknown-question");
  const { call, question } = found;
  const told = toldBy(answer);
  const closed: Effect = { type: "withdraw-question", questionId: id };
  if (answer.answer === "deny" || answer.stop !== undefined) {
    const settled = settle(session, call.id, denied(answer.stop ?? answer.reason));
    return follow(step(settled, ...told, closed), (now) => follow(ending(now, answer), advance));
  }
  if (answer.answer !== "allow") return step(session, ...told);
  if (isPersons(session, call, question))
    return step(session, ...told, { type: "notify", notice: { key: "hook-allow-ignored", tool: call.tool } });
  const next = same(call, given);
  const put = replaced(session, next);
  return follow(step(put, ...told, closed), (now) => follow(accept(now, next, question), advance));
}

/** What a hook's yes does not answer: plan mode, guarded files, and what a deny rule may refuse (B1.14). */
function isPersons({ permissions }: Session, { hook }: Call, question: Question): boolean {
  if (isPlanning(permissions)) return true;
  if (question.kind === "edit") return question.guarded;
  const isAskRule = (rule: string): boolean => permissions.rules.ask.includes(rule) || rule === hook?.reason;
  return question.kind === "rule" && !isAskRule(question.rule);
}

/** `continue: false`: what has not begun does not begin, and the person has the floor. */
function ending(session: Session, { stop }: HooksAnswer): Step {
  if (stop === undefined) return step(session);
  const unbegun = session.turn.open.filter(isUnbegun);
  const settled = unbegun.reduce((now, { call }) => settle(now, call.id, denied(stop)), session);
  return step(withTurn(settled, { ended: true }), { type: "notify", notice: { key: "hook-stopped", reason: stop } });
}

function isUnbegun({ state }: OpenCall): boolean {
  return state.kind === "waiting" || state.kind === "hooking";
}

function denied(reason: string) {
  return { kind: "denied", denial: { code: "hook", detail: reason, part: null } } as const;
}

function toldBy({ told }: HooksAnswer): readonly Effect[] {
  return told.map((text) => ({ type: "notify", notice: { key: "hook-said", text } }) as const);
}

/** Another input, never another call; what was said of it before it was asked about stays said. */
function same(call: Call, given: Call | undefined): Call {
  if (given === undefined || given.id !== call.id || given.tool !== call.tool) return call;
  return call.hook === undefined ? given : { ...given, hook: call.hook };
}

function replaced(session: Session, call: Call): Session {
  const open = session.turn.open.map((one) => (one.call.id === call.id ? { ...one, call } : one));
  return withTurn(session, { open });
}

function openCall(session: Session, callId: string, kind: OpenCall["state"]["kind"]): OpenCall | null {
  return session.turn.open.find(({ call, state }) => call.id === callId && state.kind === kind) ?? null;
}
