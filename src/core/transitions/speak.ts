/** Hands the floor to the model: one request at a time, with what was said meanwhile and the reminders that are due. */
import { append } from "../chain.ts";
import type { Step } from "../effect.ts";
import { isPlanning } from "../mode.ts";
import { afterReminders, remindersFor } from "../reminders/reminders.ts";
import type { Compaction, Session } from "../session.ts";
import { step, withPlan, withTurn } from "../step.ts";
import { isBeginning, withHooks } from "./ask-hooks.ts";
import type { Entry } from "../transcript.ts";

/** The model is to speak: now, or as soon as nothing is in its way. */
export function speak(session: Session): Step {
  return speakIfDue(withTurn(session, { due: true }));
}

export function speakIfDue(session: Session): Step {
  const { turn, plan, permissions, actor } = session;
  if (turn.thinking !== null || turn.open.length > 0 || turn.compaction?.state === "running") return step(session);
  if (isBeginning(session)) return step(session);
  const { compaction } = turn;
  if (compaction !== null && (turn.due || compaction.why !== "near")) return beginCompaction(session, compaction);
  if (!turn.due) return step(session);
  if (isPlanning(permissions) && plan.claim === "none" && actor.kind !== "subagent") {
    return step(withPlan(session, { claim: "pending" }), { type: "claim-plan", task: taskOf(session) });
  }
  if (isPlanning(permissions) && plan.claim === "pending") return step(session);
  return callModel(deliver(session));
}

/** The request that died with its process, made again: what was said meanwhile still waits for the one after it. */
export function speakAgain(session: Session): Step {
  const { plan, permissions } = session;
  const isClaimed = !isPlanning(permissions) || plan.claim === "held";
  return isClaimed && !isBeginning(session) ? callModel(session) : speakIfDue(session);
}

/** What the person said while the model was busy becomes part of the conversation. */
function deliver(session: Session): Session {
  const { queued } = session.turn;
  if (queued.length === 0) return session;
  const said: Entry[] = queued.map((text) => ({ kind: "user", text }));
  const turnsSinceReminder = session.notices.turnsSinceReminder + queued.length;
  return {
    ...withTurn(session, { queued: [] }),
    transcript: append(session.transcript, ...said),
    notices: { ...session.notices, turnsSinceReminder },
  };
}

function callModel(session: Session): Step {
  const reminders = remindersFor(session);
  const entries: Entry[] = reminders.map((reminder) => ({ kind: "reminder", reminder }));
  const request = session.turn.requests + 1;
  return step(
    {
      ...withTurn(withHooks(session, { heard: [] }), {
        due: false,
        ended: false,
        thinking: request,
        requests: request,
      }),
      transcript: append(session.transcript, ...entries),
      notices: afterReminders(session.notices, reminders),
    },
    { type: "call-model", request },
  );
}

function beginCompaction(session: Session, { why, focus }: Compaction): Step {
  return step(withTurn(session, { compaction: { state: "running", why, focus } }), { type: "compact-context", focus });
}

/** The words that a plan may be named by: what the person said last. */
function taskOf({ turn, transcript }: Session): string | null {
  const queued = turn.queued.at(-1);
  if (queued !== undefined) return queued;
  for (let at = transcript.length - 1; at >= 0; at -= 1) {
    const entry = transcript.shared[at]!;
    if (entry.kind === "user") return entry.text;
  }
  return null;
}
