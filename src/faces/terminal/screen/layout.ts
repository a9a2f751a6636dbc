/** What of the transcript goes into the scrollback for good, and what stays on the screen where it may still change. */
import type { Frame } from "./paint.ts";
import { hasGap, isFinal, type Item } from "./items.ts";
import { clampLine, columnsOf, cursorMark } from "../view/safe-text.ts";

/** How much of the transcript the scrollback has: whole items, and rows of those behind them at some width. */
export interface ShownRows {
  readonly items: number;
  readonly rows: number;
  /** How many rows there were when these were counted, and how wide. */
  readonly of: number;
  readonly width: number;
}

export const nothingShown: ShownRows = { items: 0, rows: 0, of: 0, width: 0 };

export interface LayoutRequest {
  readonly items: readonly Item[];
  readonly shown: ShownRows;
  readonly linesOf: (item: Item) => readonly string[];
  /** Input or dialog, spinner, status. */
  readonly bottom: readonly string[];
  readonly width: number;
  readonly height: number;
  /** A dialog is open: nothing goes into the scrollback that would have fitted without it. */
  readonly holds: boolean;
}

export interface Layout extends Omit<Frame, "width" | "height"> {
  readonly shown: ShownRows;
}

export function layOut({ items, shown, linesOf, bottom, width, height, holds }: LayoutRequest): Layout {
  const rows = rowsFrom(items, shown.items, linesOf);
  const scale = shown.width === width || shown.of === 0 ? 1 : rows.length / shown.of;
  const skipped = Math.min(rows.length, Math.round(shown.rows * scale));
  const tail = rows.slice(skipped);
  const below = bottom.length > height ? bottom.slice(bottom.length - height) : bottom;
  const room = height - below.length;
  const settled = tail.findIndex(({ final }) => !final);
  const most = settled === -1 ? tail.length : settled;
  const committed = holds ? 0 : Math.max(0, Math.min(tail.length - room, most));
  const visible = tail.slice(Math.max(committed, tail.length - room));
  const hidden = tail.length - committed - visible.length;
  const withCursor = [...withMark(visible, hidden), ...below];
  return {
    commit: tail.slice(0, committed).map(({ line }) => clampLine(line, width)),
    live: withCursor.map((line) => clampLine(line, width).replaceAll(cursorMark, "")),
    cursor: cursorIn(withCursor),
    shown: { ...advanced(shown, rows, skipped + committed), width },
  };
}

/** What does not fit now is said to be there. */
function withMark(visible: readonly Row[], hidden: number): readonly string[] {
  const lines = visible.map(({ line }) => line);
  return hidden === 0 || lines.length === 0 ? lines : [`  ⋮ ${hidden + 1} more lines above`, ...lines.slice(1)];
}

interface Row {
  readonly line: string;
  readonly item: number;
  readonly final: boolean;
}

function rowsFrom(items: readonly Item[], start: number, linesOf: LayoutRequest["linesOf"]): readonly Row[] {
  const rows: Row[] = [];
  let before = shownBefore(items, start, linesOf);
  for (let index = start; index < items.length; index += 1) {
    const item = items[index]!;
    const lines = linesOf(item);
    if (lines.length === 0) continue;
    const final = isFinal(item);
    if (hasGap(before, item)) rows.push({ line: "", item: index, final: true });
    before = item;
    lines.forEach((line, at) => rows.push({ line, item: index, final: final || isPast(item, lines.length - at) }));
  }
  return rows;
}

function shownBefore(items: readonly Item[], index: number, linesOf: LayoutRequest["linesOf"]): Item | undefined {
  let at = index - 1;
  while (at >= 0 && linesOf(items[at]!).length === 0) at -= 1;
  return items[at];
}

/** Of an answer that is being written, rows well above its end stay as they are. */
function isPast(item: Item, left: number): boolean {
  return item.kind === "text" && left > 4;
}

/** Counts whole items as such, so that the work does not grow with the transcript. */
function advanced(shown: ShownRows, rows: readonly Row[], taken: number): Omit<ShownRows, "width"> {
  if (taken === 0) return { ...shown, of: rows.length };
  const last = rows[taken - 1]!;
  const items = rows[taken]?.item ?? last.item + (last.final ? 1 : 0);
  const before = rows.findIndex((row) => row.item >= items);
  if (before === -1) return { items, rows: 0, of: 0 };
  return { items, rows: Math.max(0, taken - before), of: rows.length - before };
}

function cursorIn(lines: readonly string[]): Layout["cursor"] {
  const row = lines.findIndex((line) => line.includes(cursorMark));
  if (row === -1) return null;
  return { row, column: columnsOf(lines[row]!.slice(0, lines[row]!.indexOf(cursorMark))) };
}
