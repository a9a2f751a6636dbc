/** The whole of plan mode as one pure function: a session and an event in, the next session and its effects out. */
import type { Step } from "./effect.ts";
import type { Event } from "./event.ts";
import { shapeProblem } from "./wire/event-shape.ts";
import { mostAnswered, type Session } from "./session.ts";
import { refuse, step } from "./step.ts";
import {
  classifierAnswered,
  gateChanged,
  permissionAnswered,
  questionAnswered,
  sessionAllowed,
} from "./transitions/answers.ts";
import { modelReplied, resume, toolFinished } from "./transitions/calls.ts";
import { compactionFailed, compactionRequested, contextCompacted } from "./transitions/compaction.ts";
import {
  contextCleared,
  planClaimed,
  planClaimFailed,
  sessionForked,
  sessionLinked,
  sessionResumed,
  sessionStarted,
} from "./transitions/life.ts";
import { hooksAnswered } from "./transitions/hooks.ts";
import { modeChosen, modeCycled, parentModeChanged, planLeft } from "./transitions/mode.ts";
import { planVerified, todosWritten } from "./transitions/progress.ts";
import { isUndoEvent, undoEvent } from "./transitions/rewind.ts";
import { planRead, planWritten, reviewDecided } from "./transitions/review.ts";
import { rulesChanged, settingsChanged } from "./transitions/settings.ts";
import { leadAnswered, leadEditWritten } from "./transitions/team.ts";
import { filesEdited, modelFailed, planCommented, planSaved, turnCancelled, userSaid } from "./transitions/turn.ts";

/** Never throws: an event that does not fit leaves the session as it was, with a `refuse` effect that says why. */
export function reduce(session: Session, event: Event): Step {
  return noteAnswered(unfit(session, event) ?? applied(session, event), event);
}

/** Null where the event can be taken. */
function unfit(session: Session, event: Event): Step | null {
  const problem = shapeProblem(event);
  if (problem !== null) return refuse(session, typeOf(event), problem);
  return session.id === "" && event.type !== "session-started" ? refuse(session, event.type, "not-started") : null;
}

/** Who answered what is open no more, so that a later answer can be told. */
function noteAnswered({ session, effects }: Step, event: Event): Step {
  if (effects.some(({ type }) => type === "refuse")) return { session, effects };
  const closed = effects.flatMap((effect) => {
    if (effect.type === "close-review") return [{ id: effect.requestId, by: effect.by }];
    if (effect.type === "close-questions") return [{ id: effect.id, by: effect.by }];
    return effect.type === "withdraw-question" ? [{ id: effect.questionId, by: null }] : [];
  });
  if (event.type === "permission-answered") closed.push({ id: event.questionId, by: event.by });
  if (closed.length === 0) return { session, effects };
  return { session: { ...session, answered: [...session.answered, ...closed].slice(-mostAnswered) }, effects };
}

function applied(session: Session, event: Event): Step {
  if (isUndoEvent(event)) return undoEvent(session, event);
  switch (event.type) {
    case "session-started":
      return sessionStarted(session, event);
    case "session-resumed":
      return sessionResumed(session, event);
    case "session-linked":
      return sessionLinked(session, event);
    case "session-forked":
      return sessionForked(session, event);
    case "user-said":
      return userSaid(session, event.text);
    case "turn-cancelled":
      return turnCancelled(session);
    case "mode-chosen":
      return resume(session, modeChosen(session, event.mode));
    case "mode-cycled":
      return resume(session, modeCycled(session));
    case "plan-left":
      return resume(session, planLeft(session));
    case "parent-mode-changed":
      return resume(session, parentModeChanged(session, event));
    case "model-replied":
      return modelReplied(session, event);
    case "model-failed":
      return modelFailed(session, event);
    case "tool-finished":
      return toolFinished(session, event);
    case "permission-answered":
      return permissionAnswered(session, event);
    case "session-allowed":
      return sessionAllowed(session, event);
    case "question-answered":
      return questionAnswered(session, event);
    case "hooks-answered":
      return hooksAnswered(session, event);
    case "classifier-answered":
      return classifierAnswered(session, event);
    case "plan-claimed":
      return planClaimed(session, event);
    case "plan-claim-failed":
      return planClaimFailed(session, event);
    case "plan-saved":
      return planSaved(session, event);
    case "plan-commented":
      return planCommented(session, event);
    case "plan-read":
      return planRead(session, event);
    case "plan-written":
      return session.plan.answering === null ? planWritten(session, event) : leadEditWritten(session, event);
    case "review-decided":
      return reviewDecided(session, event);
    case "lead-answered":
      return leadAnswered(session, event);
    case "auto-gate-changed":
      return resume(session, gateChanged(session, event.open));
    case "settings-changed":
      return settingsChanged(session, event);
    case "rules-changed":
      return rulesChanged(session, event);
    case "todos-written":
      return todosWritten(session, event.todos);
    case "plan-verified":
      return planVerified(session, event);
    case "files-edited":
      return filesEdited(session, event);
    case "work-tree-compared":
      return step({ ...session, workTreeChanges: event.changed });
    case "context-cleared":
      return contextCleared(session);
    case "context-compacted":
      return contextCompacted(session, event);
    case "compaction-requested":
      return compactionRequested(session, event);
    case "compaction-failed":
      return compactionFailed(session, event);
  }
}

/** The fold of a log: what is on disk is always enough to rebuild the state (R1.5). */
export function replay(session: Session, events: Iterable<Event>): Session {
  let current = session;
  for (const event of events) current = reduce(current, event).session;
  return current;
}

function typeOf(event: unknown): string {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : null;
  return typeof type === "string" ? type : typeof event;
}
