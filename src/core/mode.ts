/** The five modes and every way from one to another; the only place where the mode changes (R1.3). */
import type { RuleBook } from "./decide/rules.ts";

/** From the narrowest to the widest. */
export const workingModes = ["default", "acceptEdits", "auto", "bypassPermissions"] as const;
/** In the order of Shift+Tab (R2.2). */
export const modes = ["default", "acceptEdits", "plan", "auto", "bypassPermissions"] as const;

export type WorkingMode = (typeof workingModes)[number];
export type Mode = (typeof modes)[number];

/** Plan mode cannot exist without knowing where to return to. */
export type ModeState =
  | { readonly current: WorkingMode }
  | {
      readonly current: "plan";
      readonly returnTo: WorkingMode;
      /** A teammate's own choice, which it may take back by itself (R12.3). */
      readonly voluntary?: true;
      /** Begun by the plan mode of the session above, and ended with it (B1.7). */
      readonly held?: true;
    };

export interface Permissions {
  readonly mode: ModeState;
  /** Counts mode changes; an answer given under one revision does not count under another. */
  readonly revision: number;
  /** Whether auto mode's classifier answers now: always in `auto`, in `plan` as R2.7 says. */
  readonly autoActive: boolean;
  readonly bypassAvailable: boolean;
  readonly rules: RuleBook;
}

export interface AutoPolicy {
  /** Opted in, and the gate is open. */
  readonly available: boolean;
  /** The setting `useAutoModeDuringPlan`. */
  readonly duringPlan: boolean;
}

/**
 * `auto-exit`: auto mode ended, the model must hear it. `auto-unavailable`: auto was due but its gate is closed (R7.6).
 * `bypass-unavailable`: bypass was due but this start does not allow it (R17.3).
 */
export type ModeNotice = "auto-exit" | "auto-unavailable" | "bypass-unavailable";

export interface ModeChange {
  readonly permissions: Permissions;
  readonly notices: readonly ModeNotice[];
}

export type ModeRefusal = "bypass-not-allowed-at-start" | "auto-not-available";

/** Any change that a person asks for. */
export function chooseMode(permissions: Permissions, mode: Mode, auto: AutoPolicy): ModeChange | ModeRefusal {
  if (mode === permissions.mode.current) return unchanged(permissions);
  if (mode === "plan") return enterPlan(permissions, auto);
  if (mode === "bypassPermissions" && !permissions.bypassAvailable) return "bypass-not-allowed-at-start";
  if (mode === "auto" && !auto.available) return "auto-not-available";
  return work(permissions, mode, auto);
}

export function enterPlan(permissions: Permissions, auto: AutoPolicy): ModeChange {
  const from = permissions.mode.current;
  if (from === "plan") return unchanged(permissions);
  const autoActive = auto.available && auto.duringPlan && from !== "bypassPermissions";
  return {
    permissions: {
      ...permissions,
      mode: { current: "plan", returnTo: from },
      revision: permissions.revision + 1,
      autoActive,
      rules: { ...permissions.rules, stripped: autoActive },
    },
    notices: permissions.autoActive && !autoActive ? ["auto-exit"] : [],
  };
}

/** Leaves plan mode for `to`, or for the mode kept at entry. */
export function leavePlan(permissions: Permissions, auto: AutoPolicy, to?: WorkingMode): ModeChange {
  const { mode } = permissions;
  if (mode.current !== "plan") return unchanged(permissions);
  return work(permissions, to ?? mode.returnTo, auto);
}

/** Settings or the gate changed: brings auto mode in line at once (R11.3, R11.4). */
export function syncAuto(permissions: Permissions, auto: AutoPolicy): ModeChange {
  const { mode } = permissions;
  if (mode.current === "auto")
    return auto.available ? unchanged(permissions) : work(permissions, "default", auto, true);
  if (mode.current !== "plan") return unchanged(permissions);
  const autoActive = auto.available && auto.duringPlan && mode.returnTo !== "bypassPermissions";
  return {
    permissions: { ...permissions, autoActive, rules: { ...permissions.rules, stripped: autoActive } },
    notices: permissions.autoActive && !autoActive ? ["auto-exit"] : [],
  };
}

/** This start alone says whether permissions may be skipped, also after a plan (R17.3, B1.15). */
export function syncBypass(permissions: Permissions, bypass: "off" | "available" | "on", auto: AutoPolicy): ModeChange {
  const { mode } = permissions;
  const allowed = { ...permissions, bypassAvailable: bypass !== "off" };
  const working = workingModeOf(permissions);
  const wanted =
    bypass === "on" ? "bypassPermissions" : bypass === "off" && working === "bypassPermissions" ? "default" : working;
  if (wanted === working) return unchanged(allowed);
  if (mode.current !== "plan") return work(allowed, working === "bypassPermissions" ? working : wanted, auto);
  const notices: ModeNotice[] = wanted === "default" ? ["bypass-unavailable"] : [];
  return { permissions: { ...allowed, mode: { ...mode, returnTo: wanted } }, notices };
}

/** Where Shift+Tab leads from here (R2.2); `cycle` narrows and orders the modes. */
export function nextMode(permissions: Permissions, auto: AutoPolicy, cycle: readonly Mode[] = modes): Mode {
  const possible = possibleModes(permissions, auto, cycle);
  const here = possible.indexOf(permissions.mode.current);
  return possible[(here + 1) % possible.length] ?? permissions.mode.current;
}

/** Those that a person can choose now. */
export function possibleModes(
  permissions: Permissions,
  auto: AutoPolicy,
  among: readonly Mode[] = modes,
): readonly Mode[] {
  return among.filter((mode) => isPossible(mode, permissions, auto));
}

export function isPlanning(permissions: Permissions): boolean {
  return permissions.mode.current === "plan";
}

/** The mode whose freedom is in force: while planning, the one kept at entry. */
export function workingModeOf({ mode }: Permissions): WorkingMode {
  return mode.current === "plan" ? mode.returnTo : mode.current;
}

/** The narrower of two modes: a child never gets more than its parent has. */
export function narrower(one: WorkingMode, other: WorkingMode): WorkingMode {
  return freedomOf(one) <= freedomOf(other) ? one : other;
}

export function freedomOf(mode: WorkingMode): number {
  return workingModes.indexOf(mode);
}

/** Back at an earlier moment: never wider than then nor than now, and whoever plans at one of the two plans (B15.3). */
export function rewindMode(now: Permissions, then: Permissions, auto: AutoPolicy): Permissions {
  const to = narrower(workingModeOf(now), workingModeOf(then));
  const revision = now.revision + 1;
  if (now.mode.current === "plan") {
    const { voluntary, ...planning } = now.mode;
    const isOwn = voluntary === true && (then.mode.current !== "plan" || then.mode.voluntary === true);
    const mode = { ...planning, returnTo: to, ...(isOwn ? { voluntary } : {}) };
    return syncAuto({ ...now, revision, mode }, auto).permissions;
  }
  const worked = work(now, to, auto).permissions;
  return then.mode.current === "plan" ? enterPlan(worked, auto).permissions : { ...worked, revision };
}

function work(permissions: Permissions, wanted: WorkingMode, auto: AutoPolicy, fell = false): ModeChange {
  const fallsBack = fell || (wanted === "auto" && !auto.available);
  const isBarred = wanted === "bypassPermissions" && !permissions.bypassAvailable;
  const mode = fallsBack || isBarred ? "default" : wanted;
  const autoActive = mode === "auto";
  const notices: ModeNotice[] = [];
  if (fallsBack) notices.push("auto-unavailable");
  if (isBarred) notices.push("bypass-unavailable");
  if (permissions.autoActive && !autoActive) notices.push("auto-exit");
  return {
    permissions: {
      ...permissions,
      mode: { current: mode },
      revision: permissions.revision + 1,
      autoActive,
      rules: { ...permissions.rules, stripped: autoActive },
    },
    notices,
  };
}

function isPossible(mode: Mode, permissions: Permissions, auto: AutoPolicy): boolean {
  if (mode === "auto") return auto.available;
  if (mode === "bypassPermissions") return permissions.bypassAvailable;
  return true;
}

function unchanged(permissions: Permissions): ModeChange {
  return { permissions, notices: [] };
}
