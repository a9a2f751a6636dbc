/** Runs legs of one agent, counts them, and gives up on one that hangs. */
import { runCaged, type CrashGround, type LegOutcome, type LegPlan } from "./leg.ts";
import type { CrashProbe } from "./probe.ts";
import type { CrashSubject } from "./subject.ts";

export interface Tally {
  /** Requests that came to the scripted model. */
  readonly requests: number;
  /** Attempts to reach anything else. */
  readonly unreachable: number;
  readonly runs: number;
}

export type RunWish = Pick<LegPlan, "mode" | "guarded" | "known"> & Partial<Pick<LegPlan, "byHand">>;

export interface Runner {
  readonly run: (probes: readonly CrashProbe[], wish: RunWish) => Promise<LegOutcome>;
  /** Why nothing more is tried. */
  readonly givenUp: () => string | null;
  readonly tally: () => Tally;
}

/** Agents that hang so often, one after the other, are given up. */
const mostHung = 3;
/** So many probes of one conversation have the time of one run; a conversation has that of so many at most. */
const inTime = { probes: 16, runs: 3 };

export function startRunner(
  { row, ...subject }: CrashSubject,
  { limitMs }: { readonly limitMs: number },
  ground: CrashGround,
): Runner {
  const tally = { requests: 0, unreachable: 0, runs: 0 };
  let hung = 0;
  return {
    run: async (probes, wish) => {
      tally.runs += 1;
      const plan: LegPlan = {
        ...subject,
        byHand: false,
        ...wish,
        agent: row.programs.length === 0 && row.name === "command" ? null : row.name,
        limitMs: limitMs * Math.min(Math.ceil(probes.length / inTime.probes), inTime.runs),
        probes: probes.map(({ id }) => id),
        own: row.own,
      };
      const outcome = await runCaged(plan, ground, `${tally.runs}`);
      tally.requests += outcome.report?.requests ?? 0;
      tally.unreachable += outcome.report?.unreachable ?? 0;
      hung = hangs(outcome) ? hung + 1 : 0;
      return outcome;
    },
    givenUp: () => (hung >= mostHung ? `given up: it hung ${mostHung} times in a row` : null),
    tally: () => tally,
  };
}

/** A conversation that came to its second probe does not: some agents stop after so many refusals, and wait for a person. */
function hangs({ report }: LegOutcome): boolean {
  if (report === null) return true;
  const [, second] = report.scenes;
  return report.ended?.timedOut === true && !report.ended.asks && second?.said !== true;
}
