/** The difference of two texts by lines, for a person to read. */
import { diffArrays } from "diff";

export type DifferenceLine =
  | { readonly kind: "same"; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: "added"; readonly text: string; readonly after: number }
  | { readonly kind: "removed"; readonly text: string; readonly before: number }
  /** Unchanged lines that are left out. */
  | { readonly kind: "gap"; readonly count: number };

export interface DifferenceOptions {
  /** Unchanged lines shown around a change. */
  readonly around?: number;
  readonly timeoutMs?: number;
}

/** Empty when there is none. Texts too different to compare in time are shown as all old, then all new. */
export function differenceLines(
  before: string,
  after: string,
  { around = 3, timeoutMs = 250 }: DifferenceOptions = {},
): readonly DifferenceLine[] {
  if (before === after) return [];
  return withGaps(allLines(before.split("\n"), after.split("\n"), timeoutMs), around);
}

export interface DifferenceCount {
  readonly added: number;
  readonly removed: number;
}

export function countDifference(lines: readonly DifferenceLine[]): DifferenceCount {
  const count = (kind: DifferenceLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}

/** As another program would read it, without its head. */
export function unified(lines: readonly DifferenceLine[]): string {
  return lines.map((line) => (line.kind === "gap" ? "@@ … @@" : `${signs[line.kind]}${line.text}`)).join("\n");
}

export const signs = { same: " ", added: "+", removed: "-" } as const;

function allLines(old: readonly string[], now: readonly string[], timeoutMs: number): readonly DifferenceLine[] {
  const start = commonStart(old, now);
  const end = commonEnd(old.slice(start), now.slice(start));
  const [oldMiddle, nowMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const changes = diffArrays([...oldMiddle], [...nowMiddle], { timeout: timeoutMs }) ?? [
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

function commonStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[one.length - 1 - count] === other[other.length - 1 - count]) count += 1;
  return count;
}
