/** Compaction: a summary takes the place of the conversation; plan, todos, mode and restriction are untouched by it (R14.1). */
import { chain, items } from "../chain.ts";
import type { Effect, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { isPlanning } from "../mode.ts";
import { isBlank } from "../plan/hash.ts";
import type { Session } from "../session.ts";
import { refuse, step, follow, withNotices, withTurn } from "../step.ts";
import type { Entry } from "../transcript.ts";
import { summedUp } from "../undo.ts";
import { addUsage } from "../usage.ts";
import { beginHooks } from "./ask-hooks.ts";
import { speakIfDue } from "./speak.ts";

/**
 * A person's wish begins as soon as nothing is under way, a limit that is near right before the next request; what the person
 * says meanwhile waits.
 */
export function compactionRequested(session: Session, event: Extract<Event, { type: "compaction-requested" }>): Step {
  const { type, why, focus = null } = event;
  const { compaction } = session.turn;
  if (compaction !== null && (why === "near" || compaction.why !== "near" || compaction.state === "running")) {
    return refuse(session, type, "busy");
  }
  if (!isCompactable(session)) return refuse(session, type, "nothing-to-do");
  return speakIfDue(withTurn(session, { compaction: { state: "due", why, focus } }));
}

export function contextCompacted(session: Session, event: Extract<Event, { type: "context-compacted" }>): Step {
  if (session.turn.thinking !== null || session.turn.open.length > 0) return refuse(session, event.type, "busy");
  const kept = planToKeep(session);
  const text = event.plan ?? kept?.text ?? null;
  const referenceDue = kept !== null && text !== null && !isBlank(text) ? { file: kept.file, text } : null;
  const todosDue = session.todos.length > 0;
  const noticed = withNotices(session, { reminders: 0, turnsSinceReminder: 0, referenceDue, todosDue });
  const { usage } = event;
  const compacted: Session = {
    ...withTurn(noticed, { compaction: null }),
    undo: summedUp(session.undo),
    transcript: chain({ kind: "summary", text: event.summary }, ...unanswered(session)),
    usage: usage === undefined ? session.usage : { ...session.usage, total: addUsage(session.usage.total, usage) },
  };
  const told: Effect[] =
    session.turn.compaction === null ? [] : [{ type: "notify", notice: { key: "context-compacted" } }];
  return follow(step(compacted, ...told), (now) => follow(beginHooks(now, "compact"), speakIfDue));
}

/** The session is as it was; only a request that did not fit is not made again. */
export function compactionFailed(session: Session, event: Extract<Event, { type: "compaction-failed" }>): Step {
  const { compaction } = session.turn;
  if (compaction?.state !== "running") return refuse(session, event.type, "nothing-to-do");
  const due = session.turn.due && compaction.why !== "full";
  const told = step(withTurn(session, { compaction: null, due }), {
    type: "notify",
    notice: { key: "compaction-failed", error: event.error },
  });
  return follow(told, speakIfDue);
}

/** What the person said and the model has not answered yet is kept in their own words. */
function unanswered({ transcript }: Session): readonly Entry[] {
  const said = items(transcript);
  return said.slice(said.findLastIndex(({ kind }) => kind === "assistant") + 1).filter(({ kind }) => kind === "user");
}

/** Whether the model has said anything that a summary could shorten. */
export function isCompactable({ transcript }: Session): boolean {
  for (let at = transcript.length - 1; at >= 0; at -= 1) if (transcript.shared[at]!.kind === "assistant") return true;
  return false;
}

/** The draft, or the plan that is being carried out; what is finished does not come back. */
function planToKeep({ permissions, plan, todos }: Session): { file: string; text: string | null } | null {
  if (isPlanning(permissions)) return plan.file === null ? null : { file: plan.file, text: plan.text };
  const isFinished = todos.length > 0 && todos.every(({ status }) => status === "completed");
  return isFinished ? null : plan.approved;
}
