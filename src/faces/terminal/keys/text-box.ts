/** A box for typing: the text and the cursor as a value, keys as a pure function of it, digits always digits (B2.4). */
import type { Key } from "./key-input.ts";
import { charactersOf, columnsOf, cursorMark, safeText } from "../view/safe-text.ts";
import type { Theme } from "../view/theme.ts";

export interface TextBox {
  readonly text: string;
  /** Counted in code units, always between two characters. */
  readonly at: number;
}

export const emptyBox: TextBox = { text: "", at: 0 };

export function boxOf(text: string): TextBox {
  return { text, at: text.length };
}

/** Null when the key is not for the box. */
export function typed(box: TextBox, key: Key): TextBox | null {
  if (key.text !== null) return inserted(box, key.text);
  const edit = edits[key.name];
  return edit === undefined ? null : edit(box);
}

export interface BoxLook {
  readonly width: number;
  /** At most so many rows; the ones around the cursor are shown. */
  readonly rows: number;
  readonly focused: boolean;
  readonly theme: Theme;
  /** Shown while nothing is typed. */
  readonly hint: string;
}

export function boxRows(box: TextBox, { width, rows, focused, theme, hint }: BoxLook): readonly string[] {
  const room = Math.max(1, width - 2);
  const mark = focused ? cursorMark : "";
  if (box.text === "") return [`> ${mark}${theme.marked(" ")}${theme.dim(hint)}`];
  const { lines, row, before } = laidOut(box, room);
  const first = Math.max(0, Math.min(row - Math.floor(rows / 2), lines.length - rows));
  return lines.slice(first, first + rows).map((line, index) => {
    const number = first + index;
    const prefix = number === 0 ? "> " : "  ";
    if (number !== row) return prefix + line;
    const rest = line.slice(before.length);
    const under = firstCharacter(rest) ?? " ";
    return `${prefix}${before}${mark}${theme.marked(under)}${rest.slice(under.length)}`;
  });
}

const edits: Readonly<Record<string, (box: TextBox) => TextBox>> = {
  backspace: (box) => removed(box, before(box), box.at),
  "shift+backspace": (box) => removed(box, before(box), box.at),
  delete: (box) => removed(box, box.at, after(box)),
  "ctrl+d": (box) => removed(box, box.at, after(box)),
  left: (box) => ({ ...box, at: before(box) }),
  "ctrl+b": (box) => ({ ...box, at: before(box) }),
  right: (box) => ({ ...box, at: after(box) }),
  "ctrl+f": (box) => ({ ...box, at: after(box) }),
  home: (box) => ({ ...box, at: lineStart(box) }),
  "ctrl+a": (box) => ({ ...box, at: lineStart(box) }),
  end: (box) => ({ ...box, at: lineEnd(box) }),
  "ctrl+e": (box) => ({ ...box, at: lineEnd(box) }),
  "ctrl+u": (box) => removed(box, lineStart(box), box.at),
  "ctrl+k": (box) => removed(box, box.at, Math.max(lineEnd(box), after(box))),
  "ctrl+w": (box) => removed(box, wordStart(box), box.at),
  "alt+backspace": (box) => removed(box, wordStart(box), box.at),
  "alt+d": (box) => removed(box, box.at, wordEnd(box)),
  "alt+delete": (box) => removed(box, box.at, wordEnd(box)),
  "shift+delete": (box) => removed(box, box.at, after(box)),
  "alt+b": (box) => ({ ...box, at: wordStart(box) }),
  "alt+f": (box) => ({ ...box, at: wordEnd(box) }),
  "alt+left": (box) => ({ ...box, at: wordStart(box) }),
  "ctrl+left": (box) => ({ ...box, at: wordStart(box) }),
  "alt+right": (box) => ({ ...box, at: wordEnd(box) }),
  "ctrl+right": (box) => ({ ...box, at: wordEnd(box) }),
  up: (box) => toLine(box, -1),
  down: (box) => toLine(box, 1),
  "shift+enter": (box) => inserted(box, "\n"),
  "alt+enter": (box) => inserted(box, "\n"),
  "ctrl+j": (box) => inserted(box, "\n"),
};

function inserted({ text, at }: TextBox, more: string): TextBox {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length };
}

function removed({ text }: TextBox, from: number, to: number): TextBox {
  return { text: text.slice(0, from) + text.slice(to), at: from };
}

function before({ text, at }: TextBox): number {
  const near = text.slice(Math.max(0, at - 64), at);
  return at - (charactersOf(near).at(-1)?.length ?? 0);
}

function after({ text, at }: TextBox): number {
  return at + (firstCharacter(text.slice(at, at + 64))?.length ?? 0);
}

function lineStart({ text, at }: TextBox): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd({ text, at }: TextBox): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function wordStart({ text, at }: TextBox): number {
  return /\S*\s*$/.exec(text.slice(0, at))!.index;
}

function wordEnd({ text, at }: TextBox): number {
  return at + /^\s*\S*/.exec(text.slice(at))![0].length;
}

function toLine(box: TextBox, by: -1 | 1): TextBox {
  const start = lineStart(box);
  const edge = by < 0 ? start - 1 : lineEnd(box) + 1;
  if (edge < 0 || edge > box.text.length) return { ...box, at: by < 0 ? 0 : box.text.length };
  const from = lineStart({ text: box.text, at: edge });
  return { ...box, at: Math.min(from + box.at - start, lineEnd({ text: box.text, at: from })) };
}

interface LaidOut {
  readonly lines: readonly string[];
  /** The row of the cursor, and what stands before it there. */
  readonly row: number;
  readonly before: string;
}

/** Broken at the width alone, so that the cursor's place is plain; what was pasted is shown harmless. */
function laidOut({ text, at }: TextBox, room: number): LaidOut {
  const lines: string[] = [];
  let cursor = { row: 0, before: "" };
  let start = 0;
  for (const line of text.split("\n")) {
    let [row, used] = ["", 0];
    let position = start;
    for (const character of charactersOf(line)) {
      const shown = safeText(character);
      const columns = columnsOf(shown);
      if (used + columns > room - 1 && used > 0) {
        lines.push(row);
        [row, used] = ["", 0];
      }
      used += columns;
      if (position === at) cursor = { row: lines.length, before: row };
      row += shown;
      position += character.length;
    }
    if (position === at) cursor = { row: lines.length, before: row };
    lines.push(row);
    start = position + 1;
  }
  return { lines, ...cursor };
}

function firstCharacter(text: string): string | undefined {
  return charactersOf(text.slice(0, 64))[0];
}
