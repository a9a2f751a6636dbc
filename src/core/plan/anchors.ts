/** Comments follow their lines from one text of a plan to the next, or say truly that these are gone (B19.1). */
import type { Comment, PlacedComment } from "../verdict.ts";
import { likeness } from "./likeness.ts";
import { mapLines, type Hunk, type LineMap } from "./line-map.ts";

/**
 * Where comments stand in `text`, by the difference of the lines to `before`, the text that they were made on or placed in last. Where
 * that is not known, or does not hold what they quote, by their words: at the same lines, else at the nearest place, else gone.
 */
export function placeComments(
  comments: readonly Comment[],
  text: string,
  before: string | null = null,
): readonly PlacedComment[] {
  if (comments.length === 0) return [];
  const lines = text.split("\n");
  const old = before?.split("\n") ?? [];
  const map = before === null ? null : mapLines(old, lines);
  return comments.map((comment) => {
    if (map === null || !isAt(comment, old)) return findWords(comment, lines);
    return followLines(comment, { old, lines, map }) ?? { ...comment, anchor: "gone" };
  });
}

export function withoutAnchor(placed: PlacedComment): Comment {
  const { anchor: _, ...comment } = placed;
  return comment;
}

/** What became of a comment in the text that followed it. */
export type Fate = "changed" | "answered" | "untouched" | "gone";

export function fateOf({ anchor, kind }: PlacedComment, isReplied: boolean): Fate {
  if (anchor === "gone" || anchor === "changed") return anchor;
  return kind === "question" && isReplied ? "answered" : "untouched";
}

interface Texts {
  readonly old: readonly string[];
  readonly lines: readonly string[];
  readonly map: LineMap;
}

/** Whether its lines in this text are what it was said of, or what they were when it was placed last. */
function isAt({ from, to, quote, was, now }: Comment, lines: readonly string[]): boolean {
  if (!(from >= 1 && to >= from && to <= lines.length)) return false;
  const known = now ?? was;
  if (known !== undefined) return textAt(lines, from, to) === known;
  return quote === "" || holds(lines, from - 1, quote.split("\n"));
}

/** Null where all of its lines are gone and nothing came in their place. Lines that went elsewhere as they were have moved. */
function followLines(comment: Comment, texts: Texts): PlacedComment | null {
  const { old, lines } = texts;
  const { from, to } = comment;
  const was = comment.was ?? textAt(old, from, to);
  const places = newPlaces(comment, texts);
  if (places.length === 0) return null;
  const [first, last] = [Math.min(...places) + 1, Math.max(...places) + 1];
  const text = textAt(lines, first, last);
  const { now: _, ...said } = comment;
  if (text !== was) return { ...said, was, now: text, from: first, to: last, anchor: "changed" };
  return { ...said, from: first, to: last, anchor: first === from ? "kept" : "moved" };
}

/** The same lines among those that came; else, for a line, the one that is nearly it. */
function movedPlaces(was: string, { lines, map }: Texts): readonly number[] {
  const wanted = was.split("\n");
  const came = map.hunks.flatMap(({ now }) => within(now));
  const start = came.find((line) => wanted.every((text, offset) => lines[line + offset] === text));
  if (start !== undefined) return wanted.map((_, offset) => start + offset);
  return wanted.length === 1 ? nearest(was, came, { lines, least: nearlyTheSame }) : [];
}

/** Blank lines follow nobody, unless there is nothing else. */
function newPlaces({ from, to }: Comment, { old, lines, map }: Texts): readonly number[] {
  const own = Array.from({ length: to - from + 1 }, (_, index) => from - 1 + index);
  const worded = own.filter((line) => !isBlank(old[line]!));
  const wanted = worded.length === 0 ? own : worded;
  const kept = wanted.map((line) => map.places[line]!).filter((place) => place >= 0);
  const lost = new Set(wanted.filter((line) => map.places[line]! < 0));
  const hunks = map.hunks.filter((hunk) => within(hunk.old).some((line) => lost.has(line)));
  const alike = [...kept, ...hunks.flatMap((hunk) => alikeIn(hunk, lost, { old, lines }))];
  if (alike.length > 0) return alike;
  const moved = movedPlaces(own.map((line) => old[line]!).join("\n"), { old, lines, map });
  return moved.length > 0 ? moved : hunks.flatMap((hunk) => replacements(hunk, lost, { old, lines }));
}

/** The lines of a hunk that are those which are looked for, in other words. */
function alikeIn(hunk: Hunk, lost: ReadonlySet<number>, { old, lines }: Omit<Texts, "map">): readonly number[] {
  const came = within(hunk.now).filter((line) => !isBlank(lines[line]!));
  const own = within(hunk.old).filter((line) => lost.has(line));
  return own.flatMap((line) => nearest(old[line]!, came, { lines, least: muchTheSame }));
}

/** The lines of a hunk that took the place of those that are looked for, though they have little in common. */
function replacements(hunk: Hunk, lost: ReadonlySet<number>, { old, lines }: Omit<Texts, "map">): readonly number[] {
  const went = within(hunk.old).filter((line) => !isBlank(old[line]!));
  const came = within(hunk.now).filter((line) => !isBlank(lines[line]!));
  const own = went.filter((line) => lost.has(line));
  if (own.length === went.length) return came;
  return went.length === came.length ? own.map((line) => came[went.indexOf(line)]!) : [];
}

/** The line with the most words in common, where that is enough to be the same line in other words. */
function nearest(
  line: string,
  among: readonly number[],
  { lines, least }: { readonly lines: readonly string[]; readonly least: number },
): readonly number[] {
  const words = line.replace(listMark, "");
  let best = { place: -1, share: least };
  for (const place of among) {
    const share = likeness(words, lines[place]!.replace(listMark, ""));
    if (share > best.share) best = { place, share };
  }
  return best.place < 0 ? [] : [best.place];
}

const muchTheSame = 0.35;
const nearlyTheSame = 0.6;

const listMark = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s)?/;

function findWords(comment: Comment, lines: readonly string[]): PlacedComment {
  const words = comment.was ?? comment.quote;
  const { now: _, ...said } = comment;
  const quoted = words.split("\n");
  const starts = lines.flatMap((_line, index) => (holds(lines, index, quoted) ? [index + 1] : []));
  const first = starts.toSorted((a, b) => Math.abs(a - comment.from) - Math.abs(b - comment.from))[0];
  if (words === "" || first === undefined) return { ...comment, anchor: "gone" };
  if (first === comment.from) return { ...said, anchor: "kept" };
  return { ...said, from: first, to: first + quoted.length - 1, anchor: "moved" };
}

function holds(lines: readonly string[], start: number, quoted: readonly string[]): boolean {
  return quoted.every((part, offset) => {
    const line = lines[start + offset];
    if (line === undefined) return false;
    if (quoted.length === 1) return line.includes(part);
    if (offset === 0) return line.endsWith(part);
    return offset === quoted.length - 1 ? line.startsWith(part) : line === part;
  });
}

function textAt(lines: readonly string[], from: number, to: number): string {
  return lines.slice(from - 1, to).join("\n");
}

function within({ from, to }: Hunk["old"]): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}
