/** Words as the command will see them: a literal where it can be known, otherwise what it may become. */
import { resolve } from "node:path";
import type { Assignment, Script, Word, WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import { quote, writeWord } from "./quote.ts";
import type { Span } from "./types.ts";
import type { Variable, Walk } from "./walk.ts";
import { environment, isDigits, number, unknown } from "./walk.ts";

export interface Arg {
  /** The exact value, when it is known. */
  readonly text: string | null;
  /** The value with `1` for every number known only at run time; null when something else is unknown. */
  readonly shape: string | null;
  /** The literal beginning of a value that is not known. */
  readonly head: string;
  /** It may begin with `-`, or split so that a part of it does. */
  readonly mayBeOption: boolean;
  /** It may become none or several arguments. */
  readonly many: boolean;
  readonly span: Span;
  /** The word it comes from, when it is not literal. */
  readonly word?: Word;
  /** Every value it may have, when all are literal. */
  readonly choices?: readonly string[];
  /** It is not known, and never begins with `/`. */
  readonly relative?: boolean;
  /** It stands as an assignment, as in `declare x=1`. */
  readonly assignment?: Assignment;
}

export function literalArg(text: string, span: Span): Arg {
  return { text, shape: text, head: text, mayBeOption: text.startsWith("-") && text !== "-", many: false, span };
}

/** A value known only at run time. */
export function unknownArg(span: Span, { many, mayBeOption = true }: { many: boolean; mayBeOption?: boolean }): Arg {
  return { text: null, shape: null, head: "", mayBeOption, many, span };
}

/** Every value that it may have; null when one is not known or it may split. */
export function valuesOf({ text, choices, many }: Arg): readonly string[] | null {
  return text !== null ? [text] : many ? null : (choices ?? null);
}

/** Every shape of a text in some language; null when one is not known or it may split. */
export function shapesOf({ shape, choices, many }: Arg): readonly string[] | null {
  return many ? null : shape !== null ? [shape] : (choices ?? null);
}

/** One word gives several arguments when it has braces. */
export function toArgs(word: Word, walk: Walk): readonly Arg[] {
  const span: Span = walk.within ?? [word.pos, word.end];
  const { parts } = word;
  if (parts === undefined) return [literalOrTilde(word, span, walk)];
  if (parts.some((part) => part.type === "BraceExpansion")) return bracedArgs(parts, span);
  const arg = toArg(parts, span, walk);
  return [arg.text === null ? { ...arg, word } : arg];
}

/** The absolute paths that a literal argument may mean; null when it is not known. */
export function pathsOf({ text }: Arg, walk: Walk): readonly string[] | null {
  return text === null ? null : pathsTo(text, walk);
}

function pathsTo(text: string, walk: Walk): readonly string[] | null {
  if (text === "") return null;
  if (text.startsWith("/")) return [resolve(text)];
  return walk.place.paths?.map((path) => resolve(path, text)) ?? null;
}

export function noteRead(arg: Arg, walk: Walk): void {
  const { reads, noted } = walk.findings;
  const paths = pathsRead(arg, walk);
  noted.known &&= paths !== null;
  for (const path of paths ?? []) {
    if (arg.text !== null) reads.add(path);
    noted.paths.add(path);
  }
}

/** An option's value that is a file which is read. */
export function noteNamed(arg: Arg, walk: Walk): void {
  noteRead(arg, walk);
  noteMaybe(arg, walk);
}

/** An option's value that may be one, for all that is known of the option. */
export function noteMaybe(arg: Arg, walk: Walk): void {
  const { noted } = walk.findings;
  const paths = pathsRead(arg, walk);
  noted.known &&= paths !== null;
  noted.namedKnown &&= paths !== null;
  for (const path of paths ?? []) {
    noted.paths.add(path);
    noted.named.add(path);
  }
}

/** Null: not all of them are known. */
function pathsRead(arg: Arg, walk: Walk): readonly string[] | null {
  if (arg.text === "-" || arg.text === "") return [];
  const lists = valuesOf(arg)?.map((text) => pathsTo(text, walk)) ?? [null];
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

/** The argument as it would stand in a canonical command line. */
export function writtenArg(arg: Arg): string {
  if (arg.text !== null) return quote(arg.text);
  return (arg.word === undefined ? null : writeWord(arg.word, () => null)) ?? "…";
}

/** Nothing that the shell splits or matches again when it stands unquoted. */
const plain = /^[\w.,:@%+/=-]+$/;

function literalOrTilde(word: Word, span: Span, walk: Walk): Arg {
  if (!word.text.startsWith("~")) return literalArg(word.value, span);
  const { home } = walk.situation;
  const rest = word.value.slice(1);
  if (home !== undefined && (rest === "" || rest.startsWith("/"))) return literalArg(home + rest, span);
  return { text: null, shape: null, head: "/", mayBeOption: false, many: false, span };
}

const mostWords = 64;

function bracedArgs(parts: readonly WordPart[], span: Span): readonly Arg[] {
  let heads: readonly string[] = [""];
  let exact = true;
  let many = false;
  for (const part of parts) {
    const texts = part.type === "BraceExpansion" ? expandBraces(part.text) : literalTexts(part);
    if (texts === null) {
      exact = false;
      many ||= part.type !== "DoubleQuoted" && part.type !== "Glob";
      if (part.type === "Glob" || part.type === "ExtendedGlob") continue;
      if (part.type === "BraceExpansion") return [unknownArg(span, { many: true })];
    } else if (exact) {
      if (heads.length * texts.length > mostWords) return [unknownArg(span, { many: true })];
      heads = heads.flatMap((head) => texts.map((text) => head + text));
    }
  }
  if (exact) return heads.map((head) => literalArg(head, span));
  const mayBeOption = many || heads.some((head) => head === "" || head.startsWith("-"));
  return heads.map((head) => ({ text: null, shape: null, head, mayBeOption, many: true, span }));
}

function literalTexts(part: WordPart): readonly string[] | null {
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") return [part.value];
  if (part.type !== "DoubleQuoted" && part.type !== "LocaleString") return null;
  let text = "";
  for (const child of part.parts) {
    if (child.type !== "Literal") return null;
    text += child.value;
  }
  return [text];
}

interface Gathering {
  values: readonly string[] | null;
  head: string;
  many: boolean;
  splits: boolean;
  path: boolean;
  shape: string | null;
}

function toArg(parts: readonly WordPart[], span: Span, walk: Walk): Arg {
  const word: Gathering = { values: [""], head: "", many: false, splits: false, path: true, shape: "" };
  const tilde = parts[0]?.type === "Literal" && parts[0].text.startsWith("~");
  if (tilde) append(word, null);
  for (const part of parts) gather(word, part, { quoted: false, walk });
  const { values, head } = word;
  if (values !== null && values.length === 1) return literalArg(values[0]!, span);
  if (values !== null) {
    const mayBeOption = values.some((value) => value.startsWith("-"));
    return { text: null, shape: null, head: "", mayBeOption, many: word.many, span, choices: values };
  }
  const headDecides = head !== "" && !head.startsWith("-");
  const mayBeOption = word.splits || !(headDecides || (head === "" && word.path));
  const only = parts.length === 1 ? parts[0]! : undefined;
  const part = only?.type === "DoubleQuoted" && only.parts.length === 1 ? only.parts[0]! : undefined;
  const relative = part !== undefined && variableOf(part, walk).relative === true;
  return { text: null, shape: word.shape, head, mayBeOption, many: word.many, span, ...(relative ? { relative } : {}) };
}

function gather(word: Gathering, part: WordPart, { quoted, walk }: { quoted: boolean; walk: Walk }): void {
  if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
    for (const child of part.parts) gather(word, child, { quoted: true, walk });
    return;
  }
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") {
    append(word, [part.value]);
    return;
  }
  if (part.type === "Glob" || part.type === "ExtendedGlob") {
    word.path = false;
    word.many = true;
    append(word, null);
    return;
  }
  const variable = variableOf(part, walk);
  const list = isList(part);
  const whole = variable.values?.every((value) => plain.test(value)) ?? (isDigits(variable) || variable.token === true);
  if ((!quoted && !whole && part.type !== "ProcessSubstitution") || list) {
    word.many = true;
    word.splits = true;
  }
  if (word.head === "" && !variable.path && !isDigits(variable)) word.path = false;
  append(
    word,
    word.splits ? null : variable.values,
    isDigits(variable) && variable.values?.length !== 1 ? "1" : undefined,
  );
}

function append(word: Gathering, texts: readonly string[] | null, shape: string | null = texts?.[0] ?? null): void {
  word.shape = word.shape === null || shape === null || (texts?.length ?? 1) > 1 ? null : word.shape + shape;
  if (word.values === null) return;
  if (texts === null || texts.length * word.values.length > 16) {
    word.head = word.values.length === 1 ? word.values[0]! : "";
    if (word.values.length > 1) word.path = false;
    word.values = null;
    return;
  }
  word.values = word.values.flatMap((value) => texts.map((text) => value + text));
  if (word.values.length === 1) word.head = word.values[0]!;
}

/** A number that bash itself makes: never split, never a glob. */
function isCount(part: WordPart): boolean {
  if (part.type === "ArithmeticExpansion") return true;
  if (part.type === "SimpleExpansion") return /^\$[?#$!]$/.test(part.text);
  return part.type === "ParameterExpansion" && (part.prefix === "#" || /^[?#$!]$/.test(part.parameter));
}

function isList(part: WordPart): boolean {
  if (part.type === "SimpleExpansion") return part.text === "$@" || part.text === "$*";
  if (part.type !== "ParameterExpansion") return false;
  if (part.operation?.type === "Names") return true;
  return part.parameter === "@" || part.parameter === "*" || /^[@*]$/.test(part.index?.value ?? "");
}

/** What an expansion may give, as if it were a variable. */
export function variableOf(part: WordPart, walk: Walk): Variable {
  if (isCount(part)) return number;
  if (part.type === "SimpleExpansion") return lookUp(part.text.slice(1), walk);
  if (part.type === "ParameterExpansion" && part.prefix === undefined && part.index === undefined) {
    const variable = lookUp(part.parameter, walk);
    if (part.operation === undefined) return variable;
    const trims = part.operation.type === "Remove" && part.operation.operator.startsWith("%");
    return { values: null, numeric: false, path: trims && variable.path && variable.values === null };
  }
  if (part.type === "CommandExpansion") return outputOf(part);
  if (part.type === "ProcessSubstitution") return { values: null, numeric: false, path: true };
  return { values: null, numeric: false, path: false };
}

function lookUp(name: string, walk: Walk): Variable {
  if (name === "PWD" || name === "HOME" || name === "OLDPWD") return { values: null, numeric: false, path: true };
  if (/^(\d+|[@*_-])$/.test(name)) return walk.variables.get(name) ?? unknown;
  const variable = walk.variables.get(name);
  if (variable !== undefined) return variable;
  if (ownNumbers.test(name)) return number;
  return /^[a-z]/.test(name) ? environment : { ...environment, numeric: false };
}

/** Numbers that the shell itself keeps; nothing assigns to them here. */
export const ownNumbers = /^(RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|LINENO|PPID|SHLVL|UID|EUID|BASHPID)$/;

/** Output that is an absolute path, or one object name, whatever the repository holds. */
const pathOutputs = /^(\$\(|`)\s*(pwd( -P)?|git rev-parse (--show-toplevel|--absolute-git-dir))\s*(\)|`)$/;
const nameOutputs =
  /^(\$\(|`)\s*git (rev-parse (--short |--verify |-q )*(HEAD|[a-z][\w/.-]*)([~^]\d*)*|merge-base [A-Za-z][\w./-]* [A-Za-z][\w./-]*|hash-object [A-Za-z][\w./-]*|log -(1|n 1) --(format|pretty)=%[Hh]|rev-list (-1|-n 1|--max-parents=0) HEAD)\s*(\)|`)$/;

function outputOf(part: Extract<WordPart, { type: "CommandExpansion" }>): Variable {
  if (part.script !== undefined && isNumberOutput(part.script)) return number;
  const token = nameOutputs.test(part.text);
  return { values: null, numeric: false, path: token || pathOutputs.test(part.text), token };
}

/** One pipeline whose last command prints nothing but numbers. */
export function isNumberOutput({ commands }: Script): boolean {
  const [only, ...more] = commands;
  if (only === undefined || more.length > 0 || only.background === true) return false;
  const last = only.command.type === "Pipeline" ? only.command.commands.at(-1) : only.command;
  if (
    last?.type !== "Command" ||
    last.redirects.some((redirect) => redirect.type !== "Redirect" || redirect.operator !== "<")
  ) {
    return false;
  }
  const words = [last.name, ...last.args].map((word) =>
    word?.type === "Word" && word.parts === undefined ? word.value : "?",
  );
  return (
    /^(wc -[lcwm]|nproc|date \+%s|git rev-list --count [A-Za-z][\w.~^/-]*)$/.test(words.join(" ")) &&
    last.prefix.length === 0
  );
}
