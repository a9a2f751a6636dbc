/** Ranks plans by how well they fit the words: rare words count more, a title more than a heading, a heading more than the body. */
import { isWordCharacter, needsBoundary, type Term } from "./fold.ts";
import type { Placed, Segment } from "./search-text.ts";

export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** How many of the terms it has. */
  readonly terms: number;
}

/** Every plan that has any of the terms (BM25 over weighted fields). */
export function rankPlans(segments: readonly Segment[], terms: readonly Term[]): readonly Ranked[] {
  const found = terms.map((term) => countIn(segments, term));
  const total = segments.reduce((sum, { plans }) => sum + plans.length, 0);
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  const average = Math.max(1, bytes / Math.max(1, total));
  const scores = new Map<string, { score: number; terms: number }>();
  for (const counts of found) {
    const rarity = Math.log(1 + (total - counts.size + 0.5) / (counts.size + 0.5));
    for (const [{ id, start, end }, weight] of counts) {
      const length = (end - start) / average;
      const share = (weight * 2.2) / (weight + 1.2 * (0.25 + 0.75 * length));
      const sofar = scores.get(id) ?? { score: 0, terms: 0 };
      scores.set(id, { score: sofar.score + rarity * share, terms: sofar.terms + 1 });
    }
  }
  return [...scores].map(([id, { score, terms: has }]) => ({ id, score, terms: has }));
}

const weights = { title: 10, heading: 3, body: 1 };
/** So often in one plan says enough. */
const enough = 40;

function countIn(segments: readonly Segment[], term: Term): ReadonlyMap<Placed, number> {
  const counts = new Map<Placed, number>();
  for (const segment of segments) scan(segment, term, counts);
  return counts;
}

function scan({ bytes, plans }: Segment, { folded, isPhrase }: Term, counts: Map<Placed, number>): void {
  const needle = Buffer.from(folded, "utf8");
  const isBounded = needsBoundary(folded);
  let plan = 0;
  for (let at = bytes.indexOf(needle); at !== -1;) {
    while (plan < plans.length && plans[plan]!.end <= at) plan += 1;
    const here = plans[plan];
    if (here === undefined) return;
    let next = at + needle.length;
    if (!isBounded || !isWordCharacter(characterBefore(bytes, at))) {
      const isWhole = isPhrase || !isWordCharacter(characterAt(bytes, at + needle.length));
      const weight = (counts.get(here) ?? 0) + fieldWeight(here, at) * (isWhole ? 1 : 0.5);
      counts.set(here, weight);
      if (weight > enough) next = Math.max(next, here.end - 1);
    }
    at = bytes.indexOf(needle, next);
  }
}

function fieldWeight({ titleEnd, headingsEnd }: Placed, at: number): number {
  if (at < titleEnd) return weights.title;
  return at < headingsEnd ? weights.heading : weights.body;
}

function characterBefore(bytes: Buffer, at: number): string {
  if (at === 0) return "";
  if (bytes[at - 1]! < 0x80) return String.fromCharCode(bytes[at - 1]!);
  let start = at - 1;
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start -= 1;
  return bytes.toString("utf8", start, at);
}

function characterAt(bytes: Buffer, at: number): string {
  const first = bytes[at];
  if (first === undefined) return "";
  if (first < 0x80) return String.fromCharCode(first);
  return bytes.toString("utf8", at, at + (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2));
}
