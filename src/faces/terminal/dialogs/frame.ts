/** What dialogs have in common to look at: the rule with a title, hints of keys, lists of choices. */
import { columnsOf, safeLine, takeColumns } from "../view/safe-text.ts";
import { wrapSpans, type StyledSpan } from "../view/spans.ts";
import type { Style, Theme } from "../view/theme.ts";
import type { ViewLook } from "../view/view-facts.ts";

export interface RuleLook {
  readonly width: number;
  readonly style: Style;
  /** Something short at its right end. */
  readonly right?: string;
  readonly rightStyle?: Style;
}

/** A line across with a title at its left; both texts are harmless already. */
export function rule(title: string, { width, style, right = "", rightStyle = style }: RuleLook): string {
  const start = title === "" ? "" : ` ${takeColumns(title, Math.max(1, width - 6))} `;
  const isShown = right !== "" && columnsOf(start) + columnsOf(right) + 8 <= width;
  const line = "─".repeat(Math.max(0, width - 2 - columnsOf(start) - (isShown ? columnsOf(right) + 4 : 0)));
  return style(`──${start}${line}`) + (isShown ? `${rightStyle(` ${right} `)}${style("──")}` : "");
}

export type KeyHint = readonly [key: string, does: string];

/** Says why a key did nothing (B2.4). */
export function tooSoonRow(columns: number, theme: Theme, what = "this"): string {
  return theme.warning(` ${safeLine(`That key came before ${what} could be read: not counted.`, columns - 2)}`);
}

/** Keys and what they do, in as many rows as they need, at most `rows`: the first ones are the most important. */
export function hints(
  keys: readonly KeyHint[],
  { width, rows, theme }: ViewLook & { readonly rows: number },
): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const [key, does] of keys.filter(([name]) => name !== "")) {
    const hint = `${key} ${does}`;
    const longer = line === "" ? hint : `${line} · ${hint}`;
    if (columnsOf(longer) <= width - 1) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = hint;
  }
  return [...lines, line]
    .filter((text) => text !== "")
    .slice(0, rows)
    .map((text) => theme.dim(` ${text}`));
}

export interface ListedChoice {
  readonly label: string;
  readonly short?: string;
  readonly letter: string;
  readonly style?: Style;
}

/** All choices, always: below each other where there is room, else in two columns, else one after the other. */
export function choiceRows(
  choices: readonly ListedChoice[],
  { width, rows, selected, theme }: ViewLook & { readonly rows: number; readonly selected: number },
): readonly string[] {
  const full = choices.map(({ label, letter, style = theme.plain }, index) => {
    const isSelected = index === selected;
    const look = isSelected ? theme.selected : style;
    return look(`${isSelected ? "❯" : " "} ${index + 1}. ${label}`) + theme.dim(`  ${letter}`);
  });
  if (choices.length <= rows && widest(full) <= width) return full;
  const half = Math.ceil(choices.length / 2);
  const columns = twoColumns(full, half, width) ?? twoColumns(full, half + 1, width);
  if (columns !== null && columns.length <= rows) return columns;
  if (choices.length <= rows) return full;
  const spans = choices.flatMap(({ label, short = label, style }, index): StyledSpan[] => {
    const isSelected = index === selected;
    const look = isSelected ? theme.marked : style;
    const text = `${isSelected ? "❯" : " "}${index + 1} ${short}`.replaceAll(" ", "\u00A0");
    return [look === undefined ? { text } : { text, style: look }, { text: " " }];
  });
  return wrapSpans(spans, { width })
    .map((row) => row.replaceAll("\u00A0", " "))
    .slice(0, rows);
}

/** So many in the first column; null where that is too wide. */
function twoColumns(full: readonly string[], half: number, width: number): readonly string[] | null {
  const first = widest(full.slice(0, half));
  if (first + widest(full.slice(half)) + 3 > width) return null;
  return full.slice(0, half).map((text, index) => {
    const other = full[half + index];
    return other === undefined ? text : text + " ".repeat(first - columnsOf(text) + 3) + other;
  });
}

function widest(rows: readonly string[]): number {
  return Math.max(0, ...rows.map(columnsOf));
}
