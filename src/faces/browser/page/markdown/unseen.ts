/** Lines of a plan that no drawn token holds: what Markdown would swallow is shown as source, since it is approved too (B2.5). */
import type { Token } from "markdown-it";
import type { LineStretch } from "../places.ts";

/** Link definitions, what is nested too deeply, cells beyond a table's columns. Neighbours are one stretch. */
export function unseenLines(tokens: readonly Token[], lines: readonly string[]): readonly LineStretch[] {
  const isSeen = new Uint8Array(lines.length);
  for (const [index, token] of tokens.entries()) {
    if (token.map === null || !shown.has(token.type)) continue;
    if (token.type === "tr_open" && hasLostCells(tokens, index, lines[token.map[0]]!)) continue;
    const end = token.type === "table_open" ? token.map[0] + 2 : token.map[1];
    isSeen.fill(1, token.type === "table_open" ? token.map[0] + 1 : token.map[0], end);
  }
  const stretches: { from: number; to: number }[] = [];
  for (const [index, line] of lines.entries()) {
    if (isSeen[index] === 1 || isOnlyMarks(line)) continue;
    const last = stretches.at(-1);
    if (last?.to === index) last.to = index + 1;
    else stretches.push({ from: index + 1, to: index + 1 });
  }
  return stretches;
}

/** A table's own map gives the line of dashes below its head. */
const shown = new Set(["inline", "heading_open", "fence", "code_block", "hr", "tr_open", "table_open"]);

/** Before the cells only the marks of quotes and lists may stand, after them nothing. */
function hasLostCells(tokens: readonly Token[], row: number, line: string): boolean {
  let cells = "";
  for (let at = row + 1; tokens[at]!.type !== "tr_close"; at += 1) cells += tokens[at]!.content;
  const [whole, kept] = [line.replace(blanks, ""), cells.replace(blanks, "")];
  return !whole.endsWith(kept) || !isOnlyMarks(whole.slice(0, whole.length - kept.length));
}

const blanks = /[\s|\\]/g;

function isOnlyMarks(line: string): boolean {
  return /^(?:[\s>*+-]|\d{1,9}[.)])*$/.test(line);
}
