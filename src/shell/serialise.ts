/** The tree written down as a script again: what is run is what was analysed. */
import type {
  ArithmeticExpression,
  Assignment,
  Case,
  Command,
  CompoundList,
  HereDoc,
  Redirection,
  Script,
  Statement,
  TestExpression,
  Word,
} from "unbash";
import { writeArithmetic } from "./arithmetic.ts";
import type { Substitution } from "./quote.ts";
import { writeWord } from "./quote.ts";

type Node = Statement["command"] | Extract<Statement["command"], { type: "Function" }>["body"];

/** Null when some part of the tree has no canonical form. */
export function serialise(script: Script): string | null {
  try {
    const paper = newPaper();
    writeStatements(paper, script.commands);
    if (paper.bodies.length > 0) breakLine(paper);
    return paper.lines.join("");
  } catch (error) {
    if (error instanceof Unwritable) return null;
    throw error;
  }
}

/** One simple command without its redirections' bodies: what permission rules match on. */
export function serialiseCommand(command: Command): string | null {
  try {
    const paper = newPaper();
    writeCommand(paper, command);
    return paper.lines.join("");
  } catch (error) {
    if (error instanceof Unwritable) return null;
    throw error;
  }
}

class Unwritable extends Error {}

/** Here-document bodies wait for the end of the line. */
interface Paper {
  readonly lines: string[];
  bodies: HereDoc[];
}

function newPaper(): Paper {
  return { lines: [], bodies: [] };
}

/** A line that ends inside of a word would take a waiting body for its continuation. */
function put(paper: Paper, text: string): void {
  if (paper.bodies.length > 0 && text.includes("\n")) throw new Unwritable();
  paper.lines.push(text);
}

function breakLine(paper: Paper): void {
  const { bodies } = paper;
  paper.bodies = [];
  put(paper, "\n");
  for (const { body, delimiter } of bodies) put(paper, `${body.text}${delimiter!.value}\n`);
}

/** Ends a statement where another word follows. */
function end(paper: Paper): void {
  if (paper.bodies.length > 0) breakLine(paper);
  else put(paper, "; ");
}

function writeStatements(paper: Paper, statements: readonly Statement[]): void {
  for (const [index, statement] of statements.entries()) {
    write(paper, statement.command);
    const last = index === statements.length - 1;
    if (statement.background === true) put(paper, last ? " &" : " & ");
    else if (!last) end(paper);
    if (statement.background === true && paper.bodies.length > 0) breakLine(paper);
  }
}

function writeList(paper: Paper, list: CompoundList): void {
  if (list.commands.length === 0) throw new Unwritable();
  writeStatements(paper, list.commands);
  if (list.commands.at(-1)!.background === true && paper.bodies.length === 0) put(paper, " ");
  else end(paper);
}

function write(paper: Paper, node: Node): void {
  switch (node.type) {
    case "Command":
      return writeCommand(paper, node);
    case "Pipeline":
      for (const prefix of node.prefixes) {
        put(paper, prefix.type === "Negation" ? "! " : prefix.posix === undefined ? "time " : "time -p ");
      }
      return writeJoined(paper, node.commands, node.operators);
    case "AndOr":
      return writeJoined(paper, node.commands, node.operators);
    case "Redirected":
      write(paper, node.command);
      for (const redirect of node.redirects) writeRedirect(paper, redirect);
      return undefined;
    case "Subshell":
      put(paper, "( ");
      writeList(paper, node.body);
      return put(paper, ")");
    case "BraceGroup":
      put(paper, "{ ");
      writeList(paper, node.body);
      return put(paper, "}");
    case "If":
      return writeIf(paper, node);
    case "While":
      put(paper, `${node.kind} `);
      writeList(paper, node.clause);
      return writeBody(paper, node.body);
    case "For":
      put(paper, `for ${node.name.value}`);
      if (node.wordlist !== undefined) put(paper, ["", "in", ...node.wordlist.map(wordText)].join(" "));
      put(paper, "; ");
      return writeBody(paper, node.body);
    case "ArithmeticFor": {
      const [start, test, update] = [node.initialize, node.test, node.update].map(arithmeticText);
      put(paper, `for (( ${start}; ${test}; ${update} )); `);
      return writeBody(paper, node.body);
    }
    case "ArithmeticCommand":
      return put(paper, `(( ${arithmeticText(node.expression)} ))`);
    case "Case":
      return writeCase(paper, node);
    case "TestCommand":
      return put(paper, `[[ ${testText(node.expression)} ]]`);
    case "Function":
      put(paper, `${node.name.value}() `);
      return write(paper, node.body);
    case "Select":
    case "Coproc":
    case "CompoundList":
      throw new Unwritable();
  }
}

function writeJoined(paper: Paper, nodes: readonly Node[], operators: readonly string[]): void {
  for (const [index, node] of nodes.entries()) {
    if (index > 0) put(paper, ` ${operators[index - 1]} `);
    write(paper, node);
  }
}

function writeBody(paper: Paper, body: CompoundList): void {
  put(paper, "do ");
  writeList(paper, body);
  put(paper, "done");
}

function writeIf(paper: Paper, node: Extract<Node, { type: "If" }>): void {
  for (const [index, { clause, then }] of [node, ...node.elif].entries()) {
    put(paper, index === 0 ? "if " : "elif ");
    writeList(paper, clause);
    put(paper, "then ");
    writeList(paper, then);
  }
  if (node.else !== undefined) {
    put(paper, "else ");
    writeList(paper, node.else);
  }
  put(paper, "fi");
}

function writeCase(paper: Paper, node: Case): void {
  put(paper, `case ${wordText(node.word)} in `);
  for (const item of node.items) {
    put(paper, `(${item.pattern.map(wordText).join(" | ")}) `);
    if (item.body.commands.length > 0) writeStatements(paper, item.body.commands);
    if (paper.bodies.length > 0) breakLine(paper);
    put(paper, ` ${item.terminator ?? ";;"} `);
  }
  put(paper, "esac");
}

const reserved =
  /^(if|then|elif|else|fi|time|for|in|until|while|do|done|case|esac|coproc|select|function|\{|\}|\[\[|\]\]|!)$/;

function writeCommand(paper: Paper, command: Command): void {
  let first = true;
  const word = (text: string): void => {
    put(paper, first ? text : ` ${text}`);
    first = false;
  };
  for (const item of command.prefix) if (item.type === "Assignment") word(assignmentText(item));
  if (command.name !== undefined) {
    const name = wordText(command.name);
    word(reserved.test(name) || name.endsWith("=") ? `'${name}'` : name);
  }
  for (const item of command.args) word(item.type === "Assignment" ? assignmentText(item) : wordText(item));
  if (first && command.redirects.length === 0) throw new Unwritable();
  for (const redirect of command.redirects) writeRedirect(paper, redirect);
}

function assignmentText({ name, append, index, value }: Assignment): string {
  if (index !== undefined && !/^\w+$/.test(index.text)) throw new Unwritable();
  const target = `${name}${index === undefined ? "" : `[${index.text}]`}${append === true ? "+" : ""}=`;
  if (value.type === "ArrayValue") return `${target}(${value.elements.map(elementText).join(" ")})`;
  return target + (value.text === "" ? "" : wordText(value));
}

/** `[1]=a` keeps its index; quoting it would make it text. */
function elementText(word: Word): string {
  if (!word.text.startsWith("[") || !word.text.includes("=")) return wordText(word);
  if (!/^\[\w+\]\+?=[\w.,:@%+/-]*$/.test(word.text)) throw new Unwritable();
  return word.text;
}

function writeRedirect(paper: Paper, redirect: Redirection): void {
  const { descriptor } = redirect;
  if (descriptor?.type === "FileDescriptorVariable") throw new Unwritable();
  const from = descriptor === undefined ? "" : String(descriptor.value);
  if (redirect.type === "HereDoc") {
    const { delimiter, closing } = redirect;
    if (delimiter === undefined || closing === undefined || !/^\w+$/.test(delimiter.value)) throw new Unwritable();
    paper.bodies.push(redirect);
    return put(paper, ` ${from}${redirect.operator}${delimiter.quoted ? `'${delimiter.value}'` : delimiter.value}`);
  }
  if (redirect.target === undefined) throw new Unwritable();
  const target = wordText(redirect.target);
  put(
    paper,
    ` ${from}${redirect.operator}${redirect.type === "HereString" || /^[<>&]/.test(target) ? " " : ""}${target}`,
  );
}

function wordText(word: Word): string {
  const text = writeWord(word, scriptText);
  if (text === null) throw new Unwritable();
  return text;
}

function scriptText(part: Substitution): string | null {
  if (part.script === undefined || part.text.startsWith("${")) return null;
  const body = serialise(part.script);
  if (body === null) return null;
  const opening = part.type === "ProcessSubstitution" ? `${part.operator}(` : "$(";
  return `${opening}${body.startsWith("(") ? " " : ""}${body})`;
}

function arithmeticText(expression: ArithmeticExpression | undefined): string {
  const text = writeArithmetic(expression, scriptText);
  if (text === null) throw new Unwritable();
  return text;
}

const regex = /^[\w.^$*+?[\]{}|()\\/-]*$/;
const regexParts = new Set(["Literal", "Glob", "ExtendedGlob"]);

/** Quoting a regular expression would change it, so a plain one is kept as it is. */
function regexText(word: Word): string {
  if (word.parts?.every((part) => regexParts.has(part.type)) === false) return wordText(word);
  if (!regex.test(word.text)) throw new Unwritable();
  return word.text;
}

function testText(expression: TestExpression): string {
  switch (expression.type) {
    case "TestUnary":
      return `${expression.operator} ${wordText(expression.operand)}`;
    case "TestBinary": {
      const { operator, right } = expression;
      const matched = operator === "=~" ? regexText(right) : wordText(right);
      return `${wordText(expression.left)} ${operator} ${matched}`;
    }
    case "TestLogical":
      return expression.operands.map(testText).join(` ${expression.operator} `);
    case "TestNot":
      return `${"! ".repeat(expression.negations.length)}${testText(expression.operand)}`;
    case "TestGroup":
      return `( ${testText(expression.expression)} )`;
    default:
      throw new Unwritable();
  }
}
