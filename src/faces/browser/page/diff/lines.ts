/** The difference of two texts by lines, with the changed words inside of changed lines. */
import { diffArrays, diffWordsWithSpace } from "diff";
import type { MarkedSpan } from "../markdown/paint.tsx";

export interface DiffLine extends Omit<DiffPart<string>, "part" | "partner"> {
  readonly text: string;
  /** The words that changed, where a line took another's place. */
  readonly spans: readonly MarkedSpan[];
}

export function diffLines(before: string, after: string): readonly DiffLine[] {
  return diffParts(before.split("\n"), after.split("\n")).map((line) => {
    const { kind, part: text, old } = line;
    return { kind, text, old, new: line.new, spans: changedWords(kind, text, line.partner) };
  });
}

export interface DiffPart<Part> {
  readonly kind: "same" | "add" | "del";
  readonly part: Part;
  /** What took its place, or had it before. */
  readonly partner: Part | undefined;
  /** From 1, among the old and the new parts. */
  readonly old: number | null;
  readonly new: number | null;
}

/** Less than a second's work: a limit in time would be met by chance on a busy machine. */
const mostEdits = 4_000;

/** Removals stand before the additions that took their place. */
export function diffParts<Part>(
  before: readonly Part[],
  after: readonly Part[],
  comparator = (one: Part, other: Part): boolean => one === other,
): readonly DiffPart<Part>[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: mostEdits, comparator }) ?? [
    { removed: true, added: false, value: [...before] },
    { removed: false, added: true, value: [...after] },
  ];
  let old = 0;
  let now = 0;
  return changes.flatMap(({ added, removed, value }, index) => {
    const partners = removed ? changes[index + 1] : changes[index - 1];
    const isPaired = removed ? partners?.added === true : added && partners?.removed === true;
    return value.map((part, place) => {
      if (!added) old += 1;
      if (!removed) now += 1;
      return {
        kind: removed ? "del" : added ? "add" : "same",
        part,
        partner: isPaired ? partners?.value[place] : undefined,
        old: added ? null : old,
        new: removed ? null : now,
      };
    });
  });
}

/** The words of a text that are not in the one which took its place, or had it. */
export function changedWords(kind: DiffPart<unknown>["kind"], text: string, other?: string): readonly MarkedSpan[] {
  if (kind === "same" || other === undefined) return [];
  return wordSpans(kind === "del" ? [text, other] : [other, text])[kind];
}

/** What came at a place of the new text, and what went there. */
export interface Rewording extends MarkedSpan {
  readonly gone: string;
}

export function rewordings(before: string, after: string): readonly Rewording[] {
  const marks: Rewording[] = [];
  let now = 0;
  let gone = "";
  for (const { added, removed, value } of diffWordsWithSpace(before, after)) {
    if (removed) gone += value;
    else {
      if (gone !== "" || added) marks.push({ start: now, end: added ? now + value.length : now, gone });
      gone = "";
      now += value.length;
    }
  }
  return gone === "" ? marks : [...marks, { start: now, end: now, gone }];
}

/** Nothing is marked where most of the words differ: it is another line. */
export function wordSpans([before, after]: readonly [string, string]): {
  readonly del: readonly MarkedSpan[];
  readonly add: readonly MarkedSpan[];
} {
  const none = { del: [], add: [] };
  if (before.length + after.length > 8000) return none;
  const del: MarkedSpan[] = [];
  const add: MarkedSpan[] = [];
  let old = 0;
  let now = 0;
  let same = 0;
  for (const { added, removed, value } of diffWordsWithSpace(before, after)) {
    if (removed) del.push({ start: old, end: old + value.length });
    else if (added) add.push({ start: now, end: now + value.length });
    else same += value.trim().length;
    if (!added) old += value.length;
    if (!removed) now += value.length;
  }
  if (same * 4 < Math.min(before.trim().length, after.trim().length)) return none;
  return { del: joined(del, before), add: joined(add, after) };
}

/** Spans with nothing but blanks between them are one. */
function joined(spans: readonly MarkedSpan[], text: string): readonly MarkedSpan[] {
  const result: MarkedSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && text.slice(last.end, span.start).trim() === "")
      result.push({ start: result.pop()!.start, end: span.end });
    else result.push(span);
  }
  return result;
}

export function countChanges(before: string, after: string): { readonly added: number; readonly removed: number } {
  const lines = diffLines(before, after);
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { added: count("add"), removed: count("del") };
}

export interface Fold<Part> {
  readonly kind: "shown" | "fold";
  readonly parts: readonly Part[];
}

/** Shown is what lies `around` a change; the rest is folded, unless it is too little to be worth it. */
function folded(parts: readonly DiffLine[], { around, fewest }: { readonly around: number; readonly fewest: number }) {
  const isNear = (index: number): boolean =>
    parts.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== "same");
  const folds: { kind: "shown" | "fold"; parts: DiffLine[] }[] = [];
  for (const [index, part] of parts.entries()) {
    const kind = isNear(index) ? "shown" : "fold";
    if (folds.at(-1)?.kind === kind) folds.at(-1)!.parts.push(part);
    else folds.push({ kind, parts: [part] });
  }
  return folds.map((fold): Fold<DiffLine> =>
    fold.parts.length < fewest ? { kind: "shown", parts: fold.parts } : fold,
  );
}

export function foldLines(lines: readonly DiffLine[]): readonly Fold<DiffLine>[] {
  return folded(lines, { around: 3, fewest: 3 });
}
