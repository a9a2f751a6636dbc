/** The list of open calls: settling one, changing its state, and taking back what was asked under another mode. */
import { append } from "../chain.ts";
import type { Call } from "../decide/access.ts";
import type { Effect, Step } from "../effect.ts";
import { isPlanning } from "../mode.ts";
import type { Outcome } from "../outcome.ts";
import type { CallState, OpenCall, Session } from "../session.ts";
import { step, follow, withTurn } from "../step.ts";

export function settle(session: Session, callId: string, outcome: Outcome): Session {
  const open = session.turn.open.find(({ call }) => call.id === callId);
  if (open === undefined) return session;
  const rest = session.turn.open.filter((other) => other !== open);
  const entry = { kind: "result", callId, tool: open.call.tool, outcome } as const;
  return { ...withTurn(session, { open: rest }), transcript: append(session.transcript, entry) };
}

export function setState(session: Session, callId: string, state: CallState): Session {
  const open = session.turn.open.map((one) => (one.call.id === callId ? { call: one.call, state } : one));
  return withTurn(session, { open });
}

/** Takes the answers that were awaited under an earlier mode back: everything that has not begun is judged again (B1.9). */
export function rejudge(session: Session): Step {
  const effects: Effect[] = [];
  const open = session.turn.open.flatMap(({ call, state }): OpenCall[] => {
    if (state.kind === "asking" || state.kind === "classifying") {
      effects.push({ type: "withdraw-question", questionId: state.questionId });
      return [{ call: withoutYes(call), state: { kind: "waiting" } }];
    }
    return [{ call: state.kind === "waiting" ? withoutYes(call) : call, state }];
  });
  const waiting = session.hooks.waiting.map((one) => Object.assign({}, one, { isLate: true as const }));
  const late: Session = { ...session, hooks: { ...session.hooks, waiting } };
  return follow(step(withTurn(late, { open }), ...effects), withdrawReviews);
}

/** A hook's yes was given in the mode that it was told of, and ends with it. */
export function withoutYes(call: Call): Call {
  return call.hook?.answer === "allow" ? { ...call, hook: { ...call.hook, answer: "none" } } : call;
}

/** Outside of plan mode there is nothing left to review: nothing was approved, and the person has the floor. */
function withdrawReviews(session: Session): Step {
  if (isPlanning(session.permissions)) return step(session);
  const isAny = session.turn.open.some(({ state }) => isUnderReview(state));
  return closeReviews(isAny ? withTurn(session, { ended: true }) : session, { kind: "withdrawn" });
}

/** Settles every call whose plan is on its way to an approval, and closes its dialog. */
export function closeReviews(session: Session, outcome: Outcome): Step {
  return session.turn.open.reduce((sofar, { call, state }) => {
    if (!isUnderReview(state)) return sofar;
    const closed: Effect[] =
      "request" in state ? [{ type: "close-review", requestId: state.request.id, by: null }] : [];
    return follow(sofar, (now) => step(settle(now, call.id, outcome), ...closed));
  }, step(session));
}

function isUnderReview({ kind }: CallState): boolean {
  return underReview.has(kind);
}

const underReview: ReadonlySet<CallState["kind"]> = new Set([
  "reading-plan",
  "submitting",
  "reviewing",
  "confirming",
  "writing-plan",
]);
