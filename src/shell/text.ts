/** What is refused before parsing: size, nesting and characters that a person cannot see. */

const sizeLimit = 32_768;
const countLimits: readonly (readonly [mark: string, limit: number])[] = [
  ["(", 200],
  ["{", 200],
  ["`", 100],
  ["<<", 60],
  ["|", 1000],
  ["\n", 2000],
];
/** Control, format, blank and filler characters; an emoji's variation selector (U+FE0F) is harmless. */
const hidden = new RegExp(
  [
    String.raw`[^\P{C}\t\n]`,
    String.raw`[\u00a0\u115f\u1160\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\uffa0\ufffd]`,
    String.raw`\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]`,
  ].join("|"),
  "u",
);

/** The reason why this text is not even parsed, and where; null when it may be. */
export function findUnreadable(text: string): { reason: string; at: number | null } | null {
  if (text.length > sizeLimit) return { reason: `the command is longer than ${sizeLimit} characters`, at: null };
  const match = hidden.exec(text);
  if (match !== null) {
    const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return { reason: `the character U+${code} is invisible or a control character`, at: match.index };
  }
  for (const [mark, limit] of countLimits) {
    if (exceeds(text, mark, limit)) return { reason: `more than ${limit} times ${JSON.stringify(mark)}`, at: null };
  }
  return null;
}

function exceeds(text: string, mark: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}
