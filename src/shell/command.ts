/** Judges one simple command: its assignments, redirections, words, and then the rule about its name. */
import type { Assignment, Command, ParsedScript } from "unbash";
import { parse } from "unbash";
import type { Arg } from "./args.ts";
import { toArgs, writtenArg } from "./args.ts";
import type { ShellCall } from "./call.ts";
import type { Look } from "./expansions.ts";
import { checkWord } from "./expansions.ts";
import { judgeBySpec } from "./options.ts";
import { notePlainReads, openPart } from "./parts.ts";
import { checkRedirect, mayFail } from "./redirects.ts";
import { ruleFor } from "./rules.ts";
import { readSpec } from "./spec.ts";
import { serialiseCommand } from "./serialise.ts";
import type { Span } from "./types.ts";
import { assign, isHarmlessEnvironment, literalVariable, setsProgram } from "./variables.ts";
import type { FunctionBody, ShellRefusal, Variable, Walk, WalkFindings } from "./walk.ts";
import { adopt, doubt, fork, join, joinExits, report, unknown, unproven } from "./walk.ts";

/** The walker, handed in to avoid a circle. */
export interface Walker {
  readonly body: (body: FunctionBody, walk: Walk) => void;
  readonly script: (script: ParsedScript, walk: Walk) => void;
}

export function analyseCommand(command: Command, look: Look, walker: Walker): void {
  const { findings } = look.walk;
  const written = serialiseCommand(command);
  if (written !== null) findings.parts.add(written);
  asPart(findings, written ?? "", () => analysePart(command, look, walker));
}

/** Whatever is reported meanwhile is about this part, and about those that it stands in. */
function asPart({ doubts }: WalkFindings, part: string, work: () => void): void {
  doubts.within.push(part);
  work();
  doubts.within.pop();
}

function analysePart(command: Command, look: Look, walker: Walker): void {
  const { walk } = look;
  const span: Span = [command.pos, command.end];
  if (command.redirects.length > 0) {
    notePlainReads(walk, () => {
      for (const redirect of command.redirects) {
        const refusal = checkRedirect(redirect, look);
        reportIf(walk, refusal, span);
        const { within, redirected } = walk.findings.doubts;
        if (refusal !== null) redirected.add(within.at(-1)!);
      }
    });
  }
  const assignments = command.prefix.filter((item) => item.type === "Assignment");
  noteProgramSettings([...assignments, ...command.args.filter((item) => item.type === "Assignment")], walk);
  for (const assignment of assignments) checkAssignment(assignment, look);
  const before = command.redirects.some(mayFail) ? fork(walk) : null;
  if (command.name === undefined) {
    for (const assignment of assignments) reportIf(walk, assign(assignment, walk), span);
    if (before !== null) join(walk, before);
    return;
  }
  checkWord(command.name, look);
  for (const item of command.args)
    if (item.type === "Word") checkWord(item, look);
    else checkAssignment(item, look);
  const [name, ...more] = toArgs(command.name, walk);
  if (name === undefined || name.text === null || more.length > 0 || !isLiteralName(command)) {
    const all = [command.name, ...command.args].flatMap((item) => (item.type === "Word" ? toArgs(item, walk) : []));
    openPart(all, { walk, script: () => undefined }).close(unproven(""));
    return report(walk, unproven("the name of the command is known only at run time"), [
      command.name.pos,
      command.name.end,
    ]);
  }
  if (assignments.length > 0 && (walk.functions.has(name.text) || special.test(name.text))) {
    report(walk, unproven(`the variables before ${name.text} are seen by it, or stay after it`), span);
  }
  for (const assignment of assignments) reportIf(walk, checkEnvironment(assignment, { walk, name: name.text }), span);
  const args = command.args.flatMap((item) =>
    item.type === "Word" ? toArgs(item, walk) : [assignmentArg(item, walk)],
  );
  reportIf(walk, judge([name, ...args], { walk, span, walker, functions: walk.functions }), span);
  if (before !== null) join(walk, before);
}

/** Variables by which programs are chosen: whatever follows may start another one than it names. */
function noteProgramSettings(assignments: readonly Assignment[], walk: Walk): void {
  for (const { name, value } of assignments) {
    const text = value.type === "Word" ? (toArgs(value, walk)[0]?.text ?? null) : null;
    if (setsProgram.test(`${name}=`) && !isHarmlessEnvironment(name, text)) walk.findings.starts = true;
  }
}

/** Builtins whose assignments stay in some shells. */
const special = /^(:|\.|break|continue|eval|exec|exit|export|readonly|return|set|shift|times|trap|unset)$/;

function reportIf(walk: Walk, refusal: ShellRefusal | null, span: Span): void {
  if (refusal !== null) report(walk, refusal, span);
}

/** Quoted text is a name; an expansion is not, even when its value is known. */
function isLiteralName({ name }: Command): boolean {
  return (name?.parts ?? []).every((part) =>
    part.type === "DoubleQuoted" || part.type === "LocaleString"
      ? part.parts.every((child) => !isDynamic(child.type))
      : !isDynamic(part.type),
  );
}

function isDynamic(type: string): boolean {
  return type.endsWith("Expansion") || type.endsWith("Glob") || type === "ProcessSubstitution";
}

function checkAssignment(assignment: Assignment, look: Look): void {
  const { value, index } = assignment;
  for (const word of value.type === "ArrayValue" ? value.elements : [value]) checkWord(word, look);
  if (index !== undefined) checkWord(index, look);
}

function checkEnvironment(assignment: Assignment, { walk, name }: { walk: Walk; name: string }): ShellRefusal | null {
  const value = assignment.value.type === "Word" ? toArgs(assignment.value, walk)[0]?.text : undefined;
  const plain = assignment.index === undefined && assignment.append !== true;
  if (plain && isHarmlessEnvironment(assignment.name, value ?? null)) return null;
  if (plain && name === "read" && assignment.name === "IFS") return null;
  return unproven(`${assignment.name} in the environment of ${name} is not known to be harmless`, [
    assignment.pos,
    assignment.end,
  ]);
}

function assignmentArg(assignment: Assignment, walk: Walk): Arg {
  const { name, value, append, index } = assignment;
  const text = value.type === "Word" ? (value.text === "" ? "" : toArgs(value, walk)[0]?.text) : undefined;
  const head = `${name}${index === undefined ? "" : "["}${append === true ? "+" : ""}=`;
  const whole = text === undefined || text === null || index !== undefined || append === true ? null : head + text;
  return {
    text: whole,
    shape: whole,
    head,
    mayBeOption: false,
    many: false,
    span: walk.within ?? [assignment.pos, assignment.end],
    assignment,
  };
}

interface Setting {
  readonly walk: Walk;
  readonly span: Span;
  readonly walker: Walker;
  /** The functions that can be meant: none where a program starts another. */
  readonly functions: Walk["functions"];
}

const noFunctions: Walk["functions"] = new Map();

/** The rule about a command line, given as its words. */
function judge(words: readonly Arg[], setting: Setting): ShellRefusal | null {
  const [first, ...args] = words;
  const { walk, span, walker } = setting;
  const word = first?.text;
  if (word === undefined || word === null) {
    openPart(words, { walk, script: () => undefined }).close(unproven(""));
    return unproven("the name of the command is known only at run time", first?.span ?? span);
  }
  const body = setting.functions.get(word);
  if (body !== undefined) return callFunction(body, args, setting);
  const script: ShellCall["script"] = (text, at, given = []) => {
    const inner = fork(walk, { depth: walk.depth + 1, within: walk.within ?? at, calling: false });
    inner.functions = new Map();
    inner.variables = new Map(positionsOf(given));
    walker.script(parse(text), inner);
  };
  const part = openPart(words, { walk, script });
  const refusal = judgeNamed(words, { ...setting, script });
  part.close(refusal);
  return refusal;
}

/** A command that is no function. */
function judgeNamed(words: readonly Arg[], setting: Setting & Pick<ShellCall, "script">): ShellRefusal | null {
  const [first, ...args] = words;
  const { walk, span, walker, script } = setting;
  const word = first!.text!;
  if (setting.functions !== noFunctions) {
    if (walk.effort.named.has(word)) return unproven(`${word} may be a function`, first!.span);
    walk.effort.ruled.add(word);
  }
  const name = /^\/(?:usr\/)?s?bin\/([\w.+[-]+)$/.exec(word)?.[1] ?? word;
  if (name.includes("/")) return unproven(`${word} is a program that is not known`, first!.span);
  const rule = ruleFor(name);
  if (rule === undefined) return unproven(`${word} is not known to only read`, first!.span);
  const call: ShellCall = {
    name,
    args,
    walk,
    span,
    judge: (inner, place = walk) => {
      const part = inner.map(writtenArg).join(" ");
      walk.findings.parts.add(part);
      const refusal = judge(inner, { walk: place, span, walker, functions: noFunctions });
      if (refusal !== null) asPart(walk.findings, part, () => doubt(place));
      return refusal;
    },
    script,
  };
  return typeof rule === "string" ? judgeByTable(call, rule) : rule(call);
}

/** What it does with nothing at all, or with a program on its input, must stand in its table. */
function judgeByTable(call: ShellCall, table: string): ShellRefusal | null {
  if (call.args.length === 0 && !readSpec(table).bare)
    return unproven(`what ${call.name} does by itself is not known`, call.span);
  return judgeBySpec(call, table);
}

const positions = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** `$1` to `$9`. */
function positionsOf(args: readonly Arg[]): readonly (readonly [string, Variable])[] {
  const split = args.some((arg) => arg.many);
  return positions.map((name, index) => {
    const arg = split ? undefined : args[index];
    if (arg === undefined) return [name, unknown];
    if (arg.text !== null) return [name, literalVariable([arg.text])];
    return [name, { ...unknown, path: !arg.mayBeOption && !arg.head.startsWith("/dev") }];
  });
}

/** The body is judged again with what the shell holds at the call. */
function callFunction(body: FunctionBody, args: readonly Arg[], { walk, span, walker }: Setting): ShellRefusal | null {
  if (walk.depth > 12) return unproven("functions call each other too deeply", span);
  walk.effort.called.add(body);
  const outer = positions.map((name) => [name, walk.variables.get(name) ?? unknown] as const);
  const inner = { ...walk, depth: walk.depth + 1, piped: null, calling: true };
  const before = fork(walk);
  const from = walk.effort.exits.length;
  for (const [name, variable] of positionsOf(args)) inner.variables.set(name, variable);
  walker.body(body, inner);
  joinExits(inner, from);
  if (walk.effort.declares) join(inner, before);
  for (const [name, variable] of outer) inner.variables.set(name, variable);
  adopt(walk, inner);
  return null;
}
