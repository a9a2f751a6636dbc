/** A plan as Markdown, line by line: what is shown keeps its line number, and nothing that was written is left out (B2.5). */
import { columnsOf, cutAt, padded, safeText } from "./safe-text.ts";
import { wrapSpans, type StyledSpan } from "./spans.ts";
import type { Highlight } from "./highlight.ts";
import type { Theme } from "./theme.ts";
import type { ViewFacts, ViewLook } from "./view-facts.ts";
import { inlineSpans, spansOfStyled } from "./inline-spans.ts";

/** A line, or a piece of a very long one. */
export interface PlanLine {
  /** Counted from 1. */
  readonly number: number;
  /** Whether a further piece of the same line follows. */
  readonly continues: boolean;
  rows(width: number): readonly string[];
}

export interface PlanLook {
  readonly theme: Theme;
  readonly highlight?: Highlight | null | undefined;
  /** Before every line of code. */
  readonly codeMargin?: string;
}

export function planLines(text: string, { theme, highlight, codeMargin = "" }: PlanLook): readonly PlanLine[] {
  const raw = linesOfPlan(text);
  const blocks = blocksOf(raw);
  const coloured = highlight ? remembering(highlight) : null;
  return raw.flatMap((line, index) => {
    const pieces = piecesOf(line);
    return pieces.map((piece, part): PlanLine => {
      const isWhole = pieces.length === 1;
      return {
        number: index + 1,
        continues: part < pieces.length - 1,
        rows: (width) =>
          isWhole
            ? rowsOfLine(blocks[index]!, { piece, theme, highlight: coloured, codeMargin, width })
            : wrapSpans([{ text: safeText(piece) }], { width }),
      };
    });
  });
}

/** Any Markdown at once, without the blank lines around it. */
export function markdownLines(
  text: string,
  { width, theme, highlight }: Pick<ViewFacts, "width" | "theme" | "highlight">,
): readonly string[] {
  const shown = cutAt(text, 200_000);
  const look = { theme, highlight, codeMargin: "  " };
  const lines = withoutEdges(planLines(shown, look).flatMap((line) => line.rows(Math.max(1, width))));
  const rest = text.length - shown.length;
  return rest === 0 ? lines : [...lines, theme.warning(`… ${rest.toLocaleString("en-US")} more characters`)];
}

function withoutEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/** A line end at the very end begins no further line. */
export function linesOfPlan(text: string): readonly string[] {
  return text.replace(/\r?\n$/, "").split(/\r\n|\n/);
}

/** A piece this long is laid out at once; longer lines are laid out piece by piece, as they come into view. */
const pieceLength = 2_000;

export function piecesOf(line: string): readonly string[] {
  if (line.length <= pieceLength) return [line];
  const pieces: string[] = [];
  for (let rest = line; rest !== ""; rest = rest.slice(pieces.at(-1)!.length)) pieces.push(cutAt(rest, pieceLength));
  return pieces;
}

type Block =
  | { readonly kind: "text" }
  | { readonly kind: "fence" }
  | { readonly kind: "code"; readonly language: string; readonly lines: readonly string[]; readonly index: number }
  | { readonly kind: "table"; readonly table: readonly string[]; readonly index: number };

interface LineLook extends ViewLook {
  readonly piece: string;
  readonly highlight: Highlight | null;
  readonly codeMargin: string;
}

function rowsOfLine(block: Block, { piece, theme, highlight, codeMargin, width }: LineLook): readonly string[] {
  const text = safeText(piece);
  switch (block.kind) {
    case "fence":
      return wrapSpans([{ text, style: theme.faint }], { width });
    case "code": {
      const margin = codeMargin === "" ? [] : [{ text: codeMargin }];
      const hanging = codeMargin.length + indentOf(text) + 2;
      return wrapSpans([...margin, ...codeSpans(block, text, highlight)], { width, hanging });
    }
    case "table":
      return tableRow(block, text, { theme, width });
    case "text":
      return textRows(text, { theme, width });
  }
}

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const open = /^\s{0,8}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(lines[at]!);
    const span = open === null ? tableLength(lines, at) : fenceLength(lines, at, open[1]!);
    const body = lines.slice(at, at + span);
    if (open !== null) blocks.push(...fenceBlocks(body, open[2]!.toLowerCase(), open[1]!));
    else if (span > 0) blocks.push(...body.map((_, index): Block => ({ kind: "table", table: body, index })));
    else blocks.push({ kind: "text" });
    at += Math.max(1, span);
  }
  return blocks;
}

function fenceLength(lines: readonly string[], from: number, mark: string): number {
  let end = from + 1;
  while (end < lines.length && !isFenceEnd(lines[end]!, mark)) end += 1;
  return Math.min(lines.length, end + 1) - from;
}

function isFenceEnd(line: string, mark: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= mark.length && trimmed === mark[0]!.repeat(trimmed.length);
}

function fenceBlocks(body: readonly string[], language: string, mark: string): readonly Block[] {
  const isClosed = body.length > 1 && isFenceEnd(body.at(-1)!, mark);
  const lines = body.slice(1, isClosed ? -1 : undefined);
  const code = lines.map((_, index): Block => ({ kind: "code", language, lines, index }));
  return [{ kind: "fence" }, ...code, ...(isClosed ? [{ kind: "fence" } as const] : [])];
}

function tableLength(lines: readonly string[], from: number): number {
  if (!isRow(lines[from]) || !isSeparator(lines[from + 1] ?? "")) return 0;
  let end = from;
  while (isRow(lines[end])) end += 1;
  return end - from;
}

function isRow(line: string | undefined): boolean {
  return line !== undefined && line.length < 1_000 && /^\s*\|.*\|\s*$/.test(line);
}

function isSeparator(line: string): boolean {
  return /^\s*\|(\s*:?-+:?\s*\|)+\s*$/.test(line);
}

function codeSpans(
  { language, lines, index }: Extract<Block, { kind: "code" }>,
  text: string,
  highlight: Highlight | null,
): readonly StyledSpan[] {
  const isSmall = lines.length <= 400 && lines.every((line) => line.length <= 500);
  const code = language !== "" && isSmall ? highlight?.(lines.map(safeText).join("\n"), language) : null;
  const spans = spansOfStyled(code?.[index] ?? "");
  return spans.map((span) => span.text).join("") === text ? spans : [{ text }];
}

/** A block is coloured once, not for each of its lines; what cannot be coloured yet is asked for again. */
function remembering(highlight: Highlight): Highlight {
  const known = new Map<string, readonly string[]>();
  return (code, language) => {
    const key = `${language}\n${code}`;
    const lines = known.get(key) ?? highlight(code, language);
    if (lines !== null) known.set(key, lines);
    return lines;
  };
}

function textRows(text: string, look: ViewLook): readonly string[] {
  const { theme, width } = look;
  const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(text);
  if (heading !== null) return headingRows(heading[1]!.length, heading[2]!, look);
  if (/^ {0,3}([-*_])( *\1){2,}\s*$/.test(text)) return [theme.faint("─".repeat(Math.min(width, 40)))];
  const quote = /^ {0,3}>\s?(.*)$/.exec(text);
  if (quote !== null) {
    const bar = { text: "│ ", style: theme.faint };
    return wrapSpans([bar, ...inlineSpans(quote[1]!, theme, theme.quote)], { width, hanging: 2 });
  }
  const item = /^(\s*)([-*+]|\d{1,4}[.)])(\s+)(\[[ xX]\]\s+)?(.*)$/.exec(text);
  if (item === null) return wrapSpans(inlineSpans(text, theme), { width, hanging: indentOf(text) });
  const [, indent = "", sign = "", gap = "", box = "", rest = ""] = item;
  const bullet = /^[-*+]$/.test(sign) ? "•" : sign;
  const head: StyledSpan[] = [{ text: indent }, { text: bullet, style: theme.accent }, { text: gap + box }];
  const hanging = columnsOf(indent + bullet + gap + box);
  return wrapSpans([...head, ...inlineSpans(rest, theme)], { width, hanging });
}

function headingRows(level: number, title: string, { theme, width }: ViewLook): readonly string[] {
  const marks: StyledSpan[] =
    level > 2 || theme.name === "none" ? [{ text: `${"#".repeat(level)} `, style: theme.faint }] : [];
  const style = level === 1 ? (text: string) => theme.heading(theme.underline(text)) : theme.heading;
  return wrapSpans([...marks, ...inlineSpans(title, theme, style)], { width });
}

function tableRow(
  { table, index }: Extract<Block, { kind: "table" }>,
  text: string,
  { theme, width }: ViewLook,
): readonly string[] {
  const rows = table.map((line) => cellsOf(safeText(line)));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((cells, at) => (at === 1 ? 3 : columnsOf(cells[column] ?? "")))),
  );
  const total = widths.reduce((sum, columns) => sum + columns + 3, 1);
  const isEven = rows.every((cells) => cells.length === widths.length);
  if (total > width || !isEven) return wrapSpans(inlineSpans(text, theme), { width });
  if (index === 1) return [theme.faint(`├${widths.map((columns) => "─".repeat(columns + 2)).join("┼")}┤`)];
  const bar = theme.faint("│");
  const cells = rows[index]!.map((cell, column) => {
    const plain = padded(cell, widths[column]!);
    return index === 0 ? theme.bold(plain) : plain;
  });
  return [`${bar} ${cells.join(` ${bar} `)} ${bar}`];
}

/** The cells of a row; a bar behind a backslash is text. */
function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function indentOf(text: string): number {
  return /^ */.exec(text)![0].length;
}
