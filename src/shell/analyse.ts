/** Walks the tree of a script and judges every command in it, in the order in which the shell would run them. */
import type { CompoundList, ParsedScript, Redirection, Statement, Word } from "unbash";
import { toArgs } from "./args.ts";
import { analyseCommand } from "./command.ts";
import type { Look } from "./expansions.ts";
import { checkArithmetic, checkTest, checkWord } from "./expansions.ts";
import { notePlainReads } from "./parts.ts";
import { printsRelative, readsPipe, wordsFrom } from "./piped.ts";
import { checkRedirect, mayFail } from "./redirects.ts";
import type { Span } from "./types.ts";
import { literalVariable, maySet } from "./variables.ts";
import type { Variable, Walk } from "./walk.ts";
import { fork, join, joinExits, joinPlaces, number, report, reportUnseen, unknown, unproven } from "./walk.ts";

type Node = Statement["command"] | Extract<Statement["command"], { type: "Function" }>["body"];

const deepest = 12;
const mostNodes = 8000;

export function analyseScript(script: ParsedScript, walk: Walk): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) {
    walk.findings.starts = true;
    return report(walk, unproven(`it could not be parsed: ${error.message}`), [error.pos, error.pos]);
  }
  if (walk.depth > deepest) return reportUnseen(walk, "it is nested too deeply", [script.pos, script.end]);
  analyseStatements(script.commands, walk);
}

function analyseStatements(statements: readonly Statement[], walk: Walk): void {
  for (const { command, background } of statements) {
    const before = walk.place;
    const holds = walk.variables.size > 0 || walk.functions.size > 0;
    const whole = holds || walk.effort.mayAbort ? fork(walk) : null;
    analyse(command, background === true ? fork(walk) : walk);
    if (walk.place !== before) walk.place = joinPlaces(before, walk.place);
    if (walk.effort.mayAbort)
      join(walk, whole ?? { ...walk, variables: new Map(), functions: new Map(), place: before });
  }
}

function analyseList(list: CompoundList, walk: Walk): void {
  if (list.commands.length === 0) report(walk, unproven("an empty body"), [list.pos, list.end]);
  analyseStatements(list.commands, walk);
}

function lookFor(walk: Walk): Look {
  return {
    walk,
    descend: (script, part) => {
      const foreign = script.source !== undefined;
      const within: Span | null = walk.within ?? (foreign ? [part.pos, part.end] : null);
      analyseScript(script, fork(walk, { depth: walk.depth + 1, within }));
    },
  };
}

function analyse(node: Node, walk: Walk): void {
  const look = lookFor(walk);
  const span: Span = [node.pos, node.end];
  walk.effort.spent += 1;
  if (walk.effort.spent > mostNodes) return reportUnseen(walk, "it is too much to follow", span);
  switch (node.type) {
    case "Command":
      return analyseCommand(node, look, { body: analyse, script: analyseScript });
    case "Pipeline":
      return analysePipeline(node, walk);
    case "AndOr":
      return analyseChain(node, walk);
    case "Redirected": {
      const before = node.redirects.some(mayFail) ? fork(walk) : null;
      analyseRedirects(node.redirects, look);
      analyse(node.command, walk);
      if (before !== null) join(walk, before);
      return;
    }
    case "Subshell":
      return analyseList(node.body, fork(walk));
    case "BraceGroup":
      return analyseList(node.body, walk);
    case "If":
      return analyseIf(node, walk);
    case "While":
      return analyseLoop(walk, (inner) => {
        analyseList(node.clause, { ...inner, piped: walk.piped ?? null });
        analyseList(node.body, inner);
      });
    case "For":
      return analyseFor(node, walk);
    case "ArithmeticFor":
      checkArithmetic(node.initialize, look);
      return analyseLoop(walk, (inner) => {
        checkArithmetic(node.test, lookFor(inner));
        analyseList(node.body, inner);
        checkArithmetic(node.update, lookFor(inner));
      });
    case "ArithmeticCommand":
      if (node.expression === undefined) return reportUnseen(walk, "arithmetic could not be parsed", span);
      return checkArithmetic(node.expression, look);
    case "Case":
      return analyseCase(node, walk);
    case "TestCommand":
      return checkTest(node.expression, look);
    case "Function":
      return define(node, walk);
    case "Select":
    case "Coproc":
    case "CompoundList":
      return reportUnseen(walk, `${node.type.toLowerCase()} is not analysed`, span);
  }
}

function analysePipeline(node: Extract<Node, { type: "Pipeline" }>, walk: Walk): void {
  const before = walk.place;
  for (const [index, command] of node.commands.entries()) {
    const piped =
      index === 0
        ? null
        : readsPipe(command)
          ? wordsFrom(node.commands[index - 1]!)
          : command.type === "While" && printsRelative(node.commands.slice(0, index))
            ? "relative"
            : null;
    analyse(command, node.commands.length > 1 ? fork(walk, { piped }) : walk);
  }
  if (walk.place !== before) walk.place = joinPlaces(before, walk.place);
}

/** `a && b || c`: it may end after each part. */
function analyseChain(node: Extract<Node, { type: "AndOr" }>, walk: Walk): void {
  const ends: Walk[] = [];
  for (const [index, command] of node.commands.entries()) {
    if (index > 0 && node.operators[index - 1] === "||") for (const end of ends) join(walk, end);
    ends.push(fork(walk));
    analyse(command, walk);
  }
  const lasting = node.operators.every((operator) => operator === "&&") ? ends.slice(1) : ends;
  for (const end of lasting) join(walk, end);
}

function analyseRedirects(redirects: readonly Redirection[], look: Look): void {
  notePlainReads(look.walk, () => {
    for (const redirect of redirects) {
      const refusal = checkRedirect(redirect, look);
      if (refusal !== null) report(look.walk, refusal, [redirect.pos, redirect.end]);
    }
  });
}

function analyseIf(node: Extract<Node, { type: "If" }>, walk: Walk): void {
  const ways: Walk[] = [];
  for (const { clause, then } of [node, ...node.elif]) {
    analyseList(clause, walk);
    const way = fork(walk);
    analyseList(then, way);
    ways.push(way);
  }
  if (node.else !== undefined) analyseList(node.else, walk);
  for (const way of ways) join(walk, way);
}

function analyseCase(node: Extract<Node, { type: "Case" }>, walk: Walk): void {
  checkWord(node.word, lookFor(walk));
  for (const item of node.items) {
    for (const pattern of item.pattern) checkWord(pattern, lookFor(walk));
    const way = fork(walk);
    if (item.body.commands.length > 0) analyseList(item.body, way);
    join(walk, way);
  }
}

/** Again until what the body leaves behind is what it was judged with. */
function analyseLoop(walk: Walk, body: (inner: Walk) => void): void {
  const from = walk.effort.exits.length;
  for (let round = 0; round < 6; round += 1) {
    const inner = fork(walk);
    body(inner);
    const changed = join(walk, inner);
    if (!joinExits(walk, from) && !changed) return;
  }
  report(walk, unproven("a loop changes its variables in a way that could not be followed"), [0, 0]);
}

function analyseFor(node: Extract<Node, { type: "For" }>, walk: Walk): void {
  const name = node.name.value;
  if (!maySet(name, walk)) return reportUnseen(walk, `${name} means something to the shell`, spanOf(node.name));
  if (walk.variables.get(name)?.integer === true) {
    return reportUnseen(walk, `${name} is an integer variable: its values are evaluated`, spanOf(node.name));
  }
  for (const word of node.wordlist ?? []) checkWord(word, lookFor(walk));
  const variable = node.wordlist === undefined ? unknown : listVariable(node.wordlist, walk);
  analyseLoop(walk, (inner) => {
    inner.variables.set(name, variable);
    analyseList(node.body, inner);
  });
}

/** What a loop variable holds. */
function listVariable(words: readonly Word[], walk: Walk): Variable {
  if (words.length === 1 && (isKeys(words[0]!, walk) || /^\$\(seq( \d+){1,3}\)$/.test(words[0]!.text))) return number;
  const args = words.flatMap((word) => toArgs(word, walk));
  const texts = args.flatMap((arg) => (arg.text === null ? [] : [arg.text]));
  if (texts.length === args.length && texts.length > 0 && texts.length <= 16) return literalVariable(texts);
  const path = args.every((arg) => !arg.mayBeOption && !(arg.text ?? arg.head).startsWith("/dev/"));
  const numeric = args.every((arg) => /^\d+$/.test(arg.text ?? ""));
  return { values: null, numeric, path, relative: words.every(({ text }) => isRelative(text)) };
}

/** A pattern or a name that does not begin at the root. */
function isRelative(text: string): boolean {
  return /^[\w.*?[]/.test(text) && !/[$`~{]/.test(text);
}

/** `"${!a[@]}"`: the indexes of an ordinary array are numbers. */
function isKeys({ text }: Word, walk: Walk): boolean {
  const name = /^"?\$\{!(\w+)\[@\]\}"?$/.exec(text)?.[1];
  return name !== undefined && walk.variables.has(name) && walk.variables.get(name)!.associative !== true;
}

function define(node: Extract<Node, { type: "Function" }>, walk: Walk): void {
  const name = node.name.value;
  if (node.name.parts !== undefined || !/^[A-Za-z_]\w*$/.test(name) || walk.functions.has(name)) {
    return reportUnseen(walk, `the function ${name} has no name of its own`, spanOf(node.name));
  }
  if (name === "command_not_found_handle") {
    return reportUnseen(walk, `${name} is run for every command that is not found`, spanOf(node.name));
  }
  if (/^(wc|nproc|date|git|pwd|seq|docker|echo|find)$/.test(name)) {
    return reportUnseen(walk, `what ${name} prints is relied on`, spanOf(node.name));
  }
  if (walk.effort.ruled.has(name)) {
    return reportUnseen(walk, `${name} is a command and becomes a function`, spanOf(node.name));
  }
  walk.effort.named.add(name);
  walk.effort.defined.add(node.body);
  walk.functions.set(name, node.body);
}

/** A function that is never called is judged as well, with nothing known. */
export function analyseUncalled(walk: Walk): void {
  for (const body of walk.effort.defined) {
    if (walk.effort.called.has(body)) continue;
    const inner = fork(walk, { calling: true });
    inner.variables = new Map([...inner.variables.keys()].map((key) => [key, unknown]));
    analyse(body, inner);
  }
}

function spanOf(node: { pos: number; end: number }): Span {
  return [node.pos, node.end];
}
