/** Reads a line of Python far enough to know that it only computes, reads and prints. */
import type { SnippetToken } from "./snippet.ts";
import { plainString, readSnippet } from "./snippet.ts";

export interface SnippetEffect {
  /** Literal files that it reads. */
  readonly reads: readonly string[];
  /** It loads modules that a file of the directory could take the place of. */
  readonly imports: boolean;
}

const grammar = {
  string: /(?:[rR]?[bB]?|[bB][rR]|[uUfF]|[fF][rR]|[rR][fF])(?:'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*")/y,
  mark: /\*\*|\/\/|[=!<>]=|<<|>>|[-+*/%<>=()[\]{},:;.|&^~\n]/y,
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const keywords = words("for in if else not and or is True False None");
const functions = words(
  "print len sum range sorted min max abs round str int float list dict set tuple enumerate zip any all repr hex bin oct ord chr bool reversed divmod pow",
);
const named = words("sep end key reverse indent sort_keys ensure_ascii default flush start");
/** Of text, lists, tables, times, matches and open files: none of them changes anything outside of the program. */
const attributes = words(
  "upper lower strip lstrip rstrip split rsplit splitlines join replace startswith endswith title capitalize count index find rfind format zfill center ljust rjust encode decode isdigit isalpha hex keys values items get most_common read readline readlines isoformat strftime timestamp date year month day hour minute second total_seconds days weekday group groups start end span major minor micro now today utcnow fromtimestamp hexdigest digest exists isfile isdir basename dirname abspath getsize splitext",
);
const modules: Readonly<Record<string, ReadonlySet<string>>> = {
  sys: words("version version_info platform executable prefix base_prefix path maxsize byteorder stdin argv"),
  os: words("path getcwd cpu_count name sep linesep listdir uname getpid getuid"),
  json: words("load loads dumps"),
  math: words(
    "pi e tau inf sqrt floor ceil log log2 log10 exp pow sin cos tan atan atan2 radians degrees factorial gcd lcm hypot comb perm fsum prod isclose isnan",
  ),
  platform: words("python_version system machine platform release node processor python_implementation uname"),
  datetime: words("datetime date timedelta timezone"),
  time: words("time ctime strftime gmtime localtime"),
  re: words("findall search match fullmatch split sub escape IGNORECASE MULTILINE I M"),
  base64: words("b64encode b64decode urlsafe_b64encode urlsafe_b64decode"),
  hashlib: words("md5 sha1 sha256 sha512"),
  collections: words("Counter OrderedDict"),
  statistics: words("mean median mode stdev pstdev variance"),
  string: words("ascii_letters ascii_lowercase ascii_uppercase digits punctuation hexdigits"),
  textwrap: words("dedent fill wrap"),
};

/** Null: not known to only read. */
export function readPython(code: string): SnippetEffect | null {
  if (/'''|"""|[\\#]$/.test(code)) return null;
  const tokens = readSnippet(code.replaceAll(/\n+\s*/g, "\n").trim(), grammar);
  if (tokens === null) return null;
  const state: State = { loaded: new Map(), locals: new Set(), reads: [], imports: false };
  const statements = statementsOf(tokens);
  const late = statements.findLastIndex(isImport) > statements.findIndex((statement) => !isImport(statement));
  const mixed = statements.some((statement) => !isImport(statement)) && late;
  if (mixed || !statements.every((statement) => readStatement(statement, state))) return null;
  return { reads: state.reads, imports: state.imports };
}

interface State {
  /** Names that stand for a module, or for something of one. */
  readonly loaded: Map<string, ReadonlySet<string>>;
  readonly locals: Set<string>;
  readonly reads: string[];
  imports: boolean;
}

function statementsOf(tokens: readonly SnippetToken[]): readonly (readonly SnippetToken[])[] {
  const statements: SnippetToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "mark" && /^[;\n]$/.test(token.text)) statements.push([]);
    else statements.at(-1)!.push(token);
  }
  return statements.filter(({ length }) => length > 0);
}

/** Imports come first: nothing says then where modules are looked for. */
function isImport([first]: readonly SnippetToken[]): boolean {
  return first?.kind === "name" && /^(import|from)$/.test(first.text);
}

function readStatement(tokens: readonly SnippetToken[], state: State): boolean {
  const text = tokens.map((token) => token.text).join(" ");
  const whole = /^import (\w+(?: , \w+)*)$/.exec(text)?.[1]?.split(" , ");
  if (whole !== undefined) return whole.every((name) => load(name, modules[name], state));
  const [, module = "", items] = /^from (\w+) import (\w+(?: , \w+)*)$/.exec(text) ?? [];
  if (items !== undefined) {
    const known = Object.hasOwn(modules, module) ? modules[module]! : undefined;
    state.imports = true;
    return items.split(" , ").every((name) => known?.has(name) === true && declare(name, state));
  }
  const [first, second] = tokens;
  const assigns = first?.kind === "name" && second?.text === "=";
  if (!readExpression(assigns ? tokens.slice(2) : tokens, state)) return false;
  return !assigns || declare(first.text, state);
}

function load(name: string, known: ReadonlySet<string> | undefined, state: State): boolean {
  if (known === undefined || !Object.hasOwn(modules, name) || state.locals.has(name)) return false;
  state.imports ||= name !== "sys";
  state.loaded.set(name, known);
  return true;
}

/** A name of its own: whatever it holds is harmless, and nothing is hidden by it. */
function declare(name: string, state: State): boolean {
  const taken = keywords.has(name) || functions.has(name) || state.loaded.has(name) || /^_|^open$/.test(name);
  if (!taken) state.locals.add(name);
  return !taken;
}

function readExpression(tokens: readonly SnippetToken[], state: State): boolean {
  for (const [index, token] of tokens.entries()) {
    if (token.text === "for" && token.kind === "name") {
      const end = tokens.findIndex(({ text }, at) => at > index && text === "in");
      const targets = tokens.slice(index + 1, end).filter(({ text }) => !/^[(),]$/.test(text));
      if (end < 0 || !targets.every(({ kind, text }) => kind === "name" && declare(text, state))) return false;
    }
    if (token.text === "lambda" && token.kind === "name") {
      const end = tokens.findIndex(({ text }, at) => at > index && text === ":");
      const given = tokens.slice(index + 1, end).filter(({ text }) => text !== ",");
      if (end < 0 || !given.every(({ kind, text }) => kind === "name" && declare(text, state))) return false;
    }
  }
  return tokens.every((token, index) => {
    if (token.kind === "string") return readString(token.text, state);
    if (token.kind === "number") return /^(\d[\d_]*(\.\d*)?([eE]\d+)?|0[xob][\da-fA-F]+)$/.test(token.text);
    if (token.kind === "name") return readName(tokens, index, state);
    return token.text !== "=" || (tokens[index - 1]?.kind === "name" && /^[(,]$/.test(tokens[index - 2]?.text ?? ""));
  });
}

function readName(tokens: readonly SnippetToken[], index: number, state: State): boolean {
  const { text } = tokens[index]!;
  const [before, next] = [tokens[index - 1]?.text, tokens[index + 1]?.text];
  if (before === ".") {
    const owner = tokens[index - 2];
    const free = tokens[index - 3]?.text !== ".";
    const of = owner?.kind === "name" && free ? state.loaded.get(owner.text) : undefined;
    return of === undefined ? attributes.has(text) : of.has(text);
  }
  if (next === "=") return named.has(text) && /^[(,]$/.test(before ?? "");
  if (text === "open") {
    const file = plainString(tokens[index + 2]);
    const [third, mode, end] = tokens.slice(index + 3);
    const plain = third?.text === ")" || (/^r[bt]?$/.test(plainString(mode) ?? "") && end?.text === ")");
    if (next !== "(" || file === null || !plain || (third?.text !== ")" && third?.text !== ",")) return false;
    state.reads.push(file);
    return true;
  }
  if (state.loaded.has(text)) return next === ".";
  return keywords.has(text) || text === "lambda" || functions.has(text) || state.locals.has(text);
}

/** What stands in the braces of an f-string is code. */
function readString(text: string, state: State): boolean {
  const [, prefix = "", body = ""] = /^([a-zA-Z]*)['"]([\s\S]*)['"]$/.exec(text) ?? [];
  if (!/f/i.test(prefix)) return true;
  if (body.includes("\\")) return false;
  const literal = body.replaceAll(/\{\{|\}\}(?!\})/g, "");
  const codes = Array.from(literal.matchAll(/\{([^{}]*)\}/g), ([, code = ""]) => code);
  if (/[{}]/.test(literal.replaceAll(/\{[^{}]*\}/g, ""))) return false;
  return codes.every((code) => {
    const tokens = readSnippet(code.replace(/(![rsa])?(:[\w,.<>^%+ -]*)?$/, ""), grammar);
    return tokens !== null && tokens.every((part) => part.text !== "=") && readExpression(tokens, state);
  });
}
