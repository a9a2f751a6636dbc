/** Looks into the most promising files for the passage that has most of the task's words together, and for its very phrases. */
import { isStopWord, splitName, stem } from "./words.ts";

export interface Passage {
  /** The worth of the distinct terms within one stretch of lines. */
  readonly window: number;
  /** The worth of neighbouring words of the task that are neighbours here too. */
  readonly pairs: number;
  /** How many of the quoted texts stand here literally. */
  readonly phrases: number;
  /** The line where the best stretch begins, from 1. */
  readonly line: number;
}

export interface Wanted {
  /** Index term → worth. */
  readonly terms: ReadonlyMap<string, number>;
  /** Two neighbouring stems, joined by a space → worth. */
  readonly pairs: ReadonlyMap<string, number>;
  readonly phrases: readonly string[];
}

const height = 15;
const longestLine = 400;
const name = /[A-Za-z_$][\w$]*|[\u00c0-\u024f\u0370-\u1fff\u3040-\ud7af]+/g;

/** Pairs of neighbouring words in the task, each worth the lesser of its two. */
export function pairsOf(text: string, terms: ReadonlyMap<string, number>): Map<string, number> {
  const pairs = new Map<string, number>();
  for (const clause of text.split(/[\n,;:.!?()]/)) {
    const stems = stemsOf(clause);
    for (const [at, next] of stems.slice(1).entries()) {
      const worth = Math.min(terms.get(stems[at]!) ?? 0, terms.get(next) ?? 0);
      if (worth > 0) pairs.set(`${stems[at]} ${next}`, worth);
    }
  }
  return pairs;
}

export function findPassage(text: string, { terms, pairs, phrases }: Wanted): Passage {
  const counts = new Map<string, number>();
  const lines: (readonly string[])[] = [];
  const seenPairs = new Map<string, number>();
  let worth = 0;
  let best = { window: 0, line: 1 };
  let previous = "";
  for (const raw of text.split("\n")) {
    const stems = raw.length > longestLine ? [] : stemsOf(raw);
    for (const next of stems) {
      const worthOfPair = pairs.get(`${previous} ${next}`);
      if (worthOfPair !== undefined) seenPairs.set(`${previous} ${next}`, worthOfPair);
      previous = next;
    }
    const found = [...new Set([...stems, ...joinedNames(raw)])].filter((term) => terms.has(term));
    lines.push(found);
    for (const term of found) worth += change(counts, term, 1) === 1 ? terms.get(term)! : 0;
    for (const term of lines[lines.length - 1 - height] ?? [])
      worth -= change(counts, term, -1) === 0 ? terms.get(term)! : 0;
    if (worth > best.window + 1e-9) best = { window: worth, line: Math.max(1, lines.length - height + 1) };
  }
  const lower = phrases.length === 0 ? "" : text.toLowerCase();
  return {
    ...best,
    pairs: [...seenPairs.values()].reduce((sum, pair) => sum + pair, 0),
    phrases: phrases.filter((phrase) => lower.includes(phrase.toLowerCase())).length,
  };
}

function change(counts: Map<string, number>, term: string, by: number): number {
  const count = (counts.get(term) ?? 0) + by;
  counts.set(term, count);
  return count;
}

function stemsOf(text: string): string[] {
  const found = text.match(name) ?? [];
  return found
    .flatMap((word) => (word.length > 80 ? [] : splitName(word)))
    .filter((part) => part.length > 1 && !isStopWord(part))
    .map(stem);
}

function joinedNames(text: string): string[] {
  if (text.length > longestLine) return [];
  return (text.match(name) ?? [])
    .filter((word) => /[a-z][A-Z]|\w_\w/.test(word))
    .map((word) => word.replace(/[_$]/g, "").toLowerCase());
}
