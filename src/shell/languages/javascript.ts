/** Reads a line of JavaScript far enough to know that it only computes, reads and prints. */
import type { SnippetEffect } from "./python.ts";
import type { SnippetToken } from "./snippet.ts";
import { plainString, readSnippet } from "./snippet.ts";

const grammar = {
  string: /'(?:[^'\\\n]|\\[nt'"\\])*'|"(?:[^"\\\n]|\\[nt'"\\])*"/y,
  regex: /\/(?![/*])(?:[^/\\\n[]|\\[dDwWsSbB.()[\]{}+*?^$|/-]|\[(?:[^\]\\\n/]|\\[dDwWsSbB.\]-])*\])+\/[gimsuy]*/y,
  mark: /=>|\.\.\.|\?\.|===?|!==?|<=|>=|&&|\|\||\?\?|\*\*|\/(?![/*])|[-+*%<>=!?:;,.()[\]{}|&\n]/y,
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const keywords = words("const let new typeof in null true false undefined NaN Infinity");
const functions = words("String Number Boolean parseInt parseFloat isNaN encodeURIComponent decodeURIComponent BigInt");
const classes = words("Date Set Map Array URL");
const owners: Readonly<Record<string, ReadonlySet<string>>> = {
  console: words("log error info warn table dir"),
  process: words("version versions platform arch cwd execPath pid ppid uptime memoryUsage argv title release"),
  Math: words("max min abs floor ceil round sqrt pow random PI E log log2 log10 trunc sign hypot sin cos tan"),
  JSON: words("parse stringify"),
  Object: words("keys values entries fromEntries"),
  Array: words("isArray from of"),
  Date: words("now parse UTC"),
  Number: words("isInteger parseInt parseFloat MAX_SAFE_INTEGER MIN_SAFE_INTEGER EPSILON isFinite"),
};
const modules: Readonly<Record<string, ReadonlySet<string>>> = {
  fs: words("readFileSync existsSync readdirSync statSync"),
  os: words("cpus platform arch hostname type release totalmem freemem uptime homedir tmpdir userInfo loadavg EOL"),
  path: words("join basename dirname extname resolve relative normalize sep"),
  crypto: words("randomUUID"),
  util: words("inspect"),
};
const files = /^\.\/(package|package-lock|tsconfig|composer)\.json$/;

/** Null: not known to only read. */
export function readJavaScript(code: string): SnippetEffect | null {
  if (/constructor|prototype|caller|callee|arguments|__|`/.test(code)) return null;
  const tokens = readSnippet(code.trim(), grammar);
  if (tokens === null) return null;
  const state = { locals: new Set<string>(), reads: [] as string[], imports: false };
  for (const [index, token] of tokens.entries()) {
    const names = token.kind === "name" && /^(const|let)$/.test(token.text) ? [tokens[index + 1]] : [];
    for (const name of [...names, ...givenTo(tokens, index)]) {
      if (name?.kind !== "name" || isTaken(name.text)) return null;
      state.locals.add(name.text);
    }
  }
  const fine = tokens.every((token, index) =>
    token.kind === "name" ? readName(tokens, index, state) : token.kind !== "mark" || readMark(tokens, index),
  );
  return fine ? { reads: state.reads, imports: state.imports } : null;
}

/** The parameters before an arrow: one name, or names in parentheses. */
function givenTo(tokens: readonly SnippetToken[], index: number): readonly (SnippetToken | undefined)[] {
  if (tokens[index]?.text !== "=>") return [];
  if (tokens[index - 1]?.text !== ")") return [tokens[index - 1]];
  const from = tokens.findLastIndex(({ text }, at) => at < index && text === "(");
  return tokens.slice(from + 1, index - 1).filter(({ text }) => !/^[,[\]]$/.test(text));
}

function isTaken(name: string): boolean {
  const known = keywords.has(name) || functions.has(name) || classes.has(name) || Object.hasOwn(owners, name);
  return known || name === "require";
}

function readName(
  tokens: readonly SnippetToken[],
  index: number,
  state: { locals: Set<string>; reads: string[]; imports: boolean },
): boolean {
  const { text } = tokens[index]!;
  const [before, next] = [tokens[index - 1]?.text, tokens[index + 1]?.text];
  if (before === "." || before === "?.") return true;
  if (text === "require") {
    const module = plainString(tokens[index + 2])?.replace(/^node:/, "") ?? "";
    if (next !== "(" || tokens[index + 3]?.text !== ")") return false;
    state.imports ||= files.test(module);
    if (files.test(module)) return true;
    const asked = tokens[index + 5]?.text ?? "";
    if (tokens[index + 4]?.text !== "." || !Object.hasOwn(modules, module) || !modules[module]!.has(asked))
      return false;
    if (module !== "fs") return true;
    const file = plainString(tokens[index + 7]);
    if (tokens[index + 6]?.text !== "(" || file === null || !/^[),]$/.test(tokens[index + 8]?.text ?? "")) return false;
    state.reads.push(file);
    return true;
  }
  if (Object.hasOwn(owners, text) && next === ".") return owners[text]!.has(tokens[index + 2]?.text ?? "");
  if (classes.has(text)) return before === "new" && next === "(";
  if (text === "new") return classes.has(next ?? "");
  return keywords.has(text) || functions.has(text) || state.locals.has(text) || isKey(tokens, index);
}

/** `{a: 1}`: a name of the program's own table. */
function isKey(tokens: readonly SnippetToken[], index: number): boolean {
  return tokens[index + 1]?.text === ":" && /^[{,]$/.test(tokens[index - 1]?.text ?? "");
}

/** After it a slash divides. */
function isValue({ kind, text }: SnippetToken): boolean {
  if (kind === "mark") return text === ")" || text === "]";
  return kind !== "name" || !keywords.has(text);
}

/** An index is literal; nothing is assigned but by a declaration, and no table is taken apart. */
function readMark(tokens: readonly SnippetToken[], index: number): boolean {
  const before = tokens[index - 1];
  const { text } = tokens[index]!;
  if (text === "=") return before?.kind === "name" && /^(const|let)$/.test(tokens[index - 2]?.text ?? "");
  if (text === "/") return before !== undefined && isValue(before);
  if (text === "]" && tokens[index + 1]?.text === ":") return false;
  const isIndex =
    text === "[" && before !== undefined && (before.kind !== "mark" || /^[)\]}]$|^\?\.$/.test(before.text));
  if (!isIndex || (before.kind === "name" && before.text === "in")) return true;
  const inner = tokens[index + 1];
  return tokens[index + 2]?.text === "]" && (inner?.kind === "number" || plainString(inner) !== null);
}
