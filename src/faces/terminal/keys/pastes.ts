/** Large pastes in the line: a mark in place of the text, which is one sign for cursor and keys, and whole again when it is sent. */
import type { TextBox } from "./text-box.ts";

export interface Pasting {
  readonly box: TextBox;
  readonly pastes: readonly string[];
}

/** What is put into the line for a paste: the text itself, or a mark for it. */
export function pasted(
  text: string,
  { box, pastes }: Pasting,
): { readonly mark: string; readonly pastes: readonly string[] } {
  const clean = unfolded(text).replaceAll("\t", "    ").replace(controls, "");
  const isPath = /^[/~.]/.test(clean) && /\w$/.test(box.text.slice(0, box.at));
  const inserted = isPath ? ` ${clean}` : clean;
  const lines = inserted.split("\n").length;
  if (lines <= mostLines && inserted.length <= mostCharacters) return { mark: inserted, pastes };
  const size = lines > mostLines ? `+${lines} lines` : `${inserted.length} chars`;
  return { mark: `[paste #${pastes.length + 1} ${size}]`, pastes: [...pastes, inserted] };
}

/** The text with every paste in the place of its mark. */
export function whole(text: string, pastes: readonly string[]): string {
  return text.replace(marks, (mark, number: string) => pastes[Number(number) - 1] ?? mark);
}

/** A key beside a mark takes or passes it as one sign; null where there is none. */
export function markAround({ text, at }: TextBox, key: string): TextBox | null {
  const isBack = key === "backspace" || key === "left";
  if (!isBack && key !== "delete" && key !== "right") return null;
  const found = [...text.matchAll(marks)].find(({ index, 0: mark }) => (isBack ? index + mark.length : index) === at);
  if (found === undefined) return null;
  const end = found.index + found[0].length;
  if (key === "left") return { text, at: found.index };
  if (key === "right") return { text, at: end };
  return { text: text.slice(0, found.index) + text.slice(end), at: found.index };
}

const mostLines = 10;
const mostCharacters = 1_000;
const marks = /\[paste #(\d+) (?:\+\d+ lines|\d+ chars)\]/g;
const controls = /[\u0000-\u0009\u000B-\u001F\u007F]/g;

/** Some terminals write control characters within a paste as keys: Ctrl with a letter. */
function unfolded(text: string): string {
  return text.replace(/\u001B\[(\d+);5u/g, (sequence, code: string) => {
    const letter = String.fromCodePoint(Math.min(Number(code), 0x7f)).toLowerCase();
    return /^[a-z]$/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 96) : sequence;
  });
}
