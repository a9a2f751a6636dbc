/** Programs that run another: peeled by their own options, then the rest is judged. */
import type { Arg } from "../args.ts";
import { literalArg, noteRead, unknownArg } from "../args.ts";
import type { ShellCall, Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { readJavaScript, readPython, type SnippetEffect } from "../languages/snippet.ts";
import { asksForHelp, parseOptions, show, valuesFor } from "../options.ts";
import type { ProjectTool } from "../types.ts";
import { isHarmlessEnvironment } from "../variables.ts";
import type { ShellRefusal } from "../walk.ts";
import { fork, unproven, writes } from "../walk.ts";

interface Wrapping {
  readonly skip?: number;
  /** Without a command it only prints. */
  readonly bare?: boolean;
  /** A program of its own: what it starts does not move this shell. */
  readonly program?: boolean;
}

/** Options, then `skip` operands of its own, then the command. */
function wraps(options: string, { skip = 0, bare = true, program = true }: Wrapping = {}): Rule {
  return (call) => {
    if (asksForHelp(call)) return null;
    const parsed = parseOptions(call, `. ${options}`);
    if ("judgement" in parsed) return parsed;
    const own = parsed.operands.slice(0, skip);
    const dynamic = own.find((arg) => arg.many);
    if (dynamic !== undefined) return unproven(`${call.name}: ${show(dynamic)} may become several words`, dynamic.span);
    const words = parsed.operands.slice(skip);
    if (words.length > 0) return call.judge(words, program ? fork(call.walk) : call.walk);
    return bare ? null : unproven(`${call.name} has no command`, call.span);
  };
}

/** Programs that no variable makes run another. */
const inert = /^(ls|cat|head|tail|wc|grep|echo|pwd|printenv|date|stat|id|whoami|uname|sort|cut|tr)$/;

const env: Rule = (call) => {
  const parsed = parseOptions(call, ". -i -0 -u= -C= --ignore-environment --null --unset= --chdir=");
  if ("judgement" in parsed) return parsed;
  let at = 0;
  for (; at < parsed.operands.length; at += 1) {
    const { text, span } = parsed.operands[at]!;
    const assignment = /^(\w+)=([\s\S]*)$/.exec(text ?? "");
    if (assignment === null) break;
    if (isHarmlessEnvironment(assignment[1]!, assignment[2]!)) continue;
    return unproven(`${assignment[1]} in the environment is not known to be harmless`, span);
  }
  const first = parsed.operands[at];
  if (first?.text?.includes("=") === true) return unproven(`env sets ${show(first)}`, first.span);
  const removed = valuesFor(parsed, "-u", "--unset");
  const clears = parsed.options.has("-i") || parsed.options.has("--ignore-environment");
  if (
    first !== undefined &&
    !inert.test(first.text ?? "") &&
    (clears || removed.some(({ text }) => !/^(NODE_ENV|DEBUG|COLUMNS|TERM|LANG|LC_ALL)$/.test(text ?? "")))
  ) {
    return unproven("env takes away what keeps programs from running others", call.span);
  }
  const inner = fork(call.walk);
  if (parsed.options.has("-C") || parsed.options.has("--chdir")) inner.place = { paths: null, sameRepository: false };
  return first === undefined ? null : call.judge(parsed.operands.slice(at), inner);
};

const command: Rule = (call) => {
  const [first] = call.args;
  if (first?.text === "-v" || first?.text === "-V") return null;
  if (first?.text === "--") return unproven(`command ${first.text}`, first.span);
  if (first?.text === "-p") return call.judge(call.args.slice(1));
  return first === undefined ? null : call.judge(call.args);
};

const xargsOptions =
  ". -0 -r -t -x -o -n= -L= -l? -I= -i? -J= -P= -s= -d= -E= -e? -a=< --null --no-run-if-empty --verbose --exit --max-args= --max-lines? --max-procs= --max-chars= --delimiter= --replace? --eof? --arg-file=< --show-limits";

const xargs: Rule = (call) => {
  if (asksForHelp(call)) return null;
  const parsed = parseOptions(call, xargsOptions);
  if ("judgement" in parsed) return parsed;
  const { options, operands } = parsed;
  if (operands.length === 0) return null;
  const given = options.get("-I") ?? options.get("-i") ?? options.get("--replace");
  const replaces = options.has("-I") || options.has("-i") || options.has("--replace");
  if (given !== undefined && given !== null && given.text === null) return unproven("xargs -I", given.span);
  const marks = ["-I", "-i", "--replace"].filter((name) => options.has(name));
  if (options.has("-J") || marks.length > 1) return unproven("xargs with several marks", call.span);
  const mark = given?.text ?? "{}";
  const nul = options.has("-0") || options.has("--null");
  const other = ["-a", "--arg-file", "-d", "--delimiter"].some((name) => options.has(name));
  const known = !other && (call.walk.piped === "words" ? !nul : call.walk.piped === "paths" && nul);
  const appended = [...operands, unknownArg(call.span, { many: true, mayBeOption: !known })];
  const replaced = operands.map((word) => withInput(word, { mark, known }));
  const counts = ["-n", "-L", "-l", "--max-args", "--max-lines"].some((name) => options.has(name));
  const ways = replaces ? (counts ? [replaced, appended] : [replaced]) : [appended];
  const refusals = ways.map((words) => call.judge(words, fork(call.walk)));
  const refusal = refusals.find((found) => found !== null) ?? null;
  return refusal === null ? null : { judgement: refusal.judgement, reason: refusal.reason, span: refusal.span ?? null };
};

function withInput(word: Arg, { mark, known }: { mark: string; known: boolean }): Arg {
  const at = word.text?.indexOf(mark) ?? -1;
  if (word.text === null || at === -1) return word;
  const head = word.text.slice(0, at);
  return {
    ...word,
    text: null,
    shape: null,
    head,
    mayBeOption: (head === "" && !known) || head.startsWith("-"),
    many: false,
  };
}

const shellOnly =
  /(^|[^$])\(\(|\d\d[<>]|\$'|&>|\|&|\{[^{}\s]*[,.][^{}]*\}|<\(|>\(|\[\[|<<<|\b(function|declare|typeset|let|mapfile|readarray|shopt|pushd|popd)\b|\$\[|\$"/;

/** `bash -c` with a literal script; anything else that a shell runs is not known. */
const shell: Rule = (call) => {
  const { args, name } = call;
  if (args.length === 1 && args[0]!.text === "--version" && name === "bash") return null;
  let at = 0;
  while (/^(-[eux]+o?|-o|pipefail|--norc|--noprofile|-r)$/.test(args[at]?.text ?? "")) at += 1;
  const option = args[at]?.text ?? "";
  if (/^-n$/.test(option) && args.slice(at + 1).every((arg) => !arg.mayBeOption) && at + 1 < args.length) return null;
  if (!/^-[eux]*c$/.test(option)) return unproven(`${name} runs a script that is not known`, call.span);
  const script = args[at + 1];
  if (script === undefined || script.text === null)
    return unproven(`the script of ${name} is known only at run time`, script?.span ?? call.span);
  if (name !== "bash" && shellOnly.test(script.text))
    return unproven(`${name} reads this script differently`, script.span);
  call.script(script.text, script.span, args.slice(at + 3));
  return null;
};

/** To others `-v` is a setting of the shell or the prompt, which then reads its input. */
const shortVersion =
  /^(perl|ruby|irb|php|lua|lua5\.4|luajit|guile|elixir|iex|groovy|fish|julia|octave|bun|ts-node|tsx)$/;

const interpreter: Rule = ({ name, args, span }) => {
  const asked = args.length === 1 ? (args[0]!.text ?? "") : "";
  if (asked === "--version" && !/^(erl|tclsh)$/.test(name)) return null;
  if (asked === "--help" && /^(perl|ruby|php|fish|deno|bun|Rscript|R|zsh)$/.test(name)) return null;
  if (asked === "-v" && shortVersion.test(name)) return null;
  if (asked === "-V" && name === "deno") return null;
  return unproven(`${name} runs a program that is not analysed`, args[0]?.span ?? span);
};

const privileged: Rule = ({ name, span }) => unproven(`${name} runs with other rights`, span);

/** Recipes of the project: what they do is not known. */
const runsRecipes: Rule = ({ name, span }) => unproven(`${name} runs the project's own programs`, span);

const runsOthers: Rule = ({ name, span }) => writes(`${name} runs a program or writes its own files`, span);

const node: Rule = (call) => {
  const [option, code, ...more] = call.args;
  if (call.args.length === 1 && /^(-v|--version|-h|--help|--v8-options)$/.test(option!.text ?? "")) return null;
  const checks = /^(-c|--check)$/.test(option?.text ?? "") && code?.mayBeOption === false && !code.many;
  if (checks && more.length === 0) {
    noteRead(code, call.walk);
    return null;
  }
  const prints =
    option?.text === "-e"
      ? /^console\b|[; ]console\b/.test(code?.text ?? "")
      : /^(-p|-pe|--print)$/.test(option?.text ?? "");
  const isLast = code?.text?.startsWith("-") === false && more.every((arg) => !arg.mayBeOption);
  const given = prints && isLast ? code.text : null;
  return judgeSnippet(call, "node", given === null ? null : readJavaScript(given));
};

/** Nothing is known to happen but reading and printing. */
function judgeSnippet(call: ShellCall, tool: ProjectTool, effect: SnippetEffect | null): ShellRefusal | null {
  if (effect === null)
    return unproven(`${call.name} runs a program that is not analysed`, call.args[0]?.span ?? call.span);
  if (effect.imports && !mayImport(call, tool))
    return unproven(`${call.name} may load code of the directory in the place of what it names`, call.span);
  for (const path of effect.reads) noteRead(literalArg(path, call.span), call.walk);
  return null;
}

function pick(call: ShellCall, from: number): ShellCall {
  return { ...call, args: call.args.slice(from) };
}

const python: Rule = (call) => {
  const [option, code] = call.args;
  if (call.args.length === 1 && /^(-V|-VV|--version|-h|--help)$/.test(option!.text ?? "")) return null;
  if (option?.text === "-c") return judgeSnippet(call, "python", code?.text ? readPython(code.text) : null);
  const isolated = option?.text === "-I" ? 1 : 0;
  const rest = pick(call, isolated);
  if (rest.args[0]?.text !== "-m")
    return unproven(`${call.name} runs a program that is not analysed`, option?.span ?? call.span);
  if (isolated === 0 && !mayImport(call, "python"))
    return unproven("a module of the directory may take the place of a standard one", call.span);
  return judgeModule(rest, rest.args[1]?.text ?? "");
};

/** No file of the directory takes the place of a module or of data. */
function mayImport({ walk }: ShellCall, tool: ProjectTool): boolean {
  const { situation, place } = walk;
  if (situation.caged === true) return true;
  const here = place.paths?.length === 1 && place.paths[0] === situation.directory;
  return here && situation.projectTools?.includes(tool) === false;
}

function judgeModule(call: ShellCall, module: string): ShellRefusal | null {
  const args = call.args.slice(2);
  if (module === "pip") return call.judge([literalArg("pip", call.span), ...args]);
  if (module !== "json.tool" && module !== "calendar" && module !== "site")
    return unproven(`the module ${module}`, call.span);
  const operands = args.filter(
    (arg) => !/^--(sort-keys|no-ensure-ascii|json-lines|compact|tab|no-indent|indent=\d+)$/.test(arg.text ?? ""),
  );
  const fine =
    operands.length <= (module === "json.tool" ? 1 : 0) && operands.every((arg) => !arg.mayBeOption && !arg.many);
  return fine ? null : writes(`${module} writes to its second operand`, call.span);
}

export const wrappers: Table = {
  env,
  command,
  builtin: wraps("", { program: false }),
  xargs,
  ...each("bash sh dash", shell),
  ...each("nice", wraps("-# -n= --adjustment=")),
  ...each("nohup setsid", wraps("-w --wait")),
  ionice: wraps("-c= -n= -t --class= --classdata= --ignore"),
  stdbuf: wraps("-i= -o= -e= --input= --output= --error=", { bare: false }),
  ...each(
    "timeout gtimeout",
    wraps("-k= -s= -v --signal= --kill-after= --preserve-status --foreground --verbose", { skip: 1, bare: false }),
  ),
  taskset: wraps("-c --cpu-list", { skip: 1, bare: false }),
  time: wraps("-p -v -f= -a -q --portability --verbose --format= --quiet -o=> --output=>"),
  ...each("node nodejs", node),
  ...each("python python3 python2", python),
  ...each(
    "zsh ksh fish perl ruby irb php lua lua5.4 luajit Rscript R octave julia ghci tclsh guile racket elixir iex erl scala groovy kotlin swift deno bun ts-node tsx",
    interpreter,
  ),
  ...each("make gmake ninja just task rake", runsRecipes),
  ...each("sudo doas su pkexec runuser chroot nsenter unshare", privileged),
  ...each(
    "parallel script flock watch strace ltrace gdb lldb valgrind perf entr expect unbuffer setpriv sg newgrp systemd-run firejail",
    runsOthers,
  ),
};
