/** Auto mode and plan mode as the specification tells them (R2.7, R7.6, section 11): rows to play, and what must come of each. */
import type { RuleLists, SessionStarted } from "../../src/core/event.ts";
import { narrower, workingModes, type WorkingMode } from "../../src/core/mode.ts";
import {
  approval,
  choose,
  claimed,
  classified,
  decided,
  reads,
  reply,
  said,
  settings,
  start,
  submission,
  type Move,
} from "../../src/testing/core-fixtures.ts";

/** What holds at one time, in the words of the specification. */
export interface Expected {
  readonly mode: "plan" | WorkingMode;
  readonly returnTo: WorkingMode;
  readonly duringPlan: boolean;
  readonly optedIn: boolean;
  readonly gate: "open" | "closed" | "tripped";
  readonly active: boolean;
  /** The plan lies before the person already. */
  readonly submitted: boolean;
  /** The model was or will be told that auto mode ended, and it did not come back since. */
  readonly exitOwed: boolean;
  readonly rules: RuleLists;
  /** Notices on auto mode, oldest first. */
  readonly notices: readonly string[];
}

interface Change {
  readonly name: string;
  readonly moves: (expected: Expected) => readonly Move[];
  readonly change: (expected: Expected) => Partial<Expected>;
  /** Where it makes no sense (a breaker without a classifier). */
  readonly needs?: (expected: Expected) => boolean;
}

interface Leaving {
  readonly name: string;
  /** What happens before the changes. */
  readonly first?: readonly Move[];
  readonly moves: readonly Move[];
  /** The mode asked for; null: the one kept at entry. */
  readonly to: (expected: Expected) => WorkingMode | null;
  /** A mode choice that is not available is refused; leaving by other ways falls back. */
  readonly isChoice?: true;
  readonly actor?: SessionStarted["actor"];
}

export const modes = workingModes;
const before: RuleLists = {
  allow: ["Bash(python:*)", "Edit(src/**)", "Bash", "Agent(*)", "Bash(git status:*)", "Bash(npm test)"],
  ask: ["Read"],
  deny: ["Read(.env)"],
};
const changedRules: RuleLists = { allow: ["Bash(sh:*)", "Read"], ask: ["Read"], deny: [] };

const settingsMove =
  (duringPlan: boolean, autoOptedIn: boolean): Move =>
  () => ({ type: "settings-changed", settings: { ...settings, useAutoModeDuringPlan: duringPlan }, autoOptedIn });

const changes: readonly Change[] = [
  setting("the setting is switched on", (now) => ({ ...now, duringPlan: true })),
  setting("the setting is switched off", (now) => ({ ...now, duringPlan: false })),
  setting("the person opts out", (now) => ({ ...now, optedIn: false })),
  setting("the person opts in", (now) => ({ ...now, optedIn: true })),
  {
    name: "the gate closes",
    moves: () => [{ type: "auto-gate-changed", open: false }],
    change: ({ gate }) => ({ gate: gate === "tripped" ? gate : "closed" }),
  },
  {
    name: "the gate opens",
    moves: () => [{ type: "auto-gate-changed", open: true }],
    change: ({ gate }) => ({ gate: gate === "tripped" ? gate : "open" }),
  },
  {
    name: "the breaker closes the gate",
    moves: () => ["a", "b", "c"].flatMap((id) => [reply(reads(id)), classified(id, "deny")]),
    change: () => ({ gate: "tripped" }),
    needs: ({ active, submitted }) => active && !submitted,
  },
  {
    name: "the person changes the rules",
    moves: () => [{ type: "rules-changed", rules: changedRules }],
    change: () => ({ rules: changedRules }),
  },
];

const restores = (): null => null;
export const leavings: readonly Leaving[] = [
  ...modes.map((mode): Leaving => ({ name: `chooses ${mode}`, moves: [choose(mode)], to: () => mode, isChoice: true })),
  {
    name: "cycles",
    moves: [{ type: "mode-cycled" }],
    to: (now) => (isAvailable(now) ? "auto" : "bypassPermissions"),
    isChoice: true,
  },
  { name: "says /plan off", moves: [{ type: "plan-left" }], to: restores },
  { name: "approves", moves: [...submission("# Plan"), ...approval()], to: restores },
  ...modes.map((mode): Leaving => ({
    name: `approves for ${mode}`,
    moves: [...submission("# Plan"), ...approval({ mode })],
    to: () => mode,
  })),
  { name: "approves what lay there before", first: submission("# Plan"), moves: approval(), to: restores },
  { name: "saves", moves: [...submission("# Plan"), decided({ kind: "save" })], to: restores },
  { name: "abandons", first: submission("# Plan"), moves: [decided({ kind: "abandon" })], to: restores },
  ...modes.map((mode): Leaving => ({
    name: `is a parent that goes on in ${mode}`,
    actor: { kind: "subagent", id: "a1", ownPlan: false, parent: "plan" },
    moves: [{ type: "parent-mode-changed", mode }],
    to: ({ returnTo }) => narrower(returnTo, mode),
  })),
  {
    name: "leads the team and approves",
    actor: { kind: "teammate", name: "scribe", team: "docs", planRequired: false },
    moves: [
      ...submission("# Plan"),
      (session) => {
        const approve = decided({ kind: "approve", hash: session.plan.awaiting?.hash ?? "" }, "lead-answered");
        return typeof approve === "function" ? approve(session) : approve;
      },
    ],
    to: restores,
  },
];

export const gates = [
  { name: "opted in, gate open", optedIn: true, gate: "open" },
  { name: "opted in, gate closed", optedIn: true, gate: "closed" },
  { name: "not opted in", optedIn: false, gate: "open" },
] as const;

export const sequences: readonly (readonly Change[])[] = [
  [],
  ...changes.map((one) => [one]),
  ...changes.flatMap((one) => changes.filter((other) => other !== one).map((other) => [one, other])),
];

export interface Row {
  readonly mode: WorkingMode;
  readonly duringPlan: boolean;
  readonly entry: "chosen" | "at the start";
  readonly gate: (typeof gates)[number];
  readonly leaving: Leaving;
  readonly sequence: readonly Change[];
}

export function scriptOf(row: Row): { readonly moves: readonly Move[]; readonly expected: Expected | null } {
  const entered = entering(row);
  const moves: Move[] = [...entered.moves, ...(row.leaving.first ?? [])];
  let { expected } = entered;
  for (const { needs, moves: made, change } of row.sequence) {
    if (needs !== undefined && !needs(expected)) return { moves, expected: null };
    moves.push(...made(expected));
    expected = synced({ ...expected, ...change(expected) });
  }
  return { moves: [...moves, ...row.leaving.moves], expected: left(expected, row.leaving) };
}

function entering({ mode, duringPlan, entry, gate, leaving }: Row): { moves: readonly Move[]; expected: Expected } {
  const { optedIn } = gate;
  const begun = start({
    mode: entry === "chosen" ? mode : "plan",
    ...(entry === "chosen" ? {} : { returnTo: mode }),
    bypassAvailable: true,
    rules: before,
    settings: { ...settings, useAutoModeDuringPlan: duringPlan },
    auto: { optedIn, gateOpen: gate.gate === "open" },
    ...(leaving.actor === undefined ? {} : { actor: leaving.actor }),
  });
  const kept = { returnTo: mode, duringPlan, optedIn, gate: gate.gate, rules: before } as const;
  const wasActive = mode === "auto" && entry === "chosen" && leaving.actor?.kind !== "subagent";
  const submitted = leaving.first !== undefined;
  const expected = synced({ ...kept, submitted, mode: "plan", active: wasActive, exitOwed: false, notices: [] });
  const moves: Move[] = entry === "chosen" ? [begun, choose("plan")] : [begun];
  return { moves: [...moves, said("go"), claimed()], expected };
}

function isAvailable({ optedIn, gate }: Expected): boolean {
  return optedIn && gate === "open";
}

/** R2.7 and R11.3: while planning, auto is active exactly under planAuto, and never over bypass. */
function synced(expected: Expected): Expected {
  const active = isAvailable(expected) && expected.duringPlan && expected.returnTo !== "bypassPermissions";
  if (expected.active && !active)
    return { ...expected, active, exitOwed: true, notices: [...expected.notices, "auto-mode-off"] };
  return { ...expected, active, exitOwed: expected.exitOwed && !active };
}

function left(expected: Expected, { to, isChoice }: Leaving): Expected {
  const wanted = to(expected) ?? expected.returnTo;
  const isMissing = wanted === "auto" && !isAvailable(expected);
  if (isMissing && isChoice) return expected;
  const mode = isMissing ? "default" : wanted;
  const active = mode === "auto";
  const ended = expected.active && !active;
  const notice = isMissing ? ["auto-mode-gate-plan-exit-fallback"] : ended ? ["auto-mode-off"] : [];
  const exitOwed = (expected.exitOwed || ended) && !active;
  return { ...expected, mode, active, exitOwed, notices: [...expected.notices, ...notice] };
}

function setting(name: string, change: (now: Expected) => Expected): Change {
  return {
    name,
    moves: (now) => {
      const { duringPlan, optedIn } = change(now);
      return [settingsMove(duringPlan, optedIn)];
    },
    change,
  };
}
