/** Places in a plan's text: the lines and words that a comment is about. */
import { placeComments, withoutAnchor } from "../../../core/plan/anchors.ts";
import type { Comment } from "../../../core/verdict.ts";

/** Lines are counted from 1, both ends included. */
export interface LineStretch {
  readonly from: number;
  readonly to: number;
}

export interface QuotedPlace extends LineStretch {
  /** The plan's own characters, so that the place is found again in the next revision. */
  readonly quote: string;
}

/**
 * Lines of the text with the words that were selected in its rendering. Words that stand in the source as they are shown become
 * the quote; otherwise (marks between them, several lines) the whole lines do.
 */
export function placeOf(text: string, lines: LineStretch, selected = ""): QuotedPlace {
  const all = text.split("\n");
  const from = clamp(lines.from, 1, all.length);
  const to = clamp(lines.to, from, all.length);
  const words = selected.trim();
  if (isTelling(words)) {
    const line = all.findIndex((source, index) => index + 1 >= from && index + 1 <= to && source.includes(words));
    if (line >= 0) return { from: line + 1, to: line + 1, quote: words };
  }
  const { first, last } = withoutBlankEnds(all, from, to);
  const quote = all.slice(first - 1, last).join("\n");
  return { from: first, to: last, quote: first === last ? quote.replace(/\r$/, "") : quote };
}

/** Comments at the lines where their lines of the text before stand in this one; where these are gone, as they were. */
export function followText(comments: readonly Comment[], text: string, before: string | null): readonly Comment[] {
  return placeComments(comments, text, before).map(withoutAnchor);
}

export function linesText({ from, to }: LineStretch): string {
  return from === to ? `line ${from}` : `lines ${from}–${to}`;
}

/** A few letters would be found again anywhere. */
function isTelling(words: string): boolean {
  return words.length >= 4 && !words.includes("\n") && /[\p{L}\p{N}]/u.test(words);
}

function withoutBlankEnds(all: readonly string[], from: number, to: number): { first: number; last: number } {
  let first = from;
  let last = to;
  while (last > first && all[last - 1]!.trim() === "") last -= 1;
  while (first < last && all[first - 1]!.trim() === "") first += 1;
  return { first, last };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
