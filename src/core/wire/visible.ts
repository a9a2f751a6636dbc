/** Makes hidden content visible wherever something is shown for approval (B2.5). */

/** Tabs and line ends stay; everything that could hide, reorder or overwrite text becomes an escape, long blanks are counted. */
export function makeVisible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(hiddenCharacters, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replace(manyBlanks, (blanks) => (isLong(blanks) ? `⟨${blanks.length} blanks⟩` : blanks));
}

/** For a person at a terminal nothing is hidden; a pipe or a file gets every byte as it is. */
export function shownOn(stream: object, text: string): string {
  return "isTTY" in stream && stream.isTTY === true ? makeVisible(text) : text;
}

/** The same value, and nothing in it that a terminal would obey. */
export function visibleJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(hiddenCharacters, escapedUnits);
}

function escapedUnits(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function hasHidden(text: string): boolean {
  return text.replace(/\r\n/g, "\n").search(hiddenCharacters) >= 0 || (text.match(manyBlanks) ?? []).some(isLong);
}

/**
 * Control characters, line and paragraph separators, bidirectional marks, zero-width and other default-ignorable characters,
 * variation selectors, tags, private use, lone surrogates and fillers; but not the joiner and the selector inside an emoji.
 */
export const hiddenCharacters =
  /(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?)\uFE0F|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D|\u034F|[\u180B-\u180F]|[\uFE00-\uFE0E]|[\u{E0000}-\u{E0FFF}]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u200B\u200C\u200E\u200F\u2028-\u202F\u205F-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFC\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]|\p{Co}|\p{Cs}/gu;
const manyBlanks = /[ \t\u00A0\u1680\u2000-\u200A\u3000]{10,}/g;

/** As wide as it takes to push words out of sight. */
function isLong(blanks: string): boolean {
  const tabs = blanks.split("\t").length - 1;
  return blanks.length + tabs * (tabWidth - 1) >= 40;
}

const tabWidth = 4;
