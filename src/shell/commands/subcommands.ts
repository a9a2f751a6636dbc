/** Commands with sub-commands: a tree of names whose leaves are tables. */
import type { ShellCall, Rule } from "../call.ts";
import { applyRule, judgeBySpec, parseOptions, show } from "../options.ts";
import type { ShellRefusal } from "../walk.ts";
import { unproven, writes } from "../walk.ts";

export interface Branches {
  readonly [name: string]: string | Rule | Branches;
}

export interface Program {
  /** Options before the sub-command. */
  readonly globals?: string;
  /** Options that may stand after every sub-command as well. */
  readonly everywhere?: string;
  /** Made when the program is first judged. */
  readonly branches: () => Branches;
  /** Sub-commands that are known to write. */
  readonly writers?: string;
  /** The table when there is no sub-command; without one it is not known what that does. */
  readonly bare?: string;
  readonly network?: boolean;
  /** Flags take `=true` and `=false`, as in programs written in Go. */
  readonly booleans?: boolean;
  /** `help` and `--help` after a known sub-command print. */
  readonly helps?: boolean;
}

/** Several paths of sub-commands that share a table: `"pr list, issue list"`. */
export function paths(list: string, leaf: string | Rule): Branches {
  const tree: Growing = {};
  for (const path of list.split(",")) {
    const names = path.trim().split(" ");
    const last = names.pop()!;
    let here = tree;
    for (const name of names) here = isTree(here[name]) ? here[name] : (here[name] = {});
    here[last] = leaf;
  }
  return tree;
}

/** A tree while it is made. */
interface Growing {
  [name: string]: string | Rule | Growing;
}

export function merge(...trees: readonly Branches[]): Branches {
  const merged: Record<string, string | Rule | Branches> = {};
  for (const tree of trees) {
    for (const [name, value] of Object.entries(tree)) {
      const before = merged[name];
      merged[name] = isTree(before) && isTree(value) ? merge(before, value) : value;
    }
  }
  return merged;
}

export function program(definition: Program): Rule {
  let made: Branches | null = null;
  return (call) => {
    const branches = (made ??= definition.branches());
    const { globals = "", everywhere = "", bare, booleans = false } = definition;
    const switches = booleans ? "% " : "";
    const ordered = parseOptions(call, `. ${switches}${globals} ${everywhere} -h -v -V --help --version`);
    if ("judgement" in ordered) return ordered;
    const { operands, options } = ordered;
    if (operands.length === 0) {
      const asks = ["-h", "-v", "-V", "-version", "-help", "--help", "--version"].some((name) => options.has(name));
      if (!asks && bare === undefined) return unproven(`${call.name} without a sub-command`, call.span);
      return connects(asks ? null : judgeBySpec(call, bare!), call, definition);
    }
    if (definition.helps === true && asksForHelp(operands, branches, definition))
      return connects(null, call, definition);
    return descend({ ...call, args: operands }, branches, definition);
  };
}

function asksForHelp([name, ...rest]: ShellCall["args"], branches: Branches, { writers = "" }: Program): boolean {
  const text = name?.text ?? "";
  if (text === "help") return rest.every((arg) => /^[a-z-]+$/.test(arg.text ?? ""));
  const known = Object.hasOwn(branches, text) || writers.split(" ").includes(text);
  return known && rest.length === 1 && rest[0]!.text === "--help";
}

function descend(call: ShellCall, branches: Branches, definition: Program): ShellRefusal | null {
  const [first, ...rest] = call.args;
  if (first === undefined) return judgeLeaf(call, branches[""], definition);
  const name = first.text;
  const branch = name !== null && Object.hasOwn(branches, name) ? branches[name] : undefined;
  if (branch === undefined && first.mayBeOption && name !== null && Object.hasOwn(branches, "")) {
    return judgeLeaf(call, branches[""], definition);
  }
  if (branch === undefined) {
    const known = name !== null && definition.writers?.split(" ").includes(name) === true;
    return known
      ? writes(`${call.name} ${name} changes something`, first.span)
      : unproven(`${call.name} ${name ?? show(first)} is not known to only read`, first.span);
  }
  const inner = { ...call, name: `${call.name} ${name}`, args: rest };
  return isTree(branch) ? descend(inner, branch, definition) : judgeLeaf(inner, branch, definition);
}

function judgeLeaf(
  call: ShellCall,
  leaf: string | Rule | Branches | undefined,
  definition: Program,
): ShellRefusal | null {
  if (call.args.length === 1 && call.args[0]!.text === "--help") return connects(null, call, definition);
  if (leaf === undefined || isTree(leaf)) return unproven(`${call.name} needs a sub-command`, call.span);
  const refusal =
    typeof leaf === "string"
      ? judgeBySpec(call, `${definition.booleans === true ? "% " : ""}${definition.everywhere ?? ""} ${leaf}`)
      : leaf(call);
  return connects(refusal, call, definition);
}

/** Some clients look for their service even to print their help. */
function connects(refusal: ShellRefusal | null, call: ShellCall, { network }: Program): ShellRefusal | null {
  if (refusal === null && network === true) call.walk.findings.network = true;
  return refusal;
}

function isTree<Tree extends Branches>(value: string | Rule | Tree | undefined): value is Tree {
  return typeof value === "object";
}

/** What leaves traces in the person's own folders: only in the cage. */
export function inCage(entry: string | Rule): Rule {
  return (call) => {
    const refusal = applyRule(call, entry);
    if (refusal !== null || call.walk.situation.caged === true) return refusal;
    return unproven(`${call.name} leaves files of its own behind`, call.span);
  };
}

/** A reading query of a service, in a program that mostly does without. */
export function online(entry: string | Rule): Rule {
  return (call) => {
    const refusal = applyRule(call, entry);
    if (refusal === null) call.walk.findings.network = true;
    return refusal;
  };
}
