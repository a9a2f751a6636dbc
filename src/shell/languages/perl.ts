/** Reads a perl program of one line: only variables, text, patterns and functions that compute or print. */

class Fault extends Error {}

/** Why it is not known to only read; null when it is. */
export function findPerlFault(program: string): string | null {
  try {
    readProgram(program);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** After these a value follows, so a slash begins a pattern. */
const beforeValue = new Set(
  "print printf say if unless elsif while until for foreach and or not xor x eq ne lt gt le ge cmp split join grep map push unshift return my local".split(
    " ",
  ),
);
const words = new Set(
  "else next last redo length substr index rindex lc uc lcfirst ucfirst sprintf reverse sort keys values each exists delete defined scalar pop shift splice chomp chop abs int sqrt hex oct ord chr eof undef exit die warn BEGIN END STDERR STDOUT sum sum0 max min uniq floor ceil sin cos atan2 exp log rand srand time localtime gmtime lock wantarray pos quotemeta".split(
    " ",
  ),
);

interface Reader {
  readonly text: string;
  at: number;
  /** A value stands before: what follows is an operator. */
  operand: boolean;
}

function readProgram(text: string): void {
  if (/[`\\](?![nt"'$\\@./|dDwWsSbBAzZ[\](){}+*?^-])/.test(text) || text.includes("`"))
    throw new Fault("a command or reference");
  if (/\?\s*\??[{p]|\(\*/.test(text) || /\?["']/.test(text)) throw new Fault("code in a pattern");
  if (/\n=[a-z]/i.test(text)) throw new Fault("documentation in the program");
  const reader: Reader = { text, at: 0, operand: false };
  while ((take(reader, /\s+/y), reader.at < text.length)) readToken(reader);
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? "";
  reader.at += found.length;
  return found;
}

const index = String.raw`\[-?\d+\]|\[\$(?:[a-z]\w*|#?[A-Za-z]\w*)\]|\{\w+\}|\{'[^'\\]*'\}|\{\$(?:[a-z_]\w*|\d)(?:\[-?\d+\])?\}`;
const variable = new RegExp(
  String.raw`\$(?:(?:[a-z]\w*|[A-Z_]|#[A-Za-z]\w*)(?:${index})*(?!\w|::|')|[1-9]\d*|[&./,\\;])`,
  "y",
);
const list = /[@%](?:[a-z]\w*|[A-Z])(?!\w|::)/y;
const operators =
  /<=>|\*\*=?|\|\|=?|&&=?|\/\/=?|\.\.\.?|=~|!~|=>|[-+*/.%x|&^]=(?![=~])|\+\+|--|==|!=|<=|>=|<<|>>|[-+*/.%<>!~?:,;(){}[\]=|^]/y;

function readToken(reader: Reader): void {
  const { text } = reader;
  const start = text[reader.at]!;
  if (start === "$" || start === "@" || (start === "%" && !reader.operand)) return readVariable(reader);
  if (start === '"' || start === "'") return readString(reader, start);
  if (/\d/.test(start)) {
    take(reader, /0[xXbB][\da-fA-F_]+|\d[\d_]*(\.(?!\.)\d*)?([eE][+-]?\d+)?/y);
    reader.operand = true;
    return;
  }
  if (/[A-Za-z_]/.test(start)) return readWord(reader);
  if (start === "/" && !reader.operand) {
    reader.at += 1;
    return readPattern(reader, "/", "");
  }
  const mark = take(reader, operators);
  if (mark === "") throw new Fault(`"${start}" is not understood`);
  if (!reader.operand && /^(<|<<|>|>>|\/\/|\.|=>)$/.test(mark)) throw new Fault(`"${mark}" may open a file`);
  if (/^[=!]~$/.test(mark) && !/^\s*([/$]|(s|m|y|tr)\b)/.test(text.slice(reader.at)))
    throw new Fault("a pattern in a text");
  if (mark === "-" && !reader.operand && /[A-Za-z]/.test(text[reader.at] ?? "")) throw new Fault("a test of a file");
  if (mark === "}" && /\s*\//y.test(text.slice(reader.at, reader.at + 3))) throw new Fault("a slash has two meanings");
  reader.operand = /^[)\]]$/.test(mark) || (/^(\+\+|--)$/.test(mark) && reader.operand);
}

function readVariable(reader: Reader): void {
  const found = take(reader, variable) || take(reader, list) || take(reader, /\$ARGV(?![\w[{:'])/y);
  if (found === "") throw new Fault("a variable that means more than its value");
  reader.operand = true;
}

function readWord(reader: Reader): void {
  const word = take(reader, /\w+/y);
  if (/^(::|'\w)/.test(reader.text.slice(reader.at, reader.at + 2))) throw new Fault(`the name ${word} of a package`);
  if (word === "x" && reader.operand) {
    reader.operand = false;
    return;
  }
  const next = reader.text[reader.at] ?? "";
  if (/^(s|m|y|tr)$/.test(word) && !reader.operand && /[/{|#!,]/.test(next)) {
    reader.at += 1;
    return readPattern(reader, next === "{" ? "}" : next, word);
  }
  if (/^\s*=>/.test(reader.text.slice(reader.at, reader.at + 8)) && /^[a-z]\w*$/.test(word)) {
    reader.operand = true;
    return;
  }
  if (word === "close" && take(reader, /\s*\(?\s*ARGV\s*\)?(?!\w)/y) !== "") return;
  if (!beforeValue.has(word) && !words.has(word)) throw new Fault(`${word} is not known to only compute`);
  if (/^(print|printf|say)$/.test(word) && /^\s*\(?\s*\{/.test(reader.text.slice(reader.at)))
    throw new Fault("a computed output");
  if (words.has(word) && /^\s*[/?<]/.test(reader.text.slice(reader.at, reader.at + 4)))
    throw new Fault(`what follows ${word} has two meanings`);
  reader.operand = words.has(word) && /^\s*(>=?|[=!]=)\s/.test(reader.text.slice(reader.at, reader.at + 8));
}

function readString(reader: Reader, quote: string): void {
  const found = take(reader, quote === "'" ? /'(?:[^'\\]|\\[\s\S])*'/y : /"(?:[^"\\]|\\[\s\S])*"/y);
  if (found === "") throw new Fault("a text is not closed");
  if (quote === '"') checkInterpolation(found.slice(1, -1));
  reader.operand = true;
}

/** Text in which variables are put: nothing in it may be evaluated further. */
function checkInterpolation(text: string): void {
  const plain = text.replaceAll(/\\[\s\S]/g, "");
  const simple = new RegExp(
    String.raw`\$(?:(?:[a-z]\w*|[A-Z_]|ARGV)(?:${index})*(?![\w[{]|::|->)|[1-9]\d*(?![[{])|[&.](?![[{]))`,
    "g",
  );
  const rest = plain.replaceAll(simple, "").replaceAll(/@(?:[a-z]\w*|F)(?![\w[{:]|->)/g, "");
  if (/\$(?!$|[\s)|])|@(?=[\w{$:[(])|\$[\s)|]*[[{]/.test(rest))
    throw new Fault("a text evaluates more than a variable");
}

/** `/…/`, `s/…/…/`, `tr/…/…/`: no code inside, no flag that evaluates. */
function readPattern(reader: Reader, delimiter: string, word: string): void {
  const first = readDelimited(reader, delimiter);
  if (word === "tr" || word === "y") {
    if (delimiter === "}") throw new Fault("a pattern in braces");
    readDelimited(reader, delimiter);
    take(reader, /[cdsr]*/y);
    reader.operand = true;
    return endPattern(reader);
  }
  checkPattern(first);
  if (word === "s") {
    if (delimiter === "}" && take(reader, /\s*\{/y) === "") throw new Fault("a replacement is missing");
    checkInterpolation(readDelimited(reader, delimiter));
  }
  take(reader, /[gimsxorcan]*/y);
  endPattern(reader);
  reader.operand = true;
}

function endPattern({ text, at }: Reader): void {
  if (/[A-Za-z]/.test(text[at] ?? "")) {
    const rest = /^(and|or|if|unless|x|eq|ne|cmp|for|foreach|while)\b/.test(text.slice(at, at + 8));
    if (!rest || /\w/.test(text[at - 1] ?? "")) throw new Fault("a flag of a pattern evaluates");
  }
}

function readDelimited(reader: Reader, delimiter: string): string {
  const from = reader.at;
  for (; reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text[reader.at]!;
    if (character === "\\") reader.at += 1;
    else if (character === delimiter) {
      reader.at += 1;
      return reader.text.slice(from, reader.at - 1);
    } else if (delimiter === "}" && character === "{") throw new Fault("braces in braces");
  }
  throw new Fault("a pattern is not closed");
}

function checkPattern(pattern: string): void {
  checkInterpolation(pattern);
}
