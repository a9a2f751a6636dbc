/** The difference of two texts by lines, for a person to read. */
import { diffArrays } from "diff";
import { sameEnds, type Ends } from "../view/same-ends.ts";

export type DifferenceLine =
  | { readonly kind: "same"; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: "added"; readonly text: string; readonly after: number }
  | { readonly kind: "removed"; readonly text: string; readonly before: number }
  /** Unchanged lines that are left out. */
  | { readonly kind: "gap"; readonly count: number };

export interface DifferenceOptions {
  /** Unchanged lines shown around a change. */
  readonly around?: number;
}

/** Empty when there is none. Texts too different to compare are shown as all old, then all new. */
export function differenceLines(
  before: string,
  after: string,
  { around = 3 }: DifferenceOptions = {},
): readonly DifferenceLine[] {
  if (before === after) return [];
  const isEndedAlike = before.endsWith("\n") && after.endsWith("\n");
  const [old, now] = isEndedAlike ? [before.slice(0, -1), after.slice(0, -1)] : [before, after];
  return withGaps(allLines(old.split("\n"), now.split("\n")), around);
}

export function countDifference(lines: readonly DifferenceLine[]): Record<"added" | "removed", number> {
  const count = (kind: DifferenceLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}

/** As another program would read it, without its head. */
export function unified(lines: readonly DifferenceLine[]): string {
  return lines.map((line) => (line.kind === "gap" ? "@@ … @@" : `${signs[line.kind]}${line.text}`)).join("\n");
}

/** Where a changed line differs from the one that stood in its place. */
export interface ChangedPart {
  readonly from: number;
  readonly to: number;
}

/** For each line that replaces, or is replaced by, one much like it: the words that differ. */
export function changedParts(lines: readonly DifferenceLine[]): ReadonlyMap<number, ChangedPart> {
  const parts = new Map<number, ChangedPart>();
  for (let at = 0; at < lines.length;) {
    const removed = runLength(lines, at, "removed");
    const added = runLength(lines, at + removed, "added");
    const pairs = removed === added ? removed : 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const [one, other] = [at + pair, at + removed + pair];
      const common = commonWords(textAt(lines, one), textAt(lines, other));
      if (common === null) continue;
      parts.set(one, { from: common.start, to: textAt(lines, one).length - common.end });
      parts.set(other, { from: common.start, to: textAt(lines, other).length - common.end });
    }
    at += Math.max(1, removed + added);
  }
  return parts;
}

function runLength(lines: readonly DifferenceLine[], from: number, kind: DifferenceLine["kind"]): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length += 1;
  return length;
}

function textAt(lines: readonly DifferenceLine[], index: number): string {
  const line = lines[index]!;
  return line.kind === "gap" ? "" : line.text;
}

/** Null where the lines have too little in common, or are too long to look at. */
function commonWords(one: string, other: string): Ends | null {
  if (Math.max(one.length, other.length) > 2_000) return null;
  const [words, others] = [one.match(word) ?? [], other.match(word) ?? []];
  const { start, end } = sameEnds(words, others);
  const lengths = {
    start: words.slice(0, start).join("").length,
    end: end === 0 ? 0 : words.slice(-end).join("").length,
  };
  const isAlike = (lengths.start + lengths.end) * 3 >= Math.max(one.trim().length, other.trim().length);
  return isAlike ? lengths : null;
}

const word = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

export const signs = { same: " ", added: "+", removed: "-" } as const;

/** A quarter of a second's work: a limit in time would be met by chance on a busy machine. */
const mostEdits = 2_000;

function allLines(old: readonly string[], now: readonly string[]): readonly DifferenceLine[] {
  const { start, end } = sameEnds(old, now);
  const [oldMiddle, nowMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const changes = diffArrays([...oldMiddle], [...nowMiddle], { maxEditLength: mostEdits }) ?? [
    { removed: true, added: false, value: oldMiddle },
    { removed: false, added: true, value: nowMiddle },
  ];
  const parts = [
    { removed: false, added: false, value: old.slice(0, start) },
    ...changes,
    { removed: false, added: false, value: old.slice(old.length - end) },
  ];
  let [before, after] = [0, 0];
  return parts.flatMap(({ added, removed, value }) =>
    value.map((text): DifferenceLine => {
      if (!added) before += 1;
      if (!removed) after += 1;
      if (added) return { kind: "added", text, after };
      return removed ? { kind: "removed", text, before } : { kind: "same", text, before, after };
    }),
  );
}

function withGaps(lines: readonly DifferenceLine[], around: number): readonly DifferenceLine[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== "same") for (let other = index - around; other <= index + around; other += 1) near.add(other);
  }
  const shown: DifferenceLine[] = [];
  let skipped = 0;
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) shown.push({ kind: "gap", count: skipped });
    skipped = 0;
    shown.push(line);
  }
  return skipped > 0 ? [...shown, { kind: "gap", count: skipped }] : shown;
}
