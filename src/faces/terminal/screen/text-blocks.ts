/** Cuts a text that is still being written into blocks that are finished and the rest that may still change. */

export interface Cut {
  readonly finished: string;
  readonly rest: string;
}

/**
 * The last place where a block surely ended: a blank line outside of a fence, behind which something begins at the margin that is
 * neither a list item nor a quote.
 */
export function cutBlocks(text: string): Cut {
  const lines = text.split("\n");
  let fence: string | null = null;
  let offset = 0;
  let cut = 0;
  lines.forEach((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const wasOutside = fence === null;
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = null;
    }
    const isBehindBlank = index > 0 && lines[index - 1]!.trim() === "";
    const isWhole = index < lines.length - 1;
    if (wasOutside && isWhole && isBehindBlank && startsBlock(line)) cut = offset;
    offset += line.length + 1;
  });
  const end = text.length - cut > longestOpen ? cut + endOfPiece(text.slice(cut)) : cut;
  return { finished: text.slice(0, end), rest: text.slice(end) };
}

/** A block that does not end is cut all the same: what is still open is drawn again and again. */
const longestOpen = 16_000;

function endOfPiece(text: string): number {
  const end = text.lastIndexOf("\n") + 1;
  return end > 0 ? end : text.length;
}

function startsBlock(line: string): boolean {
  return /^[^\s>]/.test(line) && !/^([-*+]|\d{1,9}[.)])(\s|$)/.test(line);
}
