/** Styled text broken into rows: the one way in which anything longer than a row is shown. */
import { charactersOf, columnsOf } from "./safe-text.ts";
import type { Style } from "./theme.ts";

/** The text is harmless already (`safeText`), without line ends. */
export interface StyledSpan {
  readonly text: string;
  readonly style?: Style;
}

export interface WrapOptions {
  readonly width: number;
  /** Blanks before every row but the first. */
  readonly hanging?: number;
}

/** At blanks where there are any, else within the word, never within a character; no row is wider than the width. */
export function wrapSpans(spans: readonly StyledSpan[], { width, hanging = 0 }: WrapOptions): readonly string[] {
  const room = Math.max(1, width);
  if (spans.length === 1 && columnsOf(spans[0]!.text) <= room) return [styled(spans[0]!)];
  const indent = hanging < room / 2 ? hanging : 0;
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let used = 0;
  const finish = (): void => {
    rows.push(row);
    row = [];
    used = 0;
  };
  for (const word of wordsOf(spans)) {
    const limit = (): number => (rows.length === 0 ? room : room - indent);
    const columns = sum(word);
    const isBlank = word[0]!.text === " ";
    if (used + columns <= limit()) {
      if (isBlank && used === 0 && rows.length > 0) continue;
      row.push(...word);
      used += columns;
      continue;
    }
    if (isBlank) {
      if (used > 0 && rows.length === 0 && row.every(({ text }) => text === " "))
        row.push(...word.slice(0, limit() - used));
      finish();
      continue;
    }
    if (used > 0 && columns <= room - indent && !row.every(({ text }) => text === " ")) finish();
    for (const whole of word) {
      const cell = whole.columns > limit() ? { ...whole, text: "▯", columns: 1 } : whole;
      if (used + cell.columns > limit() && used > 0) finish();
      row.push(cell);
      used += cell.columns;
    }
  }
  if (row.length > 0 || rows.length === 0) finish();
  return rows.map((cells, index) => (index === 0 ? "" : " ".repeat(indent)) + joined(trimmed(cells)));
}

/** Foreign text that was made harmless, wrapped without styles. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapSpans([{ text: line }], { width }));
}

interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly style: Style | undefined;
}

function wordsOf(spans: readonly StyledSpan[]): readonly (readonly Cell[])[] {
  const words: Cell[][] = [];
  let before: "blank" | "word" | null = null;
  for (const cell of spans.flatMap(cellsOf)) {
    const kind = cell.text === " " ? "blank" : "word";
    if (kind === before) words.at(-1)!.push(cell);
    else words.push([cell]);
    before = kind;
  }
  return words;
}

function cellsOf({ text, style }: StyledSpan): readonly Cell[] {
  return charactersOf(text).map((character) => ({ text: character, columns: columnsOf(character), style }));
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((total, { columns }) => total + columns, 0);
}

function trimmed(cells: readonly Cell[]): readonly Cell[] {
  const last = cells.findLastIndex(({ text }) => text !== " ");
  return cells.slice(0, last + 1);
}

function joined(cells: readonly Cell[]): string {
  const runs: { text: string; style: Style | undefined }[] = [];
  for (const { text, style } of cells) {
    const last = runs.at(-1);
    if (last !== undefined && last.style === style) last.text += text;
    else runs.push({ text, style });
  }
  return runs.map(styled).join("");
}

function styled({ text, style }: Pick<Cell, "text"> & { readonly style?: Style | undefined }): string {
  return style === undefined ? text : style(text);
}
