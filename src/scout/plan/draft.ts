/** What a plan is made of, before it is written down. */
import type { Wishes } from "./feedback.ts";
import type { Findings } from "./findings.ts";
import { clipped } from "../rank/names.ts";
import type { RankedFile, Ranking } from "../rank/rank.ts";
import { kindOf } from "../look/kinds.ts";
import { documentReason, type Selection } from "../rank/select.ts";
import type { Spot } from "./spots.ts";

export interface Draft {
  readonly task: string;
  readonly ranking: Ranking;
  readonly selection: Selection;
  /** The chosen files that also held what was looked for once they were read, and those that held less of it. */
  readonly main: readonly RankedFile[];
  readonly reach: readonly RankedFile[];
  readonly findings: Findings;
  readonly wishes: Wishes;
  /** What the person chose when asked, or what was assumed; empty when nothing was asked. */
  readonly decisions: readonly string[];
  /** Headings that the project wants in every plan. */
  readonly headings: readonly string[];
  /** Paths that a person may name without more ado. */
  readonly known: readonly string[];
}

const longestTitle = 110;

export function titleFor(task: string): string {
  const line = oneLine((task.split("\n").find((text) => text.trim() !== "") ?? "").replace(/^[#>\s]+/, ""), 1000);
  const clause = line.length > longestTitle ? (/^.{30,}?(?=[.;:!?] |, )/.exec(line)?.[0] ?? line) : line;
  const plain = oneLine(clause, longestTitle).replace(/[.:;,]+$/, "");
  if (plain === "") return "Plan";
  return /^\w+(?:\([^)]*\))?!?:/.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}

const mostMain = 3;
const mainEnough = 0.6;

/** Weighs the ranking against what reading has shown; files that a person named stay, and lead only where nothing else does. */
export function weigh({ change }: Selection, { spots }: Findings): Pick<Draft, "main" | "reach"> {
  const best = spots.reduce((most, { fit }) => Math.max(most, fit), 0);
  const share = (path: string): number =>
    best === 0 ? 1 : (spots.find((spot) => spot.path === path)?.fit ?? 0) / best;
  const weighed = change
    .map((file) => ({ file, weight: (isNamed(file) ? 2 : 0) + file.score * (0.4 + 0.6 * share(file.path)) }))
    .toSorted((left, right) => right.weight - left.weight);
  const added = weighed.map(({ file }) => file).filter(isAdded);
  const found = weighed.filter(({ file }) => !isAdded(file));
  const top = found[0]?.weight ?? 0;
  const main = found.filter(({ weight }) => weight >= top * mainEnough).map(({ file }) => file);
  const kept = [...main.slice(0, Math.max(mostMain, main.filter(isNamed).length)), ...added];
  return { main: kept, reach: found.map(({ file }) => file).filter((file) => !kept.includes(file)) };
}

/** A document that is named along with code is spoken of, not meant. */
function isNamed({ why, path }: RankedFile): boolean {
  return why.includes("named in the task") && kindOf(path) !== "document";
}

function isAdded({ why }: RankedFile): boolean {
  return why.startsWith("named in the feedback") || why.startsWith(documentReason);
}

/** The definitions of a file that fit the task, best first. */
export function spotsOf(path: string, { spots }: Findings): readonly Spot[] {
  const own = spots.filter((spot) => spot.path === path);
  const least = (own[0]?.fit ?? 0) * 0.5;
  return own.filter(({ fit }) => fit >= least);
}

export function oneLine(text: string, longest: number): string {
  return clipped(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").trim(), longest);
}
