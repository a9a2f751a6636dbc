/** Looks into the most promising files for the passage that has most of the task's words together, and for its very phrases. */
import { remember } from "../look/keyed.ts";
import { isStopWord, joinName, splitName, stem } from "../look/words.ts";

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

/** Words are read once for all files. */
export function makeFinder({ terms, pairs, phrases }: Wanted): (text: string) => Passage {
  const read = remember((word: string) => {
    const stems = stemsOf(word);
    const wanted = [...stems, joinName(word)].filter((term) => terms.has(term));
    return { stems, terms: [...new Set(wanted)] };
  });
  return (text) => {
    const seen = new Map<string, number>();
    const best = findStretch(text, terms, (raw, previous) => {
      const found: string[] = [];
      let last = previous;
      for (const word of raw.length > longestLine ? [] : (raw.match(name) ?? [])) {
        const { stems, terms: here } = read(word);
        for (const next of stems) {
          if (last !== "" && pairs.size > 0 && terms.has(next)) {
            const worth = pairs.get(`${last} ${next}`);
            if (worth !== undefined) seen.set(`${last} ${next}`, worth);
          }
          last = next;
        }
        found.push(...here);
      }
      return { found: found.length > 1 ? [...new Set(found)] : found, last };
    });
    const lower = phrases.length === 0 ? "" : text.toLowerCase();
    return {
      ...best,
      pairs: [...seen.values()].reduce((sum, worth) => sum + worth, 0),
      phrases: phrases.filter((phrase) => lower.includes(phrase.toLowerCase())).length,
    };
  };
}

type LineReader = (raw: string, previous: string) => { readonly found: readonly string[]; readonly last: string };

/** Slides a stretch of lines down the text and keeps the one whose distinct terms are worth most. */
function findStretch(text: string, terms: Wanted["terms"], readLine: LineReader): { window: number; line: number } {
  const counts = new Map<string, number>();
  const lines: (readonly string[])[] = [];
  let worth = 0;
  let best = { window: 0, line: 1 };
  let previous = "";
  for (const raw of text.split("\n")) {
    const { found, last } = readLine(raw, previous);
    previous = last;
    lines.push(found);
    for (const term of found) worth += change(counts, term, 1) === 1 ? terms.get(term)! : 0;
    for (const term of lines[lines.length - 1 - height] ?? []) {
      worth -= change(counts, term, -1) === 0 ? terms.get(term)! : 0;
    }
    if (worth > best.window + 1e-9) best = { window: worth, line: Math.max(1, lines.length - height + 1) };
  }
  return best;
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
