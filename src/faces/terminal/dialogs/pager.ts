/** A long document on a short screen: rows are made only for what is looked at, so that its length costs nothing. */
import type { Key } from "../keys/key-input.ts";
import type { Keys } from "../keys/keys.ts";

/** Lines, each of one or more rows. */
export interface Pages {
  readonly length: number;
  rows(line: number): readonly string[];
}

export interface Position {
  readonly line: number;
  readonly row: number;
}

export interface ShownRow extends Position {
  readonly text: string;
}

export const beginning: Position = { line: 0, row: 0 };

export function rowsFrom(pages: Pages, from: Position, height: number): readonly ShownRow[] {
  const shown: ShownRow[] = [];
  for (let line = from.line; line < pages.length && shown.length < height; line += 1) {
    const rows = pages.rows(line);
    const first = line === from.line ? from.row : 0;
    for (const [index, text] of rows.slice(first, first + height - shown.length).entries()) {
      shown.push({ line, row: first + index, text });
    }
  }
  return shown;
}

/** So many rows further, or back; the last page stays full. */
export function scrolled(
  pages: Pages,
  from: Position,
  { by, height }: { readonly by: number; readonly height: number },
): Position {
  return within(pages, stepped(pages, within(pages, from, height), by), height);
}

/** Where a key for scrolling leads; null for any other. */
export function scrolledBy(
  key: Key,
  pages: Pages,
  { from, keys, height }: { readonly from: Position; readonly keys: Keys; readonly height: number },
): Position | null {
  const page = Math.max(1, height - 1);
  const to = (by: number): Position => scrolled(pages, from, { by, height });
  if (keys.matches(key, "pageDown") || keys.matches(key, "toggle")) return to(page);
  if (keys.matches(key, "pageUp")) return to(-page);
  if (keys.matches(key, "lineDown")) return to(1);
  if (keys.matches(key, "lineUp")) return to(-1);
  if (keys.matches(key, "top")) return beginning;
  return keys.matches(key, "bottom") ? lastPage(pages, height) : null;
}

/** Where a page of this height must begin to end with the last row. */
export function lastPage(pages: Pages, height: number): Position {
  const last = Math.max(0, pages.length - 1);
  const end = { line: last, row: Math.max(0, (pages.length > 0 ? pages.rows(last).length : 1) - 1) };
  return stepped(pages, end, 1 - height);
}

export function within(pages: Pages, from: Position, height: number): Position {
  const line = Math.max(0, Math.min(from.line, pages.length - 1));
  const row = line === from.line ? Math.max(0, Math.min(from.row, pages.rows(line).length - 1)) : 0;
  const last = lastPage(pages, height);
  return isBefore(last, { line, row }) ? last : { line, row };
}

/** The nearest page that shows the line from its beginning. */
export function revealing(
  pages: Pages,
  from: Position,
  { line, height }: { readonly line: number; readonly height: number },
): Position {
  if (line < from.line || (line === from.line && from.row > 0)) return within(pages, { line, row: 0 }, height);
  const shown = rowsFrom(pages, within(pages, from, height), height);
  const needed = Math.min(pages.rows(line).length, height);
  if (shown.filter((row) => row.line === line).length >= needed) return from;
  return within(pages, stepped(pages, { line, row: needed - 1 }, 1 - height), height);
}

function stepped(pages: Pages, from: Position, by: number): Position {
  let { line, row } = from;
  let left = by;
  while (left > 0 && line < pages.length) {
    const rest = pages.rows(line).length - 1 - row;
    if (left <= rest) return { line, row: row + left };
    if (line === pages.length - 1) return { line, row: row + rest };
    left -= rest + 1;
    line += 1;
    row = 0;
  }
  while (left < 0) {
    if (-left <= row) return { line, row: row + left };
    if (line === 0) return beginning;
    left += row + 1;
    line -= 1;
    row = pages.rows(line).length - 1;
  }
  return { line, row };
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.row < other.row);
}
