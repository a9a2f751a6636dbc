/** Small words of the reducer: steps, their composition, and refusals. */
import type { Effect, Refusal, Step } from "./effect.ts";
import type { Answerer } from "./verdict.ts";
import type { NoticeState, PlanState, Session, TurnState } from "./session.ts";

export function step(session: Session, ...effects: readonly Effect[]): Step {
  return { session, effects };
}

/** Applies `next` to the session of `first` and keeps the effects of both, in order. */
export function follow(first: Step, next: (session: Session) => Step): Step {
  const second = next(first.session);
  return { session: second.session, effects: [...first.effects, ...second.effects] };
}

export function refuse(session: Session, event: string, reason: Refusal, by?: Answerer | null): Step {
  return step(session, { type: "refuse", event, reason, ...(by ? { by } : {}) });
}

/** An answer to what is not open any more: taken by somebody, or never asked. */
export function refuseLate(session: Session, event: string, { id, unknown }: Late): Step {
  const by = session.answered.findLast((one) => one.id === id)?.by ?? null;
  return refuse(session, event, by === null ? unknown : "already-answered", by);
}

interface Late {
  readonly id: string;
  readonly unknown: Refusal;
}

export function withTurn(session: Session, turn: Partial<TurnState>): Session {
  return { ...session, turn: { ...session.turn, ...turn } };
}

export function withPlan(session: Session, plan: Partial<PlanState>): Session {
  return { ...session, plan: { ...session.plan, ...plan } };
}

export function withNotices(session: Session, notices: Partial<NoticeState>): Session {
  return { ...session, notices: { ...session.notices, ...notices } };
}
