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

/** Agents that come to nothing so often, one after the other, are given up. */
const mostIdle = 3;
/** So many probes of one conversation have the time of one run; a conversation has that of so many at most. */
const inTime = { probes: 16, runs: 3 };

export function startRunner(
  { row, ...subject }: CrashSubject,
  { limitMs }: { readonly limitMs: number },
  ground: CrashGround,
): Runner {
  const tally = { requests: 0, unreachable: 0, runs: 0 };
  let [idle, why]: [number, string | null] = [0, null];
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
      if (wish.byHand !== true) {
        why = idleness(outcome);
        idle = why === null ? 0 : idle + 1;
      }
      return outcome;
    },
    givenUp: () => (idle >= mostIdle ? `given up: ${why}, ${mostIdle} times in a row` : null),
    tally: () => tally,
  };
}

/** Why a run came to nothing. A conversation that came to its second probe did not: some agents stop after so many refusals, and wait for a person. */
function idleness({ report }: LegOutcome): string | null {
  if (report === null) return "it came to no end";
  if (report.ended?.flooded === true) return "it flooded its output";
  if (report.ended?.timedOut === true && !report.ended.asks && report.scenes[1]?.said !== true) return "it hung";
  return report.problem === null && report.requests === 0 ? "it never asked the model" : null;
}
