/** `git`: by sub-command, with the options before it. */
import type { Arg } from "../args.ts";
import { literalArg, pathsOf } from "../args.ts";
import type { ShellCall, Rule, Table } from "../call.ts";
import { applyRule, parseOptions, show } from "../options.ts";
import type { ShellRefusal } from "../walk.ts";
import { fork, unproven, writes } from "../walk.ts";
import { gitReaders, gitWriters } from "./git-table.ts";

const globals =
  ". -C= -c= -p -P --no-pager --paginate --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-advice -v --version -h --help --html-path --man-path --info-path --exec-path --list-cmds= --git-dir= --work-tree=";

/** Configuration that changes what is printed and nothing else. */
const harmlessKeys =
  /^(color\.[\w.-]+|column\.[\w-]+|advice\.\w+|core\.(quotepath|abbrev|ignorecase|precomposeunicode|commentchar|safecrlf|autocrlf|filemode|preloadindex|untrackedcache)|log\.(date|decorate|abbrevcommit|follow|showroot|mailmap|excludedecoration)|diff\.(renames|renamelimit|context|interhunkcontext|algorithm|mnemonicprefix|noprefix|wordregex|colormoved|colormovedws|submodule|ignoresubmodules|indentheuristic|statgraphwidth|statnamewidth|orderfile|relative|dirstat)|status\.\w+|grep\.(linenumber|column|patterntype|extendedregexp|fullname|threads)|blame\.(date|showemail|showroot|blankboundary|coloring)|i18n\.(logoutputencoding|commitencoding)|format\.pretty|branch\.sort|tag\.sort|versionsort\.suffix|pretty\.\w+|submodule\.recurse|gc\.auto|maintenance\.auto|init\.defaultbranch|safe\.directory)$/i;
const noPager = /^(core\.pager|pager\.\w+)=(cat|false|)$/i;

const git: Rule = (call) => {
  const parsed = parseOptions(call, globals);
  if ("judgement" in parsed) return parsed;
  const { options, operands } = parsed;
  const wrong = wrongConfiguration(call.args, operands.length);
  if (wrong !== null)
    return unproven(`git -c ${wrong.text ?? "with a value known only at run time"} may run a program`, wrong.span);
  const [name, ...args] = operands;
  if (name === undefined) return null;
  if (options.has("--help")) return unproven("git --help opens a manual page", call.span);
  const walk = placeOf(call, call.args.slice(0, call.args.length - operands.length));
  if ("judgement" in walk) return walk;
  return judgeSubcommand({ ...call, args, name: `git ${name.text ?? ""}`, walk }, name);
};

/** The first `-c` before the sub-command that is not known to be harmless. */
function wrongConfiguration(args: readonly Arg[], operands: number): Arg | null {
  const before = args.slice(0, args.length - operands);
  for (const [index, arg] of before.entries()) {
    if (arg.text?.startsWith("-c") !== true) continue;
    const value = arg.text === "-c" ? before[index + 1] : { ...arg, text: arg.text.slice(2) };
    const key = value?.text?.split("=")[0] ?? "";
    if (
      value === undefined ||
      asksSignature.test(value.text ?? "%G") ||
      !(harmlessKeys.test(key) || noPager.test(value.text ?? ""))
    )
      return value ?? arg;
  }
  return null;
}

/** Where git runs: the runner neutralises the configuration of these directories. */
function placeOf(call: ShellCall, before: readonly Arg[]): ShellCall["walk"] | ShellRefusal {
  const { walk } = call;
  const { situation, findings } = walk;
  if ((situation.gitPrograms?.length ?? 0) > 0) {
    return unproven(`git may run ${situation.gitPrograms!.join(", ")} of this repository`, call.span);
  }
  const inner = fork(walk);
  for (const arg of valuesAfter(before, "-C")) {
    const paths = physicalPaths(arg, inner);
    if (paths !== null) inner.place = { paths, sameRepository: false };
    else if (!/^"?\$\(git rev-parse --show-toplevel\)"?$/.test(arg.word?.text ?? ""))
      return unproven(`git runs in a directory ${show(arg)}`, arg.span);
  }
  const repository = valuesAfter(before, "--git-dir").at(-1);
  const paths = repository === undefined ? inner.place.paths : physicalPaths(repository, inner);
  const { sameRepository } = inner.place;
  if (paths === null && (!sameRepository || repository !== undefined))
    return unproven("git runs in a directory that is not known", call.span);
  for (const path of paths ?? [situation.directory]) findings.gitDirectories.add(path);
  return inner;
}

/** Every value of the option, in order. */
function valuesAfter(args: readonly Arg[], option: string): readonly Arg[] {
  return args.flatMap((arg, index) => {
    if (args[index - 1]?.text === option) return [arg];
    const attached = arg.text?.startsWith(`${option}=`) === true || arg.head.startsWith(`${option}=`);
    if (!attached) return [];
    return [arg.text === null ? arg : literalArg(arg.text.slice(option.length + 1), arg.span)];
  });
}

/** The system follows links before `..`, so a path that has one after a name is kept as it is written. */
function physicalPaths(arg: Arg, walk: ShellCall["walk"]): readonly string[] | null {
  const { text } = arg;
  const { situation, place } = walk;
  const resolved = pathsOf(arg, walk);
  if (text === null || resolved === null || !/(^|\/)\.\.(\/|$)/.test(text)) return resolved;
  const unmoved = place.paths?.length === 1 && place.paths[0] === situation.directory;
  if (unmoved && /^(\.\.\/)*\.\.(\/(?!.*\.\.).*)?$/.test(text)) return resolved;
  return text.startsWith("/") ? [text] : (place.paths?.map((path) => `${path}/${text}`) ?? null);
}

function judgeSubcommand(call: ShellCall, name: Arg): ShellRefusal | null {
  const { text } = name;
  if (text === null) return unproven("the sub-command of git is known only at run time", name.span);
  const manual = call.args.find((arg) => arg.text === "--help");
  if (manual !== undefined)
    return unproven("git --help opens a manual page by a program that may be configured", manual.span);
  const only = call.args.length === 1 ? call.args[0]!.text : null;
  const known = Object.hasOwn(gitReaders, text) || gitWriters.includes(text);
  if (only === "-h" && known) return null;
  const rule = Object.hasOwn(gitReaders, text) ? gitReaders[text] : undefined;
  if (rule === undefined) {
    return known
      ? writes(`git ${text} changes the repository`, name.span)
      : unproven(`git ${text} is not known to only read`, name.span);
  }
  const signature = findSignature(call.args, text);
  if (signature !== undefined) return unproven("checking signatures runs a program", signature.span);
  return applyRule(call, rule);
}

const asksSignature = /%[-+ ]?G|%\(\*?signature|--show-signature/;

/** A format that checks signatures, or whose text is known only at run time, and so may. */
function findSignature(args: readonly Arg[], subcommand: string): Arg | undefined {
  if (subcommand === "grep") return undefined;
  const sorts = /^(branch|tag|for-each-ref)$/.test(subcommand);
  return args.find(({ text, head, shape }, index) => {
    if (asksSignature.test(text ?? head)) return true;
    if (sorts && /^(--sort=)?[-*]*signature(:\w+)?$/.test(text ?? "")) return true;
    const isFormat = /^--(format|pretty)=/.test(head) || /^--(format|pretty)$/.test(args[index - 1]?.text ?? "");
    return text === null && shape === null && isFormat;
  });
}

export const gitTable: Table = { git };
