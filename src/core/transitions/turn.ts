/** The person's words, the model's failures, and stopping. */
import { append } from "../chain.ts";
import type { Effect, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { addRevision } from "../plan/ledger.ts";
import { placeComments, withoutAnchor } from "../plan/anchors.ts";
import { saidComments, stayOpen, type Answerer } from "../verdict.ts";
import type { Outcome } from "../outcome.ts";
import type { CallState, Session, TurnState } from "../session.ts";
import { refuse, step, follow, withPlan, withTurn } from "../step.ts";
import type { Entry } from "../transcript.ts";
import { askHooks, hasHooks, isInner, withHooks } from "./ask-hooks.ts";
import { isCompactable } from "./compaction.ts";
import { settle } from "./open-calls.ts";
import { updateRecord } from "./record.ts";
import { withPoint } from "./points.ts";
import { speak, speakIfDue } from "./speak.ts";

/** Waits in the queue while the model is busy, and is delivered before its next request. New words supersede old feedback. */
export function userSaid(session: Session, text: string): Step {
  if (isInner(session) || !hasHooks(session, "UserPromptSubmit")) return takeWords(session, text);
  return askHooks(session, { event: "UserPromptSubmit", prompt: text });
}

/** Words that no hook speaks against. */
export function takeWords(session: Session, text: string): Step {
  const begun = isIdle(session.turn) ? withPoint(session, "prompt", text) : session;
  const queued = withTurn(withPlan(begun, { rejected: null }), { queued: [...session.turn.queued, text] });
  return speak(withHooks(queued, { stops: 0 }));
}

function isIdle({ thinking, open, queued, due }: TurnState): boolean {
  return thinking === null && open.length === 0 && queued.length === 0 && !due;
}

export function modelFailed(session: Session, event: Extract<Event, { type: "model-failed" }>): Step {
  if (session.turn.thinking !== event.request) return refuse(session, event.type, "stale-request");
  if (event.contextFull === true && isCompactable(session)) {
    const compaction = { state: "due", why: "full", focus: null } as const;
    return speakIfDue(withTurn(session, { thinking: null, due: true, compaction }));
  }
  const told = step(withTurn(session, { thinking: null, due: false }), {
    type: "notify",
    notice: { key: "model-failed", error: event.error },
  });
  return follow(told, speakIfDue);
}

/** Stops the stream and every open call, each with its result; nothing is approved by it (B2.2). */
export function turnCancelled(session: Session): Step {
  const { open, thinking, compaction } = session.turn;
  if (open.length === 0 && thinking === null && !session.turn.due && session.hooks.waiting.length === 0) {
    if (compaction === null) return refuse(session, "turn-cancelled", "nothing-to-do");
    return step(withTurn(session, { compaction: null }), { type: "stop" });
  }
  return stopTurn(session);
}

/** The same out of an answer, which was somebody's (B18.1). */
export function stopTurn(session: Session, by: Answerer | null = null): Step {
  const { open, queued } = session.turn;
  const closed = open.flatMap(({ state }): Effect[] => {
    if ("request" in state) return [{ type: "close-review", requestId: state.request.id, by: null }];
    if (state.kind === "questioning") return [{ type: "close-questions", id: state.asked.id, by }];
    return "questionId" in state ? [{ type: "withdraw-question", questionId: state.questionId }] : [];
  });
  const settled = open.reduce((now, { call, state }) => settle(now, call.id, left(state)), session);
  const stopped = withTurn(withHooks(settled, { waiting: [], stops: 0 }), {
    thinking: null,
    due: false,
    ended: false,
    queued,
    compaction: null,
  });
  return step(
    { ...stopped, transcript: append(stopped.transcript, { kind: "cancelled" }) },
    { type: "stop" },
    ...closed,
    ...unsent(session),
  );
}

/** What ran is done, whatever hooks would have said of it. */
function left(state: CallState): Outcome {
  return state.kind === "finishing" ? { kind: "ran", output: state.output, isError: false } : { kind: "cancelled" };
}

/** Words that a hook was still looking at do not reach the model. */
function unsent({ hooks }: Session): readonly Effect[] {
  return hooks.waiting.flatMap(({ occasion }): Effect[] => {
    if (occasion.event !== "UserPromptSubmit") return [];
    return [{ type: "notify", notice: { key: "prompt-refused", reason: "stopped before it answered" } }];
  });
}

/** A snapshot of the plan file (R14.4); a person's own edit counts as a revision at once. */
export function planSaved(session: Session, event: Extract<Event, { type: "plan-saved" }>): Step {
  if (session.plan.file === null) return refuse(session, event.type, "plan-path");
  const { text, by, at } = event;
  const saved = withPlan(session, { text });
  if (by === "model") return step(saved);
  return step(updateRecord(saved, (record) => addRevision(record, text, { at, by })));
}

/** What was said on the plan between two reviews is as open as what was said in one (B3.2). */
export function planCommented(session: Session, event: Extract<Event, { type: "plan-commented" }>): Step {
  const { file, comments, resolved } = event;
  if (session.plan.file === null || session.plan.file !== file) return refuse(session, event.type, "plan-path");
  const { comments: before, text, commented } = session.plan;
  const earlier = text === null ? before : placeComments(before, text, commented).map(withoutAnchor);
  return step(
    withPlan(session, { comments: stayOpen(saidComments(earlier, comments, resolved)), commented: text ?? commented }),
  );
}

/** Noticed before a request goes out: the model hears of it in that very request, once (B3.5). */
export function filesEdited(session: Session, event: Extract<Event, { type: "files-edited" }>): Step {
  if (session.turn.thinking === null) return refuse(session, event.type, "stale-request");
  const entries = event.edits.map(({ path, difference, own }): Entry => ({
    kind: "reminder",
    reminder: { type: "external_edit", path, difference, ...(own === undefined ? {} : { own }) },
  }));
  return step({ ...session, transcript: append(session.transcript, ...entries) });
}
