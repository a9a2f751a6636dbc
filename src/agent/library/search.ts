/** Full-text search over plans: ranked, with the lines that match (B5.4). */
import { approvedHash } from "../../core/plan/ledger.ts";
import { hashText } from "../../core/plan/hash.ts";
import type { PlanEntry } from "./entry.ts";
import { fold, foldPlaces, placesOf, termsOf, type Term } from "./fold.ts";
import { loadPlan } from "./load-plan.ts";
import { foldPlan, rankPlans, type FoldedPlan } from "./rank.ts";
import { readPlanFile } from "./loose-files.ts";

export interface Match {
  readonly plan: PlanEntry;
  readonly score: number;
  /** The lines that match best, in the plan's order. */
  readonly lines: readonly MatchingLine[];
}

export interface MatchingLine {
  /** From 1 on. */
  readonly line: number;
  readonly text: string;
  /** What was found in `text`: from and to, one after the other. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

export interface SearchResult {
  readonly matches: readonly Match[];
  /** How many plans match, those beyond the limit included. */
  readonly total: number;
  /** False when no plan has all the words, and these have some of them. */
  readonly hasAll: boolean;
}

export interface PlanSearchOptions {
  readonly configHome: string;
  /** Newest first: of two that fit as well the newer one comes first. */
  readonly plans: readonly PlanEntry[];
  readonly limit: number;
}

/** Null when there is nothing to look for in the words. */
export async function searchPlans(query: string, options: PlanSearchOptions): Promise<SearchResult | null> {
  const { configHome, plans, limit } = options;
  const terms = termsOf(query);
  if (terms.length === 0) return null;
  const textOf = (plan: PlanEntry): Promise<string> => textThatCounts(configHome, plan);
  const inScope = new Map(plans.map((plan) => [plan.id, plan]));
  const folded: FoldedPlan[] = [];
  for (const plan of plans) folded.push(foldPlan(plan, await textOf(plan)));
  const ranked = rankPlans(folded, terms).toSorted((one, other) => other.terms - one.terms || other.score - one.score);
  const hasAll = ranked[0]?.terms === terms.length;
  const fitting = hasAll ? ranked.filter((one) => one.terms === terms.length) : ranked;
  const best = fitting.slice(0, limit).map(async ({ id, score }) => {
    const plan = inScope.get(id)!;
    return { plan, score, lines: matchingLines(await textOf(plan), terms) };
  });
  return { matches: await Promise.all(best), total: fitting.length, hasAll };
}

/** The approved bytes, else what the file holds, else what the log has. */
async function textThatCounts(configHome: string, plan: PlanEntry): Promise<string> {
  const onDisk = readPlanFile(plan.file);
  const approved = approvedHash(plan);
  const isRight = onDisk !== null && (approved === null || hashText(onDisk) === approved);
  return isRight ? onDisk : (await loadPlan(configHome, plan)).text;
}

/** Those with the most of the terms, headings before others. */
function matchingLines(text: string, terms: readonly Term[]): readonly MatchingLine[] {
  const lines = text.split("\n").flatMap((line, at) => {
    const folded = fold(line);
    const count = terms.filter((term) => placesOf(folded, term).next().done === false).length;
    return count === 0 ? [] : [{ line: at + 1, text: line.trim(), weight: count + (line.startsWith("#") ? 0.5 : 0) }];
  });
  return lines
    .toSorted((one, other) => other.weight - one.weight || one.line - other.line)
    .slice(0, mostLines)
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, text: words }) => ({ line, text: words, marks: marksIn(words, terms) }));
}

/** Those that touch are one. */
function marksIn(text: string, terms: readonly Term[]): MatchingLine["marks"] {
  const { folded, origins } = foldPlaces(text);
  const found = terms.flatMap((term) => [...placesOf(folded, term)]).toSorted((one, other) => one.at - other.at);
  const marks: [number, number][] = [];
  for (const { at, end } of found) {
    const [from, to] = [origins[at]!, origins[end]!];
    const last = marks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return marks;
}

const mostLines = 3;
