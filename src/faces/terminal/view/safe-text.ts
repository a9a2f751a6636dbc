/** Foreign text made harmless for a terminal: everything visible, nothing moves the cursor, no line wider than its place. */
import { eastAsianWidth } from "get-east-asian-width";
import { makeVisible } from "../../../core/wire/visible.ts";

/** Where the cursor of the terminal is to stand: taken out before anything is written. */
export const cursorMark = "\u001B_cursor\u0007";

/**
 * Line ends stay, everything else that hides, moves or piles up becomes an escape that can be read (B2.5), tabs become blanks.
 * Its cost grows with the text: where only the beginning is shown, use `safeLine`.
 */
export function safeText(text: string): string {
  if (isPlain(text) && !text.includes(" ".repeat(40))) return text;
  return makeVisible(text)
    .replaceAll("\t", "    ")
    .replace(unassigned, escaped)
    .replace(leadingMarks, (marks) => escapedAll(marks))
    .replace(piledMarks, (_, kept: string, rest: string) => kept + escapedAll(rest));
}

/** One row of foreign text within a width; what does not fit is cut off and the cut is shown. */
export function safeLine(text: string, width: number): string {
  const beginning = cutAt(text, Math.max(64, width * 8));
  const line = safeText(beginning.trimEnd()).replaceAll("\n", " ⏎ ");
  if (beginning.length === text.length) return fitted(line, width);
  return width <= 0 ? "" : `${takeColumns(line, width - 1)}…`;
}

/** A path within a width: the name at its end matters most, so that the beginning is cut off. */
export function safePath(path: string, width: number): string {
  const line = safeText(path.slice(-Math.max(64, width * 8))).replaceAll("\n", " ⏎ ");
  if (columnsOf(line) <= width) return line;
  const characters = Array.from(line);
  let first = characters.length;
  for (let left = width - 1; first > 0 && left >= columnsOfCharacter(characters[first - 1]!); first -= 1) {
    left -= columnsOfCharacter(characters[first - 1]!);
  }
  return fitted(`…${characters.slice(first).join("")}`, width);
}

/** One paragraph of foreign text that may take so many characters: both its ends matter, a file's name as well as its folder. */
export function safeNote(text: string, length: number): string {
  const half = Math.floor(length / 2);
  const ends = text.length <= length ? text : `${cutAt(text, half)} … ${text.slice(-half)}`;
  return safeText(ends).replaceAll("\n", " ⏎ ");
}

/** A line of ours, with styles and perhaps the cursor's mark, at most this wide. Other control sequences are dropped. */
export function clampLine(line: string, width: number): string {
  if (isPlain(line) && !line.includes("\n")) return line.length <= width ? line : fitted(line, width);
  const parts = line.split(ours);
  const clean = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(controls, "")));
  const total = clean.reduce((sum, part, index) => sum + (index % 2 === 1 ? 0 : columnsOf(part)), 0);
  if (total <= width) return clean.join("");
  let left = Math.max(0, width - 1);
  const kept: string[] = [];
  for (const [index, part] of clean.entries()) {
    if (index % 2 === 1) {
      if (left > 0 || part === cursorMark) kept.push(part);
      continue;
    }
    const taken = takeColumns(part, left);
    kept.push(taken);
    left = taken === part ? left - columnsOf(taken) : 0;
  }
  return `${kept.join("")}\u001B[0m${width > 0 ? "…" : ""}`;
}

/**
 * How many columns a text may take in any terminal. Terminals differ on joined emoji, variation selectors and spacing marks: the
 * widest reading counts, so that nothing wraps anywhere. Styles count nothing.
 */
export function columnsOf(text: string): number {
  if (isPlain(text)) return text.length;
  const bare = text.includes("\u001B") ? text.replace(ours, "") : text;
  let sum = 0;
  let before = 0;
  for (const character of bare) {
    const width = character === "\uFE0F" ? (before === 1 ? 1 : 0) : columnsOfCharacter(character);
    sum += width;
    before = width;
  }
  return sum;
}

/** As much of a text as fits, never half a character. */
export function takeColumns(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(0, width));
  let taken = "";
  let left = width;
  for (const { segment } of graphemes.segment(cutAt(text, width * 16))) {
    const columns = columnsOf(segment);
    if (columns > left) break;
    taken += segment;
    left -= columns;
  }
  return taken;
}

/** What a person takes for one character each. */
export function charactersOf(text: string): readonly string[] {
  if (isPlain(text)) return Array.from(text);
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Filled with blanks to exactly the width. */
export function padded(line: string, width: number): string {
  const clamped = clampLine(line, width);
  return clamped + " ".repeat(Math.max(0, width - columnsOf(clamped)));
}

/** The beginning of a text, not cut within a character. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text[length - 1] ?? "") ? length - 1 : length;
  return text.slice(0, Math.max(0, end));
}

/** Colours and weights. */
export const styles = /\u001B\[[\d;]*m/g;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Styles and the cursor's mark: the only sequences that we ever send ourselves. */
const ours = new RegExp(`(\\u001B\\[[\\d;]*m|${cursorMark})`, "g");
const controls = /[\u0000-\u001F\u007F-\u009F]/g;
const unassigned = /[\uFFF0-\uFFF8]|\p{Cn}/gu;
const leadingMarks = /^\p{M}+/gmu;
const piledMarks = /(\P{M}\p{M}{6})(\p{M}+)/gu;

function isPlain(text: string): boolean {
  return /^[\u0020-\u007E]*$/.test(text);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

function escapedAll(characters: string): string {
  return Array.from(characters, escaped).join("");
}

function fitted(line: string, width: number): string {
  if (columnsOf(line) <= width) return line;
  return width <= 0 ? "" : `${takeColumns(line, width - 1)}…`;
}

/** Signs of our own, of one column everywhere: they need no tables, which take a while to build. */
const ownSigns = /^[\u2500-\u257F·…❯›●⏺⏸⏵▸▾◌✗■☐◐☑⋮⋯│−↑↓→└•–§]$/;

function columnsOfCharacter(character: string): number {
  if (ownSigns.test(character)) return 1;
  if (/^[\u1160-\u11FF\uD7B0-\uD7FF]$/.test(character)) return 1;
  if (/^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cc}]$/u.test(character)) return 0;
  if (/^[\u{1F1E6}-\u{1F1FF}]$/u.test(character)) return 2;
  return eastAsianWidth(character.codePointAt(0)!);
}
