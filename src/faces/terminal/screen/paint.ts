/** The painter: what stands on the terminal and what should, in; the fewest bytes that lead from one to the other, out. */
import { columnsOf } from "../view/safe-text.ts";
import { sameEnds } from "../view/same-ends.ts";

/** Our last lines on the terminal, which may still change; everything above belongs to its scrollback. */
export interface Painted {
  readonly lines: readonly string[];
  /** The line the cursor is in. */
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  /** Lines that will never change again: they go above the others and into the scrollback in time. */
  readonly commit: readonly string[];
  /** At most as many as the terminal has rows. */
  readonly live: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
  readonly width: number;
  readonly height: number;
}

export interface Stroke {
  readonly output: string;
  readonly painted: Painted;
}

/** Never clears the screen or the scrollback: only our own last lines are written over. */
export function paint(before: Painted | null, frame: Frame): Stroke {
  const { commit, live, width, height } = frame;
  const lines = [...commit, ...live];
  const last = Math.max(0, lines.length - 1);
  const isResized = before !== null && (before.width !== width || before.height !== height);
  const drawn =
    before === null || isResized
      ? { output: wiped(before, width) + lines.join("\r\n"), row: last }
      : changed(before, lines, height);
  const row = frame.cursor === null ? last : commit.length + Math.min(frame.cursor.row, Math.max(0, live.length - 1));
  const column = frame.cursor?.column ?? 0;
  const placed = `${vertical(row - drawn.row)}${column === 0 ? "\r" : `\r\u001B[${column}C`}`;
  const painted = { lines: live, row: row - commit.length, width, height };
  const isStill = drawn.output === "" && before !== null && painted.row === before.row && !isResized;
  const body = `${drawn.output}${placed}`;
  return { output: isStill ? placed : `${begin}${body}${end}`, painted };
}

interface Drawn {
  readonly output: string;
  /** Where the cursor is left, counted from the first of our lines. */
  readonly row: number;
}

/** Synchronised output, so that no half-drawn frame is seen where the terminal knows it. */
const begin = "\u001B[?2026h";
const end = "\u001B[?2026l";

/** After a resize the terminal has wrapped our lines anew: the way up is counted in its rows. */
function wiped(before: Painted | null, width: number): string {
  if (before === null) return "\r";
  const above = before.lines.slice(0, before.row);
  const rows = above.reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / Math.max(1, width))), 0);
  return `\r${vertical(-rows)}\u001B[J`;
}

function changed({ lines: old, row }: Painted, lines: readonly string[], height: number): Drawn {
  const { start: same, end: kept } = sameEnds(old, lines);
  if (same === old.length && same === lines.length) return { output: "", row };
  const leavesScreen = lines.length > height && same < lines.length - height;
  if (kept === 0 || leavesScreen || old.length === 0) return rewritten({ old, lines, row, same });
  return shifted({ old, lines, row, same, kept });
}

interface Change {
  readonly old: readonly string[];
  readonly lines: readonly string[];
  readonly row: number;
  /** How many lines at the top are as they were. */
  readonly same: number;
}

/** Everything below the first difference anew. */
function rewritten({ old, lines, row, same }: Change): Drawn {
  if (same === old.length && old.length > 0) {
    const added = lines.slice(same);
    return { output: `${vertical(old.length - 1 - row)}\r\n${added.join("\r\n")}`, row: lines.length - 1 };
  }
  if (same >= lines.length) {
    const end = Math.max(0, lines.length - 1);
    const below = lines.length === 0 ? "\r\u001B[J" : "\r\n\u001B[J\u001B[A";
    return { output: `${vertical(end - row)}${below}`, row: end };
  }
  const shrinks = old.length > lines.length;
  const body = lines
    .slice(same)
    .map((line, index) => (shrinks ? line : line === old[same + index] ? "" : `\u001B[2K${line}`))
    .join("\r\n");
  return { output: `${vertical(same - row)}\r${shrinks ? "\u001B[J" : ""}${body}`, row: lines.length - 1 };
}

/** Lines come or go in the middle: the terminal itself moves those below. */
function shifted({ old, lines, row, same, kept }: Change & { readonly kept: number }): Drawn {
  const grown = lines.length - old.length;
  let output = "";
  let at = row;
  const go = (to: number): void => {
    output += `${vertical(to - at)}\r`;
    at = to;
  };
  if (grown > 0) {
    go(old.length - 1);
    output += "\r\n".repeat(grown);
    at += grown;
    go(same);
    output += `\u001B[${grown}L`;
  }
  if (grown < 0) {
    go(same);
    output += `\u001B[${-grown}M`;
  }
  for (let index = same; index < lines.length - kept; index += 1) {
    if (grown === 0 && lines[index] === old[index]) continue;
    go(index);
    output += `\u001B[2K${lines[index]}`;
  }
  return { output, row: at };
}

function vertical(rows: number): string {
  if (rows === 0) return "";
  return rows > 0 ? `\u001B[${rows}B` : `\u001B[${-rows}A`;
}
