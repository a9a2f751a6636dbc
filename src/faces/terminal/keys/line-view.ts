/** The input area: rules in the mode's colour, the line between them around its cursor, and below what is offered for its word. */
import { clampLine, columnsOf, cursorMark, charactersOf, takeColumns } from "../view/safe-text.ts";
import type { Style, Theme } from "../view/theme.ts";
import type { ViewLook } from "../view/view-facts.ts";
import type { Completion, WordOffer } from "./completion.ts";
import { rowsOfText } from "./line-rows.ts";
import type { WrittenLine } from "./line.ts";
import type { TextBox } from "./text-box.ts";

export interface LineLook extends ViewLook {
  /** Of the terminal. */
  readonly rows: number;
  /** The mode's. */
  readonly rule: Style;
}

export function lineLines({ box, completion }: WrittenLine, { width, rows, theme, rule }: LineLook): readonly string[] {
  const { margin, room } = roomOf(width);
  const laid = rowsOfText(box, room);
  const most = pageOf(rows);
  const first = firstShown(laid.row, laid.rows.length, most);
  const shown = laid.rows.slice(first, first + most).map(({ shown: text }, index) => {
    const prefix = index === 0 && margin === 2 ? `${theme.accent("❯")} ` : " ".repeat(margin);
    return prefix + (first + index === laid.row ? withCursor(text, laid.before, theme) : text).trimEnd();
  });
  const below = laid.rows.length - first - shown.length;
  const offers = completion === null ? [] : offerLines(completion, { width: room, theme });
  return [
    rule(ruleLine(first === 0 ? "" : `─── ↑ ${first} more `, width)),
    ...shown,
    rule(ruleLine(below === 0 ? "" : `─── ↓ ${below} more `, width)),
    ...offers.map((line) => `${" ".repeat(margin)}${line}`.trimEnd()),
  ];
}

function withCursor(text: string, before: string, theme: Theme): string {
  const rest = text.slice(before.length);
  const under = charactersOf(rest)[0] ?? " ";
  return `${before}${cursorMark}${theme.marked(under)}${rest.slice(under.length)}`;
}

export interface BoxLook extends ViewLook {
  /** At most so many rows; the ones around the cursor are shown. */
  readonly rows: number;
  /** Shown while nothing is typed. */
  readonly hint: string;
}

/** The box of a dialog. */
export function boxRows(box: TextBox, { width, rows, theme, hint }: BoxLook): readonly string[] {
  if (box.text === "") return [`> ${cursorMark}${theme.marked(" ")}${theme.dim(hint)}`];
  const laid = rowsOfText(box, width - 3);
  const first = firstShown(laid.row, laid.rows.length, rows);
  return laid.rows.slice(first, first + rows).map(({ shown }, index) => {
    const prefix = first + index === 0 ? "> " : "  ";
    return prefix + (first + index === laid.row ? withCursor(shown, laid.before, theme) : shown);
  });
}

/** How wide the text is, between margins. */
export function roomOf(width: number): { readonly margin: number; readonly room: number } {
  const margin = Math.min(2, Math.max(0, Math.floor((width - 1) / 2)));
  return { margin, room: Math.max(1, width - 2 * margin) };
}

/** How many rows of the line are shown at once. */
export function pageOf(rows: number): number {
  return Math.max(5, Math.floor(rows * 0.3));
}

/** Where a window of so many rows begins that has the one at hand in its middle, and is full where it can be. */
export function firstShown(at: number, length: number, most: number): number {
  return Math.max(0, Math.min(at - Math.floor(most / 2), length - most));
}

function ruleLine(words: string, width: number): string {
  return clampLine(words + "─".repeat(Math.max(0, width - columnsOf(words))), width);
}

const mostOffers = 8;

function offerLines({ items, selected }: Completion, look: ViewLook): readonly string[] {
  const first = firstShown(selected, items.length, mostOffers);
  const shown = items.slice(first, first + mostOffers);
  const widest = Math.max(...items.map(({ label }) => columnsOf(label) + 2));
  const column = Math.max(1, Math.min(32, Math.max(12, widest), look.width - 6));
  const rows = shown.map((item, index) => offerLine(item, { ...look, column, isSelected: first + index === selected }));
  const place = takeColumns(`  (${selected + 1}/${items.length})`, look.width - 2);
  return shown.length === items.length ? rows : [...rows, look.theme.faint(place)];
}

function offerLine(
  { label, note }: WordOffer,
  { width: room, theme, column, isSelected }: ViewLook & { readonly column: number; readonly isSelected: boolean },
): string {
  const sign = isSelected ? "→ " : "  ";
  const name = takeColumns(label, note === "" || room <= 40 ? Math.max(1, room - 4) : Math.max(1, column - 2));
  const gap = " ".repeat(Math.max(1, column - columnsOf(name)));
  const left = room - 4 - columnsOf(name) - gap.length;
  const words = note !== "" && room > 40 && left > 10 ? gap + takeColumns(note, left) : "";
  return isSelected ? theme.selected(sign + name + words) : `${sign}${name}${words === "" ? "" : theme.dim(words)}`;
}
