/** Reads an awk program far enough to know that it neither writes a file nor runs a command. */

import { bracketEnd } from "./brackets.ts";

export interface AwkEffect {
  readonly fault: string | null;
  readonly writes: boolean;
  readonly reads: readonly string[];
}

type Token = { readonly kind: "name" | "number" | "string" | "regex" | "mark" | "end"; readonly text: string };

class Fault extends Error {
  readonly writes: boolean;
  constructor(reason: string, { writes = false }: { writes?: boolean } = {}) {
    super(reason);
    this.writes = writes;
  }
}

export function findAwkEffect(program: string): AwkEffect {
  const reads: string[] = [];
  try {
    judgeTokens(tokenise(program), reads);
    return { fault: null, writes: false, reads };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.message, writes: error.writes, reads };
  }
}

const sinks = /^\/dev\/(stdout|stderr|null)$/;

function judgeTokens(tokens: readonly Token[], reads: string[]): void {
  let printing = false;
  let depth = 0;
  for (const [index, { kind, text }] of tokens.entries()) {
    const next = tokens[index + 1];
    if (kind === "name") {
      if (text === "system") throw new Fault("system() runs a program", { writes: true });
      if (text === "getline") noteInput(tokens, index, reads);
      if (text === "print" || text === "printf") [printing, depth] = [true, 0];
    }
    if (kind !== "mark") continue;
    if (text === "@") throw new Fault("@ loads code or calls a function by a computed name");
    if (text === "|" || text === "|&") throw new Fault("a pipe runs a program", { writes: true });
    if (text === "(" || text === "[") depth += 1;
    else if (text === ")" || text === "]") depth -= 1;
    else if (depth <= 0 && (text === ";" || text === "}" || (text === "\n" && endsLine(tokens[index - 1]))))
      printing = false;
    else if (printing && depth <= 0 && (text === ">" || text === ">>")) {
      const after = tokens[index + 2];
      const ends = after === undefined || after.kind === "end" || /^[;}\n]$/.test(after.text);
      if (next?.kind === "string" && sinks.test(next.text) && ends) continue;
      throw new Fault(`print ${text} writes to a file`, { writes: true });
    }
  }
}

/** After a comma or an operator the statement goes on. */
function endsLine(before: Token | undefined): boolean {
  return before === undefined || before.kind !== "mark" || /^([\])$]|\+\+|--)$/.test(before.text);
}

/** `getline < "file"` and `getline x < "file"`; without `<` it reads the input. */
function noteInput(tokens: readonly Token[], index: number, reads: string[]): void {
  let at = index + 1;
  while (tokens[at]?.kind === "name" || tokens[at]?.text === "$") at += 1;
  if (tokens[at]?.text === "[") throw new Fault("getline into an array is not followed");
  if (tokens[at]?.text !== "<") return;
  const file = tokens[at + 1];
  const after = tokens[at + 2]?.text ?? "";
  const literal = file?.kind === "string" && !file.text.startsWith("/inet") && /^[);}\n>]?$/.test(after);
  if (!literal) throw new Fault("getline reads from a name that is not literal");
  reads.push(file.text);
}

const beforeRegex = /^(print|printf|return|exit|case|in|else|do|delete)$/;
const conditions = /^(if|while|for|switch)$/;
const marks = /\|&|\|\||&&|\+\+|--|>>|>=|<=|==|!=|\*\*=?|[-+*/%^]=|[!~^$()[\]{},;?:<>=+*%|&@\n-]|\//y;

function tokenise(program: string): readonly Token[] {
  const tokens: Token[] = [];
  const parentheses: boolean[] = [];
  let operand = false;
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(program)?.[0] ?? "";
    at += found.length;
    return found;
  };
  if (/\w\\\r?\n/.test(program)) throw new Fault("a name goes over the end of its line");
  while (at < program.length) {
    if (take(/[ \t\r]+|#[^\n]*|\\\r?\n/y) !== "") continue;
    const start = program[at]!;
    if (start === '"') {
      tokens.push({ kind: "string", text: readString(take(/"(?:[^"\\\n]|\\[^\n])*"/y)) });
      operand = true;
    } else if (start === "/" && /^(\+\+|--|getline|length)$/.test(tokens.at(-1)?.text ?? "")) {
      throw new Fault("a slash has two meanings");
    } else if (start === "/" && !operand) {
      tokens.push({ kind: "regex", text: readRegex(take(/\/(?:[^/\\\n]|\\[^\n])+\//y)) });
      operand = true;
    } else if (/[A-Za-z_]/.test(start)) {
      const text = take(/\w+/y);
      tokens.push({ kind: "name", text });
      operand = !beforeRegex.test(text) && text !== "getline";
    } else if (/[\d.]/.test(start)) {
      tokens.push({ kind: "number", text: take(/[\d.]+([eE][+-]?\d+)?|0[xX][0-9a-fA-F]+/y) });
      operand = true;
    } else {
      const text = take(marks);
      if (text === "") throw new Fault(`"${start}" is not understood`);
      if (text === "(") parentheses.push(conditions.test(tokens.at(-1)?.text ?? ""));
      tokens.push({ kind: "mark", text });
      if (text === ")") operand = parentheses.pop() !== true;
      else if (text === "++" || text === "--") operand &&= true;
      else operand = text === "]";
    }
  }
  return [...tokens, { kind: "end", text: "" }];
}

function readString(quoted: string): string {
  if (quoted === "") throw new Fault("a string is not closed");
  return quoted.slice(1, -1);
}

/** A slash inside of brackets is read differently by different programs. */
function readRegex(text: string): string {
  if (text === "") throw new Fault("a regular expression is not closed");
  for (let at = 1; at < text.length - 1; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "[") {
      const end = bracketEnd(text, at, "/");
      if (end === null) throw new Fault("a slash stands in brackets");
      at = end;
    }
  }
  return text;
}
