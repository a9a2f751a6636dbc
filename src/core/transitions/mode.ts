/** What a mode change brings with it: notices, reminders due, and a new judgement of what has not begun. */
import type { Effect, Step } from "../effect.ts";
import type { Event } from "../event.ts";
import {
  chooseMode,
  enterPlan,
  isPlanning,
  leavePlan,
  narrower,
  nextMode,
  syncAuto,
  syncBypass,
  workingModeOf,
} from "../mode.ts";
import type { AutoPolicy, Mode, ModeChange, Permissions, WorkingMode } from "../mode.ts";
import type { Notice } from "../reminders/notice.ts";
import type { Outcome } from "../outcome.ts";
import { isBlank } from "../plan/hash.ts";
import { choicesFor } from "../plan/review.ts";
import type { Choice } from "../verdict.ts";
import type { Session } from "../session.ts";
import { ceilingOf } from "../decide/situation.ts";
import { noUsage } from "../usage.ts";
import { refuse, step, follow, withNotices, withPlan } from "../step.ts";
import { closeReviews, rejudge, settle } from "./open-calls.ts";

/** How plan mode ended, where it did. */
export interface Leaving {
  readonly approved: boolean;
  /** A teammate's own choice (R12.3): nobody was to approve anything. */
  readonly own?: true;
  /** The plan as it was left; the approved one may have been let go of already. */
  readonly file: string | null;
  readonly text: string | null;
}

export function autoPolicy({ auto, settings }: Session): AutoPolicy {
  return { available: auto.optedIn && auto.gateOpen, duringPlan: settings.useAutoModeDuringPlan };
}

/** What a plan that is shown now can be answered with. */
export function choicesNow(session: Session): readonly Choice[] {
  const { permissions, actor } = session;
  return choicesFor({
    returnTo: workingModeOf(permissions),
    bypassAvailable: permissions.bypassAvailable,
    autoAvailable: autoPolicy(session).available,
    ceiling: ceilingOf(actor),
  });
}

export function modeChosen(session: Session, mode: Mode): Step {
  const change = chooseMode(session.permissions, mode, autoPolicy(session));
  if (typeof change === "string") {
    const told = step(session, { type: "notify", notice: { key: "mode-refused", mode, reason: change } });
    return follow(told, (now) => refuse(now, "mode-chosen", change));
  }
  return changeMode(session, change);
}

export function modeCycled(session: Session): Step {
  const { permissions, settings } = session;
  const mode = nextMode(permissions, autoPolicy(session), settings.cycleModes ?? undefined);
  const { session: cycled, effects } = modeChosen(session, mode);
  return step(cycled, ...effects.filter((effect) => effect.type !== "notify" || isNews(effect.notice, session)));
}

/** Who passes through the modes sees where they are; of a plan mode in which nothing happened there is nothing to say. */
function isNews({ key }: Notice, { notices }: Session): boolean {
  if (key === "auto-mode-off") return false;
  const isUntouched = notices.reminders === 0 && (notices.left !== null || notices.told !== "plan");
  return key !== "left-without-approval" || !isUntouched;
}

export function planLeft(session: Session): Step {
  if (!isPlanning(session.permissions)) return refuse(session, "plan-left", "not-planning");
  return changeMode(session, leavePlan(session.permissions, autoPolicy(session), exitMode(session)));
}

/** Where leaving plan mode leads: to the mode asked for, else the one kept; a child's is its parent's at most (R7.13). */
export function exitMode({ actor, permissions }: Session, to = workingModeOf(permissions)): WorkingMode {
  const ceiling = ceilingOf(actor);
  return ceiling === null ? to : narrower(to, ceiling);
}

export function enterByModel(session: Session): Step {
  const change = enterPlan(session.permissions, autoPolicy(session));
  const isTeammate = session.actor.kind === "teammate";
  const entered = changeMode(session, isTeammate ? marked(change, { voluntary: true }) : change);
  return follow(entered, (now) => step(now, { type: "notify", notice: { key: "plan-entered-by-model" } }));
}

function marked({ permissions, notices }: ModeChange, mark: { voluntary: true } | { held: true }): ModeChange {
  const { mode } = permissions;
  const noted = mode.current === "plan" ? { ...mode, ...mark } : mode;
  return { permissions: { ...permissions, mode: noted }, notices };
}

/** R12.3: with a plan or without one, it is the teammate's own to leave. */
export function leaveOnOwn(session: Session, callId: string): Step {
  const { file, text } = session.plan;
  return leaveBy(settle(session, callId, { kind: "left" }), { leaving: { approved: false, own: true, file, text } });
}

/** Leaves plan mode by a verdict, a lead's answer, or a teammate's own choice. */
export function leaveBy(
  session: Session,
  { to, leaving }: { readonly to?: WorkingMode; readonly leaving: Leaving },
): Step {
  return changeMode(session, leavePlan(session.permissions, autoPolicy(session), exitMode(session, to)), leaving);
}

export function autoChanged(session: Session): Step {
  return changeMode(session, syncAuto(session.permissions, autoPolicy(session)));
}

export function bypassChanged(session: Session, bypass: "off" | "available" | "on"): Step {
  return changeMode(session, syncBypass(session.permissions, bypass, autoPolicy(session)));
}

/** Into plan mode from default mode, whatever was before: what the log says of modes does not count. */
export function planAtMost(session: Session): Step {
  const { permissions } = session;
  const rules = { ...permissions.rules, stripped: false };
  const working: Permissions = { ...permissions, mode: { current: "default" }, autoActive: false, rules };
  const change = enterPlan(working, autoPolicy(session));
  return changeMode({ ...session, permissions: working }, change);
}

const parentPlans: Outcome = { kind: "denied", denial: { code: "exit-parent-planning", detail: null, part: null } };

/** A child follows its parent's gate, and keeps a plan mode of its own (B1.7). */
export function parentModeChanged(session: Session, event: Extract<Event, { type: "parent-mode-changed" }>): Step {
  const { actor } = session;
  if (actor.kind === "main" || actor.parent === undefined) return refuse(session, event.type, "nothing-to-do");
  const followed: Session = { ...session, actor: { ...actor, parent: event.mode } };
  if (event.mode === "plan") {
    const change = enterPlan(followed.permissions, autoPolicy(followed));
    const isOwn = actor.kind === "subagent" || isPlanning(followed.permissions);
    const planned = changeMode(followed, isOwn ? change : marked(change, { held: true }));
    return follow(planned, (now) => closeReviews(now, parentPlans));
  }
  const { permissions } = followed;
  const auto = autoPolicy(followed);
  if (isPlanning(permissions)) {
    const isOwn = actor.kind === "subagent" ? actor.ownPlan : !("held" in permissions.mode);
    return isOwn ? step(followed) : changeMode(followed, leavePlan(permissions, auto, exitMode(followed)));
  }
  const narrowed = chooseMode(permissions, exitMode(followed), auto);
  const change = typeof narrowed === "string" ? chooseMode(permissions, "default", auto) : narrowed;
  return typeof change === "string" ? step(followed) : changeMode(followed, change);
}

function changeMode(session: Session, change: ModeChange, leaving?: Leaving): Step {
  const before = session.permissions;
  const after = change.permissions;
  const noticed = noteAuto({ ...session, permissions: after }, change, isPlanning(before));
  if (after.revision === before.revision && after.autoActive === before.autoActive) return noticed;
  if (after.revision === before.revision || (!isPlanning(before) && !isPlanning(after)))
    return follow(noticed, rejudge);
  if (isPlanning(after)) return follow(noticed, (now) => rejudge(begin(now)));
  return follow(noticed, (now) => follow(end(now, leaving), rejudge));
}

/** The first request after an entry carries a full reminder; a file that could not be had is tried for again. */
function begin(session: Session): Session {
  const { claim } = session.plan;
  const retrying = claim === "failed" ? withPlan(session, { claim: "none" }) : session;
  const begun = withNotices(retrying, { reminders: 0, turnsSinceReminder: 0, budget: "within" });
  return { ...begun, usage: { ...session.usage, planning: noUsage } };
}

function end(session: Session, leaving?: Leaving): Step {
  const { approved, file, text, own } = leaving ?? { ...session.plan, approved: false };
  const left = withNotices(withPlan(session, { awaiting: null, answering: null }), {
    hasExited: true,
    left: { file, exists: !isBlank(text), approved, ...(own === true ? { own } : {}) },
  });
  if (approved || session.actor.kind === "subagent") return step(left);
  const mode = session.permissions.mode.current;
  return step(left, { type: "notify", notice: { key: "left-without-approval", mode } });
}

function noteAuto(session: Session, { notices }: ModeChange, wasPlanning: boolean): Step {
  const effects: Effect[] = [];
  if (notices.includes("bypass-unavailable")) effects.push({ type: "notify", notice: { key: "bypass-unavailable" } });
  if (notices.includes("auto-unavailable")) {
    const key = wasPlanning ? "auto-mode-gate-plan-exit-fallback" : "auto-mode-unavailable";
    effects.push({ type: "notify", notice: { key } });
  }
  if (session.permissions.autoActive) return step(withNotices(session, { autoExitDue: false }), ...effects);
  if (!notices.includes("auto-exit")) return step(session, ...effects);
  if (effects.length === 0) effects.push({ type: "notify", notice: { key: "auto-mode-off" } });
  return step(withNotices(session, { autoExitDue: true }), ...effects);
}
