/** How far an approved plan is: executing from its first change on, done when its todos are, or when it was verified (B5.3, B6.1). */
import { isReading, type Call } from "../decide/access.ts";
import type { Effect, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import type { PlanStatus } from "../plan/ledger.ts";
import { isPlanning } from "../mode.ts";
import { stepsOf, type PlanStep } from "../plan/steps.ts";
import type { Todo } from "../reminders/reminder.ts";
import type { Session } from "../session.ts";
import { refuse, step } from "../step.ts";
import { withPoint } from "./points.ts";

/** The first call that changes something begins the work. */
export function workBegun(session: Session, call: Call): Session {
  if (isPlanning(session.permissions) || isReading(call.access)) return session;
  return withStatus(session, ["approved"], "executing");
}

export function todosWritten(session: Session, todos: readonly Todo[]): Step {
  const written = { ...atStep(session, todos), todos };
  const isDone = todos.length > 0 && todos.every(({ status }) => status === "completed");
  return step(isDone ? withStatus(written, ["executing"], "done") : withStatus(written, ["done"], "executing"));
}

/** A step of the plan that begins is a point to return to (B15.1). */
function atStep(session: Session, todos: readonly Todo[]): Session {
  const begun = todos.find(({ status }) => status === "in_progress");
  if (begun === undefined || session.plan.approved === null) return session;
  const isBegun = session.todos.some(({ content, status }) => status === "in_progress" && content === begun.content);
  return isBegun ? session : withPoint(session, "step", begun.content);
}

/** `groundplan verify` ran its checks on this very text. */
export function planVerified(session: Session, event: Extract<Event, { type: "plan-verified" }>): Step {
  const at = session.plans.findIndex(({ id }) => id === event.plan);
  const record = session.plans[at];
  const isApproved = record?.decisions.some(({ kind, hash }) => kind === "approve" && hash === event.hash);
  if (record === undefined || isApproved !== true) return refuse(session, event.type, "other-hash");
  const { passed, found = [] } = event;
  const verified = { ...record, verified: { passed, found, at: event.at } };
  const now = passed ? { ...verified, status: "done" as const } : verified;
  return step({ ...session, plans: session.plans.with(at, now) });
}

/** The plan's steps become todos where nothing is left to do; todos that are there stay as they are (R13.2). */
export function seedTodos(todos: readonly Todo[], plan: string): readonly Todo[] {
  const { steps, together } = seeding(todos, plan);
  const own = steps.slice(0, steps.length - together);
  const seeded = own.map(({ title, done }): Todo => ({ content: title, status: done ? "completed" : "pending" }));
  if (together === 0) return [...todos, ...seeded];
  const status = steps.slice(-together).every(({ done }) => done) ? "completed" : "pending";
  return [...todos, ...seeded, { content: `Steps ${own.length + 1} to ${steps.length} of the plan`, status }];
}

export interface Seeding {
  /** Those of the plan that become todos. */
  readonly steps: readonly PlanStep[];
  /** How many of the last ones stand in one todo, so that the list can be read. */
  readonly together: number;
}

export function seeding(todos: readonly Todo[], plan: string): Seeding {
  const steps = todos.some(({ status }) => status !== "completed") ? [] : stepsOf(plan);
  return { steps, together: steps.length <= mostTodos ? 0 : steps.length - mostTodos + 1 };
}

/** The person hears of steps that have no todo of their own. */
export function todoNews(todos: readonly Todo[], plan: string): readonly Effect[] {
  const { steps, together } = seeding(todos, plan);
  if (together === 0) return [];
  return [{ type: "notify", notice: { key: "todos-together", steps: steps.length, together } }];
}

const mostTodos = 50;

function withStatus(session: Session, from: readonly PlanStatus[], to: PlanStatus): Session {
  const { approved } = session.plan;
  if (approved === null) return session;
  const at = session.plans.findLastIndex(({ file }) => file === approved.file);
  const record = session.plans[at];
  if (record === undefined || !from.includes(record.status)) return session;
  return { ...session, plans: session.plans.with(at, { ...record, status: to }) };
}
