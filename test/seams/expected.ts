/** What ought to hold by the words of the specification: kept beside the program, from settings and flags alone, never from its state. */
import type { Call } from "../../src/core/decide/access.ts";
import { decide } from "../../src/core/decide/decide.ts";
import type { Decision } from "../../src/core/decide/decision.ts";
import type { RuleLists } from "../../src/core/event.ts";
import type { Mode, WorkingMode } from "../../src/core/mode.ts";
import type { Session } from "../../src/core/session.ts";
import type { SettingsFile } from "../../src/core/settings/shape.ts";

/** The files and options of one moment. */
export interface Sources {
  readonly user: SettingsFile;
  readonly project: SettingsFile;
  readonly option: SettingsFile;
  readonly trust: boolean;
}

export interface Expected {
  readonly mode: Mode;
  readonly returnTo: WorkingMode;
  readonly bypassAvailable: boolean;
  readonly rules: RuleLists;
  readonly optedIn: boolean;
  readonly duringPlan: boolean;
}

export interface Flags {
  readonly mode: Exclude<Mode, "bypassPermissions"> | null;
  readonly bypass: "off" | "available" | "on";
}

export function begun(sources: Sources, { mode, bypass }: Flags): Expected {
  const settled = settledBy(sources);
  const wanted = mode ?? "default";
  const auto = wanted === "auto" && !settled.optedIn ? "default" : wanted;
  const working: WorkingMode = bypass === "on" ? "bypassPermissions" : auto === "plan" ? "default" : auto;
  const isPlan = wanted === "plan";
  return { ...settled, mode: isPlan ? "plan" : working, returnTo: working, bypassAvailable: bypass !== "off" };
}

/** The files changed while it ran. */
export function changed(before: Expected, sources: Sources): Expected {
  return withoutAuto({ ...before, ...settledBy(sources) });
}

export function resumed(before: Expected, sources: Sources, { mode, bypass, doubted }: Flags & { doubted: boolean }) {
  const now = { ...before, ...settledBy(sources), bypassAvailable: bypass !== "off" };
  if (doubted) return { ...now, mode: "plan", returnTo: "default", bypassAvailable: false } satisfies Expected;
  const working = now.mode === "plan" ? now.returnTo : now.mode;
  const bounded =
    bypass === "on" ? "bypassPermissions" : bypass === "off" && working === "bypassPermissions" ? "default" : working;
  const kept = withoutAuto({ ...now, mode: now.mode === "plan" ? "plan" : bounded, returnTo: bounded });
  if (mode === null || (bypass === "on" && mode !== "plan")) return kept;
  return chosen(kept, mode);
}

/** A mode choice of a person. */
export function chosen(before: Expected, mode: Mode): Expected {
  if (mode === before.mode) return before;
  if (mode === "plan") return { ...before, mode, returnTo: before.mode === "plan" ? before.returnTo : before.mode };
  if (mode === "auto" && !before.optedIn) return before;
  if (mode === "bypassPermissions" && !before.bypassAvailable) return before;
  return { ...before, mode, returnTo: mode };
}

/** R11.4: auto mode cannot be without the opt-in. */
function withoutAuto(expected: Expected): Expected {
  return expected.mode === "auto" && !expected.optedIn
    ? { ...expected, mode: "default", returnTo: "default" }
    : expected;
}

/** Rules are united; a project's own allow rules and wider settings count with trust alone. */
function settledBy({ user, project, option, trust }: Sources): Pick<Expected, "rules" | "optedIn" | "duringPlan"> {
  const all = [user, project, option];
  const open = trust ? all : [user, option];
  const rules = { allow: united("allow", open), ask: united("ask", all), deny: united("deny", all) };
  return {
    rules,
    optedIn: valueOf(all, trust, ({ autoMode }) => autoMode?.enabled),
    duringPlan: valueOf(all, trust, ({ useAutoModeDuringPlan }) => useAutoModeDuringPlan),
  };
}

function united(name: Exclude<keyof RuleLists, "session">, from: readonly SettingsFile[]): readonly string[] {
  return [...new Set(from.flatMap(({ permissions }) => permissions?.[name] ?? []))];
}

/** The last one that says something; an untrusted project may only switch off. */
function valueOf(
  [user, project, option]: readonly SettingsFile[],
  trust: boolean,
  read: (settings: SettingsFile) => boolean | undefined,
): boolean {
  const own = read(user!) ?? false;
  const theirs = read(project!);
  const both = theirs === undefined || (theirs && !trust) ? own : theirs;
  return read(option!) ?? both;
}

/** What `decide` says of the call, with the permissions that ought to hold; only paths and the plan's file are the session's own. */
export function decisionOf(call: Call, expected: Expected, session: Session): Decision {
  const { mode, returnTo, rules, bypassAvailable, optedIn, duringPlan } = expected;
  const planAuto = optedIn && duringPlan && returnTo !== "bypassPermissions";
  const autoActive = mode === "plan" ? planAuto : mode === "auto";
  return decide(call, {
    permissions: {
      mode: mode === "plan" ? { current: "plan", returnTo } : { current: mode },
      revision: 0,
      autoActive,
      bypassAvailable,
      rules: { ...rules, stripped: autoActive, runners: ["Bash", "PowerShell", "Agent"] },
    },
    actor: session.actor,
    planFile: session.plan.file,
    roots: session.roots,
    planNetwork: "readers",
    modelMayEnterPlan: "ask",
    reviewable: true,
  });
}
