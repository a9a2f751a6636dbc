/** The difference of two texts by lines, with the changed words inside of changed lines. */
import { diffArrays, diffWordsWithSpace } from "diff";
import type { MarkedSpan } from "../markdown/paint.tsx";

export interface DiffLine {
  readonly kind: "same" | "add" | "del";
  readonly text: string;
  /** Line numbers in the old and in the new text. */
  readonly old: number | null;
  readonly new: number | null;
  /** The words that changed, where a line took another's place. */
  readonly spans: readonly MarkedSpan[];
}

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let old = 0;
  let now = 0;
  const changes = changesOf(before.split("\n"), after.split("\n"));
  for (const [index, { kind, values }] of changes.entries()) {
    const partner = kind === "del" ? changes[index + 1] : changes[index - 1];
    const isPaired = kind !== "same" && partner !== undefined && partner.kind !== "same";
    for (const [place, text] of values.entries()) {
      if (kind !== "add") old += 1;
      if (kind !== "del") now += 1;
      const other = isPaired ? partner.values[place] : undefined;
      const spans = other === undefined ? [] : wordSpans(kind === "del" ? [text, other] : [other, text])[kind as "del"];
      lines.push({ kind, text, old: kind === "add" ? null : old, new: kind === "del" ? null : now, spans });
    }
  }
  return lines;
}

export interface Change<Value> {
  readonly kind: "same" | "add" | "del";
  readonly values: readonly Value[];
}

/** Removals stand before the additions that took their place. */
export function changesOf<Value>(before: readonly Value[], after: readonly Value[]): readonly Change<Value>[] {
  const parts = diffArrays([...before], [...after], { timeout: 800 }) ?? [
    { removed: true, added: false, value: [...before] },
    { removed: false, added: true, value: [...after] },
  ];
  const changes = parts.map(({ added, removed, value }) => ({
    kind: added ? ("add" as const) : removed ? ("del" as const) : ("same" as const),
    values: value,
  }));
  return changes.flatMap((change, index) => {
    if (change.kind === "add" && changes[index + 1]?.kind === "del") return [changes[index + 1]!, change];
    return change.kind === "del" && changes[index - 1]?.kind === "add" ? [] : [change];
  });
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

/** What is not shown is folded, unless it is too little to be worth it. */
export function folded<Part>(
  parts: readonly Part[],
  { isShown, fewest }: { readonly isShown: (part: Part, index: number) => boolean; readonly fewest: number },
): readonly Fold<Part>[] {
  const folds: { kind: "shown" | "fold"; parts: Part[] }[] = [];
  for (const [index, part] of parts.entries()) {
    const kind = isShown(part, index) ? "shown" : "fold";
    if (folds.at(-1)?.kind === kind) folds.at(-1)!.parts.push(part);
    else folds.push({ kind, parts: [part] });
  }
  return folds.map((fold) => (fold.parts.length < fewest ? { kind: "shown", parts: fold.parts } : fold));
}

/** Long stretches without a change are folded, three lines of surroundings stay. */
export function foldLines(lines: readonly DiffLine[]): readonly Fold<DiffLine>[] {
  const around = 3;
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries())
    if (kind !== "same") for (let at = index - around; at <= index + around; at += 1) near.add(at);
  return folded(lines, { isShown: (_, index) => near.has(index), fewest: 3 });
}
