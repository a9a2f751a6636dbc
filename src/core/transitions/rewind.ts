/** Points to return to, what is done after them, and the return itself: an event like others, nothing is taken out of the log (B15). */
import type { Step } from "../effect.ts";
import type { Event } from "../event.ts";
import { noHooks } from "../hooks.ts";
import { isPlanning, rewindMode } from "../mode.ts";
import { isBusy, type Session, type SessionThen } from "../session.ts";
import { refuse, step, withNotices, withTurn } from "../step.ts";
import type { Point } from "../undo.ts";
import { autoPolicy } from "./mode.ts";
import { pointHere } from "./points.ts";
import { partOpenCalls } from "./today.ts";

type UndoEvent = Extract<Event, { type: "work-begun" | "work-ended" | "session-rewound" }>;

export function isUndoEvent(event: Event): event is UndoEvent {
  return event.type === "work-begun" || event.type === "work-ended" || event.type === "session-rewound";
}

export function undoEvent(session: Session, event: UndoEvent): Step {
  if (event.type === "work-begun") return workBegan(session, event);
  return event.type === "work-ended" ? workEnded(session, event) : sessionRewound(session, event);
}

function workBegan(session: Session, { from, left }: Extract<Event, { type: "work-begun" }>): Step {
  const { undo } = session;
  const works = [...undo.works, { from, to: null, missed: [] }];
  return step({ ...session, undo: { ...undo, works, redo: [], at: null, left: left ?? undo.left } });
}

function workEnded(session: Session, event: Extract<Event, { type: "work-ended" }>): Step {
  const { undo } = session;
  const last = undo.works.at(-1);
  if (last === undefined || last.to !== null) return refuse(session, event.type, "nothing-to-do");
  const { to, missed = [] } = event;
  const works = undo.works.with(undo.works.length - 1, { ...last, to, missed });
  return step({ ...session, undo: { ...undo, works } });
}

/** An approval that is undone is undone; the mode is never wider than it was then, nor than it is now. */
function sessionRewound(session: Session, event: Extract<Event, { type: "session-rewound" }>): Step {
  if (isBusy(session.turn)) return refuse(session, event.type, "busy");
  const target = session.undo.points.find(({ id }) => id === event.to);
  if (target === undefined || session.undo.points.some(({ id }) => id === event.id))
    return refuse(session, event.type, "unknown-point");
  const undo = undoAfter(session, event, target);
  if (event.what === "files") return step({ ...session, undo });
  if (target.before === null) return refuse(session, event.type, "talk-not-kept");
  return step({ ...returned(session, target.before), undo });
}

function undoAfter(
  session: Session,
  event: Extract<Event, { type: "session-rewound" }>,
  target: Point<SessionThen>,
): Session["undo"] {
  const { undo } = session;
  const { id, how, from, after } = event;
  const own = pointHere(session, { id, why: "rewind", label: target.label });
  const works = from === null ? undo.works : [...undo.works, { from, to: after, missed: [] }];
  const redo = how === "undo" ? [...undo.redo, id] : undo.redo.slice(0, -1);
  return { ...undo, points: [...undo.points, own], works, redo, at: how === "undo" ? event.to : null };
}

/** A plan that there was not yet then is known still, and nobody's: whatever was decided about it is undone. */
function plansThen({ plans }: Session, then: SessionThen): Session["plans"] {
  const later = plans.filter(({ id }) => then.plans.every((plan) => plan.id !== id));
  return [
    ...then.plans,
    ...later.map((plan) => Object.assign({}, plan, { decisions: [], status: "abandoned" as const })),
  ];
}

/** What was spent, answered and numbered stays so; rules and settings are those of now. */
function returned(session: Session, then: SessionThen): Session {
  const { id, actor, roots, reviewable, settings, auto, usage, counters, answered, undo } = session;
  const back: Session = { ...then, id, actor, roots, reviewable, settings, auto, usage, counters, answered, undo };
  const permissions = rewindMode(session.permissions, then.permissions, autoPolicy(session));
  const hooks = { ...noHooks, asked: session.hooks.asked };
  const quiet = untold(partOpenCalls({ ...back, permissions, hooks, plans: plansThen(session, then) }));
  return withTurn({ ...quiet, links: { ...then.links, due: null } }, { requests: session.turn.requests, queued: [] });
}

/** Plan mode that stays on although it was off then: what the model heard then does not say so. */
function untold(session: Session): Session {
  const isTold = !isPlanning(session.permissions) || session.notices.told === "plan";
  return isTold ? session : withNotices(session, { reminders: 0, turnsSinceReminder: 0 });
}
