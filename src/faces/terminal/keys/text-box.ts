/** A box for typing: the text and the cursor as a value, keys as a pure function of it, digits always digits (B2.4). */
import type { Key } from "./key-input.ts";
import { charactersOf } from "../view/safe-text.ts";

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
  return key.text === null ? (edits.get(key.name)?.(box) ?? null) : inserted(box, key.text);
}

type Edit = (box: TextBox) => TextBox;

const keysAndEdits: readonly (readonly [keys: readonly string[], edit: Edit])[] = [
  [["backspace", "shift+backspace"], (box) => removed(box, before(box), box.at)],
  [["delete", "shift+delete", "ctrl+d"], (box) => removed(box, box.at, after(box))],
  [["left", "ctrl+b"], (box) => ({ ...box, at: before(box) })],
  [["right", "ctrl+f"], (box) => ({ ...box, at: after(box) })],
  [["home", "ctrl+a"], (box) => ({ ...box, at: lineStart(box) })],
  [["end", "ctrl+e"], (box) => ({ ...box, at: lineEnd(box) })],
  [["ctrl+u"], (box) => removed(box, lineStart(box), box.at)],
  [["ctrl+k"], (box) => removed(box, box.at, Math.max(lineEnd(box), after(box)))],
  [["ctrl+w", "alt+backspace"], (box) => removed(box, wordStart(box), box.at)],
  [["alt+d", "alt+delete"], (box) => removed(box, box.at, wordEnd(box))],
  [["alt+b", "alt+left", "ctrl+left"], (box) => ({ ...box, at: wordStart(box) })],
  [["alt+f", "alt+right", "ctrl+right"], (box) => ({ ...box, at: wordEnd(box) })],
  [["up"], (box) => toLine(box, -1)],
  [["down"], (box) => toLine(box, 1)],
  [["shift+enter", "alt+enter", "ctrl+j"], (box) => inserted(box, "\n")],
];
const edits = new Map(keysAndEdits.flatMap(([keys, edit]) => keys.map((key) => [key, edit] as const)));

export function inserted({ text, at }: TextBox, more: string): TextBox {
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
  return at + (charactersOf(text.slice(at, at + 64))[0]?.length ?? 0);
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
