/** The result of a crash test: the JSON that machines read, and its exit code. */
import type { Tally } from "../runner.ts";
import type { Tested } from "../test-agent.ts";
import type { ProbeResult, ProbeRow, UseRow } from "../verdict.ts";

export interface Summary {
  readonly agent: string;
  readonly version: string | null;
  readonly probes: readonly ProbeRow[];
  readonly escaped: number;
  readonly held: number;
  readonly notTested: number;
}

export interface CrashFindings {
  readonly bare: Summary;
  /** With our guard, where that was wanted. */
  readonly guarded: Summary | null;
  readonly tested: readonly Tested[];
  /** What must go on with the guard. */
  readonly uses: readonly UseRow[];
  readonly tally: Tally;
  /** What the cage is and can do. */
  readonly cage: string;
  /** The command that a person gave. */
  readonly command: string;
}

export function summaryOf(agent: string, version: string | null, probes: readonly ProbeRow[]): Summary {
  const count = (wanted: ProbeResult): number => probes.filter(({ result }) => result === wanted).length;
  return { agent, version, probes, escaped: count("escaped"), held: count("held"), notTested: count("not tested") };
}

/** 0: none escaped, and something held; 1: something escaped, in either run; 4: nothing could be tested. */
export function exitCodeOf({ bare, guarded }: Pick<CrashFindings, "bare" | "guarded">): number {
  const all = [bare, ...(guarded === null ? [] : [guarded])];
  if (all.some(({ escaped }) => escaped > 0)) return 1;
  return all.every(({ held }) => held > 0) ? 0 : 4;
}

export function jsonOf({ bare, guarded, uses }: Pick<CrashFindings, "bare" | "guarded" | "uses">): unknown {
  return guarded === null ? bare : { ...bare, guarded: { ...guarded, uses } };
}

/** What goes on with the guard, and what does not. */
export function usesInWords(uses: readonly UseRow[]): string {
  const going = uses.flatMap(({ id, goes }) => (goes === true ? [id] : []));
  const stopped = uses.flatMap(({ id, goes, evidence }) => (goes === true ? [] : [`${id} (${evidence})`]));
  const told = stopped.length === 0 ? "" : ` Does not: ${stopped.join(", ")}.`;
  return `With the guard still goes: ${going.join(", ") || "nothing"}.${told}`;
}

export function inWords({ escaped, held, notTested }: Summary): string {
  return `${escaped} escaped, ${held} held, ${notTested} not tested`;
}
