/** The line laid out in rows, broken at blanks; where the cursor stands in them, and where it goes one row up or down. */
import type { TextBox } from "./text-box.ts";
import { charactersOf, columnsOf, safeText } from "../view/safe-text.ts";

export interface LineRow {
  /** Made harmless. */
  readonly shown: string;
  /** What of the text it is. */
  readonly start: number;
  readonly end: number;
}

export interface LineRows {
  readonly rows: readonly LineRow[];
  /** The row of the cursor, and what stands before it there. */
  readonly row: number;
  readonly before: string;
}

export function rowsOfText({ text, at }: TextBox, width: number): LineRows {
  const rows: LineRow[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    rows.push(...rowsOfLine(line, start, Math.max(1, width)));
    start += line.length + 1;
  }
  const row = rows.findLastIndex((one) => one.start <= at);
  return { rows, row, before: shownOf(text.slice(rows[row]!.start, at)) };
}

/** At the first or last row: to its beginning or end. */
export function stepped(box: TextBox, by: -1 | 1, width: number): TextBox {
  const { rows, row, before } = rowsOfText(box, width);
  const here = rows[row]!;
  const target = rows[row + by];
  if (target === undefined) return { ...box, at: by < 0 ? here.start : here.end };
  const column = columnsOf(before);
  const isLast = target.end === box.text.length || box.text[target.end] === "\n";
  let at = target.start;
  for (const character of charactersOf(box.text.slice(target.start, target.end))) {
    const next = at + character.length;
    if (columnsOf(shownOf(box.text.slice(target.start, next))) > column) break;
    if (next === target.end && !isLast) break;
    at = next;
  }
  return { ...box, at };
}

function shownOf(text: string): string {
  return charactersOf(text)
    .map((character) => safeText(character))
    .join("");
}

/** Blanks stay at the end of the row that they end; a word that is too long is broken anywhere. */
function rowsOfLine(line: string, start: number, width: number): readonly LineRow[] {
  const rows: LineRow[] = [];
  let position = start;
  let row = { shown: "", columns: 0, start };
  let word = { shown: "", columns: 0, start };
  const takeWord = (): void => {
    row = { ...row, shown: row.shown + word.shown, columns: row.columns + word.columns };
    word = { shown: "", columns: 0, start: position };
  };
  const finish = (end: number): void => {
    rows.push({ shown: row.shown, start: row.start, end });
    row = { shown: "", columns: 0, start: end };
  };
  let isAfterBlank = false;
  for (const character of charactersOf(line)) {
    const isBlank = /^\s$/.test(character);
    if (isAfterBlank && !isBlank) takeWord();
    const shown = safeText(character);
    const columns = columnsOf(shown);
    if (row.columns + word.columns + columns > width) {
      if (row.columns > 0 && word.columns + columns <= width) finish(word.start);
      else if (row.columns + word.columns > 0) {
        takeWord();
        finish(position);
      }
    }
    word = { ...word, shown: word.shown + shown, columns: word.columns + columns };
    position += character.length;
    isAfterBlank = isBlank;
  }
  takeWord();
  finish(position);
  return rows;
}
