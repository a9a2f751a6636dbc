/** What plans write beside Markdown, found in the text of their words: footnotes, and details with a summary. */
import type { StateBlock, Token } from "markdown-it";

/**
 * `[^why]` becomes a `note_ref`, `[^why]:` at the beginning of a line a `note`; the bare tags of details become `fold`s, a summary
 * an element. Whatever has anything else in its tag stays text: everything that is approved is seen (B19.3).
 */
export function withMarks(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ type, content }) => type === "text" && mark.test(content))) return tokens;
  const result: Token[] = [];
  for (const token of tokens) {
    if (token.type !== "text") result.push(token);
    else result.push(...piecesOf(token, { beginsLine: result.length === 0 || isBreak(result.at(-1)!) }));
  }
  return hasWholeSummaries(result) ? result : result.map(asText);
}

const mark = /(<\/?details>|<details open>|<\/?summary>|\[\^[^\]\s]{1,60}\])/;

function isBreak({ type }: Token): boolean {
  return type === "softbreak" || type === "hardbreak";
}

function piecesOf(token: Token, { beginsLine }: { readonly beginsLine: boolean }): readonly Token[] {
  const parts = token.content.split(mark);
  const pieces: Token[] = [];
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) pieces.push(pieceOf(token, "text", part));
    else if (part.includes("summary"))
      pieces.push(pieceOf(token, part[1] === "/" ? "summary_close" : "summary_open", part));
    else if (part.startsWith("<")) pieces.push(pieceOf(token, "fold", part));
    else if (beginsLine && index === 1 && parts[0] === "" && parts[2]!.startsWith(":")) {
      pieces.push(pieceOf(token, "note", `${part}:`));
      parts[2] = parts[2]!.slice(1);
    } else pieces.push(pieceOf(token, "note_ref", part));
  }
  return pieces.filter(({ type, content }) => type !== "text" || content !== "");
}

function pieceOf(token: Token, type: string, content: string): Token {
  const nesting = type === "summary_open" ? 1 : type === "summary_close" ? -1 : 0;
  return Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token, {
    type,
    content,
    nesting,
  });
}

/** Opened and closed in turn, and nothing else half open meanwhile. */
function hasWholeSummaries(tokens: readonly Token[]): boolean {
  const open: string[] = [];
  for (const { type, nesting } of tokens) {
    if (nesting === 1) open.push(type);
    else if (nesting === -1 && open.pop() !== type.replace("close", "open")) return false;
  }
  return open.length === 0;
}

function asText(token: Token): Token {
  return token.type.startsWith("summary_") ? pieceOf(token, "text", token.content) : token;
}

/** A footnote is a paragraph of its own, and no definition of a link, though it looks like one. */
export function readNote(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const isNote = (line: number): boolean => note.test(state.getLines(line, line + 1, state.blkIndent, false));
  if (!isNote(start) || state.sCount[start]! - state.blkIndent >= 4) return false;
  if (silent) return true;
  const others = state.md.block.ruler.getRules("paragraph");
  const isOver = (line: number): boolean =>
    state.isEmpty(line) ||
    state.sCount[line]! < state.blkIndent ||
    isNote(line) ||
    others.some((rule) => rule(state, line, end, true));
  let next = start + 1;
  while (next < end && !isOver(next)) next += 1;
  const content = state.getLines(start, next, state.blkIndent, false).trim();
  state.line = next;
  state.push("paragraph_open", "p", 1).map = [start, next];
  Object.assign(state.push("inline", "", 0), { content, map: [start, next], children: [] });
  state.push("paragraph_close", "p", -1);
  return true;
}

const note = /^ {0,3}\[\^[^\]\s]{1,60}\]:/;

/** The name of a note or of a reference to it. */
export function noteName({ content }: Token): string {
  return content.slice(2, content.indexOf("]"));
}

/** The line that says what the note is, or, from there, the first that refers to it. */
export function noteLine(text: string, name: string, wanted: "note" | "reference"): number | null {
  const lines = text.split("\n");
  const isNote = (line: string): boolean => line.replace(/^[\s>]*/, "").startsWith(`[^${name}]:`);
  const found = lines.findIndex((line) =>
    wanted === "note" ? isNote(line) : line.includes(`[^${name}]`) && !isNote(line),
  );
  return found < 0 ? null : found + 1;
}
