import { describe, expect, test } from "vitest";
import { gates, leavings, modes, scriptOf, sequences, type Expected, type Row } from "../../test/support/auto-model.ts";
import { noticesIn, remindersOf, type Move } from "../testing/core-fixtures.ts";
import type { Effect } from "./effect.ts";
import type { Event } from "./event.ts";
import { reduce } from "./reduce.ts";
import { permissionContext } from "./selectors.ts";
import { freshSession, type Session } from "./session.ts";

/** A start in plan mode differs from a choice in its first event alone: two changes are played once. */
const short = sequences.filter(({ length }) => length < 2);

describe.each(modes)("R2.7 R7.6 R11.2 R11.3 R11.4 R1.5 from %s", (mode) => {
  test.each([
    [true, "chosen"],
    [false, "chosen"],
    [true, "at the start"],
    [false, "at the start"],
  ] as const)("useAutoModeDuringPlan %s, plan mode %s: every change, way out and crash", (duringPlan, entry) => {
    const results: Result[] = [];
    for (const gate of gates) {
      if (mode === "auto" && (!gate.optedIn || gate.gate !== "open")) continue;
      for (const leaving of leavings) {
        for (const sequence of entry === "chosen" ? sequences : short)
          results.push(check({ mode, duringPlan, entry, gate, leaving, sequence }));
      }
    }
    expect(results.flatMap(({ problems }) => problems).slice(0, 3)).toEqual([]);
    expect(results.reduce((sum, { plays }) => sum + plays, 0)).toBeGreaterThan(1000);
  });
});

interface Result {
  readonly plays: number;
  readonly problems: readonly string[];
}

/** Cuts before the first of two changes are those before one. */
const entryEvents = 3;

/** Plays the row whole, then once for each point at which the process could have died. */
function check(row: Row): Result {
  const { moves, expected } = scriptOf(row);
  if (expected === null) return { plays: 0, problems: [] };
  const whole = run(freshSession(), moves);
  const log = JSON.parse(JSON.stringify(whole.log)) as readonly Event[];
  const problems = problemsOf(whole, expected);
  const told: Effect[] = [];
  let replayed = freshSession();
  let plays = 1;
  for (const [index, event] of log.entries()) {
    const step = reduce(replayed, event);
    replayed = step.session;
    told.push(...step.effects);
    if (row.sequence.length > 1 && index + 1 < entryEvents) continue;
    plays += 1;
    const { session, effects } = run(replayed, [{ type: "session-resumed", plan: null }, ...moves.slice(index + 1)]);
    const found = problemsOf({ session, effects: [...told, ...effects], log }, expected);
    problems.push(...found.map((problem) => `cut after ${event.type} (${index}): ${problem}`));
  }
  const { leaving, sequence, mode, entry, gate } = row;
  const name = [mode, entry, gate.name, ...sequence.map((one) => one.name), leaving.name].join(" | ");
  return { plays, problems: problems.map((problem) => `${name}: ${problem}`) };
}

interface Ran {
  readonly session: Session;
  readonly effects: readonly Effect[];
  readonly log: readonly Event[];
}

function run(session: Session, moves: readonly Move[]): Ran {
  const log: Event[] = [];
  const effects: Effect[] = [];
  let now = session;
  for (const move of moves) {
    const event = typeof move === "function" ? move(now) : move;
    const step = reduce(now, event);
    log.push(event);
    effects.push(...step.effects);
    now = step.session;
  }
  return { session: now, effects, log };
}

function problemsOf({ session, effects }: Ran, expected: Expected): string[] {
  const { mode, active, rules, exitOwed, notices } = expected;
  const context = permissionContext(session);
  const { autoExitDue } = session.notices;
  const hasHeard = autoExitDue || remindersOf(session).some(({ type }) => type === "auto_mode_exit");
  const { allow, ask, deny } = session.permissions.rules;
  const wanted = {
    mode,
    active,
    rules,
    counting: active ? rules.allow.filter((rule) => !dangerous.has(rule)) : rules.allow,
    stripped: active ? rules.allow.filter((rule) => dangerous.has(rule)) : undefined,
    notices,
    exit: exitOwed,
  };
  const seen: typeof wanted = {
    mode: context.mode,
    active: session.permissions.autoActive,
    rules: { allow, ask, deny },
    counting: [...context.allow],
    stripped: context.strippedDangerousRules?.slice(),
    notices: autoNotices(effects),
    exit: exitOwed ? hasHeard : autoExitDue,
  };
  const [one, other] = [JSON.stringify(wanted), JSON.stringify(seen)];
  return one === other ? [] : [`wanted ${one}, got ${other}`];
}

const dangerous = new Set(["Bash(python:*)", "Bash", "Agent(*)", "Bash(sh:*)"]);

function autoNotices(effects: readonly Effect[]): readonly string[] {
  return noticesIn(effects).filter((key) => key.startsWith("auto-mode-") && key !== "auto-mode-unsure");
}
