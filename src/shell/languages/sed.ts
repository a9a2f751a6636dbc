/** Reads a sed script far enough to know that it neither writes a file nor runs a command. */

import { bracketEnd } from "./brackets.ts";

export interface SedEffect {
  /** Why it is not harmless; null when it is. */
  readonly fault: string | null;
  readonly writes: boolean;
  readonly reads: readonly string[];
}

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  readonly reads: string[];
}

class Fault extends Error {
  readonly writes: boolean;
  constructor(reason: string, { writes = false }: { writes?: boolean } = {}) {
    super(reason);
    this.writes = writes;
  }
}

export function findSedEffect(text: string): SedEffect {
  const cursor: Cursor = { text, at: 0, depth: 0, reads: [] };
  try {
    while ((skip(cursor, /[\s;]*/y), cursor.at < text.length)) readCommand(cursor);
    if (cursor.depth !== 0) throw new Fault("braces are not balanced");
    return { fault: null, writes: false, reads: cursor.reads };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.message, writes: error.writes, reads: cursor.reads };
  }
}

function skip(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? "";
  cursor.at += found.length;
  return found;
}

function readCommand(cursor: Cursor): void {
  readAddress(cursor);
  if (skip(cursor, /[ \t]*,[ \t]*/y) !== "") {
    if (skip(cursor, /[+~]\d+/y) === "") readAddress(cursor);
  }
  skip(cursor, /[ \t]*!*[ \t]*/y);
  const letter = cursor.text[cursor.at] ?? "";
  cursor.at += 1;
  switch (letter) {
    case "{":
      cursor.depth += 1;
      return;
    case "}":
      cursor.depth -= 1;
      if (cursor.depth < 0) throw new Fault("braces are not balanced");
      return endCommand(cursor);
    case "#":
      skip(cursor, /[^\n]*/y);
      return;
    case ":":
      if (skip(cursor, /[ \t]*[\w.-]+/y) === "") throw new Fault("a label is not understood");
      return endCommand(cursor);
    case "b":
    case "t":
    case "T":
      skip(cursor, /[ \t]*[\w.-]*/y);
      return endCommand(cursor);
    case "a":
    case "i":
    case "c":
      return readText(cursor);
    case "s":
      return readSubstitute(cursor);
    case "y":
      return readPair(cursor);
    case "r":
    case "R":
      cursor.reads.push(skip(cursor, /[^\n]*/y).trim());
      return;
    case "w":
    case "W":
      return readOutput(cursor);
    case "e":
      throw new Fault("the command e runs a program", { writes: true });
    case "q":
    case "Q":
    case "l":
    case "L":
      skip(cursor, /[ \t]*\d*/y);
      return endCommand(cursor);
    case "v":
      skip(cursor, /[ \t]*[\d.]*/y);
      return endCommand(cursor);
    default:
      if (letter !== "" && "=dDFgGhHnNpPxz".includes(letter)) return endCommand(cursor);
      throw new Fault(`the command ${letter || "at its end"} is not known`);
  }
}

function endCommand(cursor: Cursor): void {
  skip(cursor, /[ \t]*/y);
  const next = cursor.text[cursor.at];
  if (next !== undefined && !";\n}#".includes(next)) throw new Fault(`"${next}" follows a command`);
}

function readAddress(cursor: Cursor): void {
  if (skip(cursor, /\d+(~\d+)?|\$/y) !== "") return;
  const start = cursor.text[cursor.at];
  if (start === "/") {
    cursor.at += 1;
    readDelimited(cursor, "/");
  } else if (start === "\\") {
    const delimiter = cursor.text[cursor.at + 1];
    if (delimiter === undefined || /[\w\s\\]/.test(delimiter)) throw new Fault("an address is not understood");
    cursor.at += 2;
    readDelimited(cursor, delimiter);
  } else {
    return;
  }
  skip(cursor, /[IM]*/y);
}

/** Up to the delimiter; a delimiter inside of brackets is read differently by different programs. */
function readDelimited(cursor: Cursor, delimiter: string): void {
  for (; cursor.at < cursor.text.length; cursor.at += 1) {
    const character = cursor.text[cursor.at]!;
    if (character === "\n") throw new Fault("a pattern goes over the end of its line");
    if (character === "\\") cursor.at += 1;
    else if (character === delimiter) {
      cursor.at += 1;
      return;
    } else if (character === "[") {
      const end = bracketEnd(cursor.text, cursor.at, delimiter);
      if (end === null) throw new Fault("brackets in a pattern have two meanings");
      cursor.at = end;
    }
  }
  throw new Fault("a pattern is not closed");
}

function readReplacement(cursor: Cursor, delimiter: string): void {
  for (; cursor.at < cursor.text.length; cursor.at += 1) {
    const character = cursor.text[cursor.at]!;
    if (character === "\n") throw new Fault("a replacement goes over the end of its line");
    if (character === "\\") cursor.at += 1;
    else if (character === delimiter) {
      cursor.at += 1;
      return;
    }
  }
  throw new Fault("a replacement is not closed");
}

function delimiterOf(cursor: Cursor): string {
  const delimiter = cursor.text[cursor.at];
  if (delimiter === undefined || /[\s\\;]/.test(delimiter)) throw new Fault("a delimiter is not understood");
  cursor.at += 1;
  return delimiter;
}

function readSubstitute(cursor: Cursor): void {
  const delimiter = delimiterOf(cursor);
  readDelimited(cursor, delimiter);
  readReplacement(cursor, delimiter);
  for (;;) {
    const flag = cursor.text[cursor.at];
    if (flag === "e") throw new Fault("the flag e of s runs a program", { writes: true });
    if (flag === "w") {
      cursor.at += 1;
      return readOutput(cursor);
    }
    if (skip(cursor, /[gpiImM]|\d+/y) === "") return endCommand(cursor);
  }
}

function readPair(cursor: Cursor): void {
  const delimiter = delimiterOf(cursor);
  readReplacement(cursor, delimiter);
  readReplacement(cursor, delimiter);
  endCommand(cursor);
}

function readOutput(cursor: Cursor): void {
  const file = skip(cursor, /[^\n]*/y).trim();
  if (!/^\/dev\/(stdout|stderr)$/.test(file)) throw new Fault(`w writes to "${file}"`, { writes: true });
}

/** The text of a, i and c: to the end of the line, and on where the line ends with a backslash. */
function readText(cursor: Cursor): void {
  skip(cursor, /[ \t]*(\\[ \t]*\n)?(?:[^\\\n]|\\[\s\S])*/y);
  if (cursor.at < cursor.text.length && cursor.text[cursor.at] !== "\n") throw new Fault("a text is not understood");
}
