/** Drift from the plan that is carried out: files that it does not name and that were edited all the same (B6.2, B16.3). */
import type { Call } from "../decide/access.ts";
import { decide, isOutsidePlan } from "../decide/decide.ts";
import type { Situation } from "../decide/situation.ts";
import type { Step } from "../effect.ts";
import { isPlanning } from "../mode.ts";
import type { Session } from "../session.ts";
import { step, withNotices } from "../step.ts";

export interface OutsideFacts {
  readonly now: "asked" | "edited";
  readonly situation: Situation;
}

/** The person hears once of each such file, when it is asked about or has been edited; the model of those that nobody was asked about. */
export function flagOutside(session: Session, call: Call, { now, situation }: OutsideFacts): Step {
  const { access } = call;
  if (access?.kind !== "write" || !isOutsidePlan(access, situation)) return step(session);
  const { path } = access;
  const noted = now === "edited" ? edited(session, call, situation) : session;
  if (session.outsidePlan.includes(path)) return step(noted);
  const outsidePlan = [...session.outsidePlan, path];
  return step({ ...noted, outsidePlan }, { type: "notify", notice: { key: "outside-plan", path, now } });
}

function edited(session: Session, call: Call, situation: Situation): Session {
  const path = call.access?.kind === "write" ? call.access.path : "";
  if (session.outsideEdits.includes(path)) return session;
  const counted = { ...session, outsideEdits: [...session.outsideEdits, path] };
  if (decide(call, situation).kind !== "allow") return counted;
  const { told, untold } = session.notices.outside;
  return withNotices(counted, { outside: { told, untold: [...untold, path] } });
}

export interface PlanProgress {
  /** Steps, by the todo list that was made of them. */
  readonly done: number;
  readonly steps: number;
  /** Files edited that the plan does not name. */
  readonly outside: readonly string[];
}

/** Null where no approved plan is being carried out. */
export function planProgress({ plan, permissions, todos, outsideEdits }: Session): PlanProgress | null {
  if (plan.approved === null || isPlanning(permissions)) return null;
  const done = todos.filter(({ status }) => status === "completed").length;
  return { done, steps: todos.length, outside: outsideEdits };
}
