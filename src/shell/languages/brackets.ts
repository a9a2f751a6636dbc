/** Bracket expressions of regular expressions, where all programs agree on their end. */

/** The index of the closing bracket; null when a delimiter, an end of line or a doubtful escape stands inside. */
export function bracketEnd(text: string, open: number, delimiter: string): number | null {
  let at = open + 1;
  if (text[at] === "^") at += 1;
  if (text[at] === "]") return null;
  for (; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === "]") return at;
    if (character === delimiter || character === "\n") return null;
    if (character === "\\") {
      if (text[at + 1] === "]") return null;
      at += 1;
    } else if (character === "[" && /[:.=]/.test(text[at + 1] ?? "")) {
      const close = text.indexOf(`${text[at + 1]}]`, at + 2);
      if (close === -1 || !/^[a-z]*$/.test(text.slice(at + 2, close))) return null;
      at = close + 1;
    }
  }
  return null;
}
