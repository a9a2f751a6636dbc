/** Builtins of bash that change nothing outside of the shell. */
import { resolve } from "node:path";
import type { Arg } from "../args.ts";
import type { ShellCall, Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { judgeBySpec, parseOptions, show, valuesFor } from "../options.ts";
import { assign, isHarmlessEnvironment, maySet } from "../variables.ts";
import type { ShellRefusal } from "../walk.ts";
import { fork, number, unknown, unproven, writes } from "../walk.ts";
import { judgeTest } from "./test.ts";

const changeDirectory: Rule = (call) => {
  const parsed = parseOptions(call, "* -L -P -e -n .");
  if ("judgement" in parsed) return parsed;
  const { walk } = call;
  const [target, ...more] = parsed.operands;
  if (more.length > 0 || target?.many === true) return unproven(`${call.name} has several operands`, call.span);
  if (call.name === "pushd" && /^[+-]\d+$/.test(target?.text ?? ""))
    walk.place = { paths: null, sameRepository: false };
  else if (parsed.options.has("-P") && target?.text?.includes("..") !== false)
    walk.place = { paths: null, sameRepository: false };
  else walk.place = placeAfter(target, call);
  return null;
};

function placeAfter(target: Arg | undefined, { walk }: ShellCall): ShellCall["walk"]["place"] {
  const { home } = walk.situation;
  const { paths } = walk.place;
  if (target === undefined) return { paths: home === undefined ? null : [home], sameRepository: false };
  const { text } = target;
  if (text === null) {
    const toplevel = /^"?\$\(git rev-parse --show-toplevel\)"?$/.test(target.word?.text ?? "");
    return { paths: null, sameRepository: toplevel && walk.place.sameRepository };
  }
  if (text === "") return walk.place;
  if (text === "-") return { paths: walk.place.previous ?? null, sameRepository: false, previous: paths };
  if (text.startsWith("/")) return { paths: [resolve(text)], sameRepository: false, previous: paths };
  return { paths: paths?.map((path) => resolve(path, text)) ?? null, sameRepository: false, previous: paths };
}

const goBack: Rule = ({ walk, args }) => {
  if (args.length > 0) return unproven("popd with operands", args[0]!.span);
  walk.place = { paths: null, sameRepository: walk.place.sameRepository };
  return null;
};

const declare: Rule = (call) => {
  const parsed = parseOptions(call, "-a -A -i -p -r -x -f -F .");
  if ("judgement" in parsed) return parsed;
  const { options, operands } = parsed;
  if (call.name === "local" && call.walk.calling !== true)
    return unproven("local fails outside of a function", call.span);
  if (options.has("-p") || options.has("-F") || options.has("-f")) {
    const named = operands.find((arg) => call.name === "readonly" || !/^\w+$/.test(arg.text ?? ""));
    return named === undefined ? null : unproven(`${call.name} ${show(named)}`, named.span);
  }
  for (const arg of operands) {
    if (options.has("-A") && call.walk.variables.has(nameOf(arg)))
      return unproven(`${nameOf(arg)} may be an array already, and then stays one`, arg.span);
    const evaluated = evaluatedList(arg, { list: options.has("-a") || options.has("-A"), walk: call.walk });
    if (evaluated) return unproven(`${call.name} may evaluate the list in ${nameOf(arg)}`, arg.span);
    if (options.has("-A") && maySet(nameOf(arg), call.walk)) {
      call.walk.variables.set(nameOf(arg), { ...unknown, associative: true, array: true });
    }
    const refusal = declareOne(arg, { call, exported: options.has("-x"), integer: options.has("-i") });
    if (refusal !== null) return refusal;
    const name = nameOf(arg);
    if (options.has("-r") || call.name === "readonly")
      call.walk.variables.set(name, { ...(call.walk.variables.get(name) ?? unknown), fixed: true });
  }
  call.walk.effort.declares ||= call.name !== "readonly";
  return null;
};

/** `declare -a a='([$(cmd)]=1)'`: text that looks like a list is read as one. */
function evaluatedList(
  { assignment, text, head }: Arg,
  { list, walk }: { list: boolean; walk: ShellCall["walk"] },
): boolean {
  if (assignment === undefined || assignment.value.type === "ArrayValue") return false;
  if (text !== null) return /^\s*\(/.test(text.slice(head.length));
  return list || walk.variables.get(assignment.name)?.array === true;
}

function nameOf({ assignment, text }: Arg): string {
  return assignment?.name ?? text ?? "";
}

interface Declaring {
  readonly call: ShellCall;
  readonly exported: boolean;
  readonly integer: boolean;
}

function declareOne(arg: Arg, { call, exported, integer }: Declaring): ShellRefusal | null {
  const { walk } = call;
  const { assignment, text } = arg;
  if (assignment === undefined) {
    if (text === null || !maySet(text, walk) || exported) return unproven(`${call.name} ${show(arg)}`, arg.span);
    const { associative = false, array = false, integer: evaluates = false } = walk.variables.get(text) ?? unknown;
    const kept = { associative, array, integer: integer || evaluates };
    walk.variables.set(text, integer ? { ...number, ...kept } : { ...unknown, ...kept });
    return null;
  }
  const value = text === null ? null : text.slice(arg.head.length);
  if (exported && !isHarmlessEnvironment(assignment.name, value)) {
    return unproven(`${assignment.name} in the environment is not known to be harmless`, arg.span);
  }
  if (integer && !/^-?\d+$/.test(value ?? "")) {
    return unproven(`${assignment.name} is an integer variable: its value is evaluated`, arg.span);
  }
  const refusal = assign(assignment, walk);
  if (refusal === null && integer) walk.variables.set(assignment.name, { ...number, integer: true });
  return refusal;
}

const exportNames: Rule = (call) => {
  if (call.args.every((arg) => arg.text === "-p")) return null;
  for (const arg of call.args) {
    if (evaluatedList(arg, { list: false, walk: call.walk })) return unproven("export may evaluate a list", arg.span);
    const refusal = declareOne(arg, { call, exported: true, integer: false });
    if (refusal !== null) return refusal;
  }
  return null;
};

/** Sets variables from input: they hold anything afterwards. */
function setsVariables(spec: string): Rule {
  return (call) => {
    const parsed = parseOptions(call, spec);
    if ("judgement" in parsed) return parsed;
    const arrays = valuesFor(parsed, "-a");
    const names = [...parsed.operands, ...arrays];
    if (names.length === 0) call.walk.variables.set(call.name === "read" ? "REPLY" : "MAPFILE", unknown);
    for (const arg of names) {
      if (arg.text === "_" && call.name === "read" && arrays.length === 0) continue;
      if (arg.text === null || !maySet(arg.text, call.walk)) return unproven(`${call.name} ${show(arg)}`, arg.span);
      if (call.walk.variables.get(arg.text)?.integer === true)
        return unproven(`${arg.text} is an integer variable`, arg.span);
      const array = call.name !== "read" || arrays.includes(arg) || call.walk.variables.get(arg.text)?.array === true;
      const relative = call.walk.piped === "relative" && call.name === "read";
      call.walk.variables.set(arg.text, array ? { ...unknown, array } : relative ? { ...unknown, relative } : unknown);
    }
    return null;
  };
}

/** `%n` stores into the variable that its argument names, and evaluates an index in it. */
const storesCount = /%[-+ #'0]*(\*|\d+)?(\.(\*|\d*))?[hjlLtz]*n/;

const print: Rule = (call) => {
  const [first, name] = call.args;
  if (first === undefined) return null;
  if (first.text === "-v") {
    if (!maySet(name?.text ?? "", call.walk)) return unproven("printf -v sets a variable", first.span);
    if (call.walk.variables.get(name!.text!)?.integer === true)
      return unproven("printf -v sets an integer", first.span);
    call.walk.variables.set(name!.text!, unknown);
  }
  const [format, ...values] =
    first.text === "-v" ? call.args.slice(2) : first.text === "--" ? call.args.slice(1) : call.args;
  if (first.text !== "-v" && first.text !== "--" && first.mayBeOption)
    return unproven(`printf ${show(first)} may be an option`, first.span);
  const counts = format?.text === null ? values.length > 0 : storesCount.test(format?.text ?? "");
  return counts ? unproven("printf %n sets a variable", first.span) : null;
};

const forget: Rule = ({ args, walk, name }) => {
  for (const arg of args) {
    if (arg.text === "-v") continue;
    if (arg.text === null || !maySet(arg.text, walk)) return unproven(`${name} ${show(arg)}`, arg.span);
    const before = walk.variables.get(arg.text);
    const { integer = false, array = false } = before ?? unknown;
    if (walk.calling === true) walk.variables.set(arg.text, { ...unknown, integer, array });
    else walk.variables.delete(arg.text);
    walk.functions.delete(arg.text);
  }
  return null;
};

function forgetPositions(walk: ShellCall["walk"]): null {
  for (const name of walk.variables.keys()) if (/^\d+$/.test(name)) walk.variables.delete(name);
  return null;
}

const setOptions: Rule = ({ args, walk }) => {
  const [first] = args;
  if (first?.text === "--") return forgetPositions(walk);
  const known = /^[-+](e|u|x|f|v|n|eu|ex|ux|eux|euo|eo|uo|o|euxo|exo)$/;
  for (const [index, arg] of args.entries()) {
    const option =
      args[index - 1]?.text?.endsWith("o") === true &&
      /^(pipefail|errexit|nounset|xtrace|noglob)$/.test(arg.text ?? "");
    if (!option && !known.test(arg.text ?? "")) return unproven(`set ${show(arg)}`, arg.span);
  }
  return null;
};

const shellOptions: Rule = ({ args }) => {
  const unlisted = args.find(
    (arg) => !/^(-s|-u|-p|-q|nullglob|globstar|dotglob|nocaseglob|nocasematch|extglob)$/.test(arg.text ?? ""),
  );
  return unlisted === undefined ? null : unproven(`shopt ${show(unlisted)}`, unlisted.span);
};

/** Only without operands: then it prints. */
const printsAlone: Rule = ({ args, name, span }) =>
  args.every((arg) => /^-[a-zA-Z]+$/.test(arg.text ?? "") && arg.text !== "-r")
    ? null
    : writes(`${name} with operands changes the shell`, args[0]?.span ?? span);

/** Only flags that choose what is listed. */
const listsNames: Rule = ({ name, args, span }) =>
  args.every((arg) => /^-[abcdefjkpsuv]+$/.test(arg.text ?? "")) &&
  !(name === "enable" && args.some((arg) => !/^-[ap]$/.test(arg.text ?? "")))
    ? null
    : unproven(`${name} may run or change something`, span);

/** Listing, or giving a signal its default back. */
const resetTrap: Rule = ({ args, span }) =>
  args.length === 0 || /^(-p|-l|-|)$/.test(args[0]!.text ?? "x") ? null : unproven("trap runs a command later", span);

/** Without a command it only redirects; a command takes the place of the shell. */
const replaceShell: Rule = ({ args, judge }) => (args.length === 0 ? null : judge(args));

/** `let x=1+2`: literal sums in a variable of its own. */
const letArithmetic: Rule = ({ args, walk }) => {
  for (const arg of args) {
    const name = /^([A-Za-z_]\w*)(?:[-+*/%]?=[\d+*/%() -]+|\+\+|--)$/.exec(arg.text ?? "")?.[1];
    const before = name === undefined ? unknown : (walk.variables.get(name) ?? number);
    if (name === undefined || !maySet(name, walk) || !before.numeric) return unproven(`let ${show(arg)}`, arg.span);
    walk.variables.set(name, number);
  }
  return null;
};

/** What follows in the body may be left out. */
const leaveEarly: Rule = (call) => {
  const { exits } = call.walk.effort;
  if (exits.length > 100) return unproven("it is left early in too many places", call.span);
  exits.push(fork(call.walk));
  return judgeBySpec(call, "* | data");
};

const listSignals: Rule = ({ args, span }) =>
  /^-[lL0]$/.test(args[0]?.text ?? "") ? null : writes("kill sends a signal", span);

const refused: Rule = ({ name, span }) => unproven(`${name} runs or changes what the shell does next`, span);

export const builtins: Table = {
  ...each("cd pushd", changeDirectory),
  popd: goBack,
  ...each("declare typeset local readonly", declare),
  export: exportNames,
  read: setsVariables("-r -s -e -a= -d= -n= -N= -p= -t= -u="),
  ...each("mapfile readarray", setsVariables("-t -d= -n= -O= -s= -u=")),
  printf: print,
  ...each("test [", judgeTest),
  unset: forget,
  set: setOptions,
  shopt: shellOptions,
  ...each("umask alias", printsAlone),
  ulimit: printsAlone,
  kill: listSignals,
  compgen: listsNames,
  enable: listsNames,
  exec: replaceShell,
  trap: resetTrap,
  let: letArithmetic,
  ...each("echo : true false pwd type times dirs help caller", "~ * | data*"),
  exit: "~ * | data",
  ...each("return break continue", leaveEarly),
  shift: ({ walk }) => forgetPositions(walk),
  wait: "~ -n -f | data*",
  jobs: "~ -l -n -p -r -s | data*",
  history: "~ | data",
  hash: "~ -t= -l",
  ...each("eval source . coproc bind complete compopt fc getopts suspend disown bg fg logout", refused),
};
