/** The parts of a command line: every program that it would start, with its words and what it reads. */
import type { Arg } from "./args.ts";
import { valuesOf } from "./args.ts";
import { startOf } from "./starters.ts";
import type { ShellCommand, Span } from "./types.ts";
import { setsProgram } from "./variables.ts";
import type { Noted, ShellRefusal, Walk } from "./walk.ts";
import { newNoted } from "./walk.ts";

/** Programs that print what their operands hold, and read nothing else. */
const contentReaders = new Set(
  "cat tac rev md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 wc cmp nl fold fmt expand unexpand strings hexdump hd shasum head tail cut od paste join comm column pr diff colordiff sdiff sort uniq shuf xxd base64 base32 basenc iconv sed gsed grep egrep fgrep ggrep less more zcat gzcat bzcat xzcat zgrep dd tee tr jq cd".split(
    " ",
  ),
);

/** Programs and builtins that look into no file: at most at names and attributes. */
const nameReaders = new Set(
  "echo printf pwd ls dir vdir find stat du df date ps cd pushd popd true false : test [ which whereis type command basename dirname realpath readlink tree uname id whoami groups hostname nproc seq sleep exit return break continue local declare typeset readonly export read unset set shopt shift wait expr factor uptime free kill jobs times tty arch env nice nohup timeout time stdbuf xargs setsid ionice builtin exec bash sh eval mkdir rmdir touch".split(
    " ",
  ),
);

/** Search below their operands, or below the directory when there are none. */
const searchers = new Set(["rg", "rgrep", "ag"]);

/** Options that name further files, or lists of files, for programs that otherwise read their operands alone. */
const furtherFiles =
  "--files0-from --slurpfile --rawfile --from-file --to-file --files-from --reference --exclude-from".split(" ");

const shells = /^(bash|sh|dash|zsh|ksh|fish|source|\.)$/;

export interface Starting {
  readonly walk: Walk;
  /** Analyses a text that a shell would run. */
  readonly script: (text: string, span: Span) => void;
}

/** Opens the record of a command; `close` is called when it was judged. */
export function openPart(words: readonly Arg[], starting: Starting): { close: (refusal: ShellRefusal | null) => void } {
  const { walk } = starting;
  const { findings } = walk;
  const outer = findings.noted;
  const noted = newNoted();
  findings.noted = noted;
  const before = findings.commands.length;
  const program = programOf(words[0]);
  findings.opaque ||= program === null;
  findings.commands.push({ program, words: words.map(({ text }) => text), reads: null });
  return {
    close: (refusal) => {
      findings.noted = outer;
      const reads = readsOf(program, words, { walk, noted, refusal });
      const edits = refusal?.paths === undefined ? {} : { edits: refusal.paths };
      findings.commands[before] = { ...findings.commands[before]!, reads, ...edits };
      if (refusal !== null && program !== null) startOthers(program, words, starting);
    },
  };
}

/** A redirection without a command, or around several. */
export function notePlainReads(walk: Walk, work: () => void): void {
  const outer = walk.findings.noted;
  const noted = newNoted();
  walk.findings.noted = noted;
  work();
  walk.findings.noted = outer;
  if (noted.paths.size === 0 && noted.known) return;
  walk.findings.commands.push({ program: "", words: [""], reads: noted.known ? [...noted.paths] : null });
}

/** Every way to read its words from the sub-command on: as they stand, and from each word behind leading options. */
export function formsOf({ program, words }: ShellCommand): readonly (readonly (string | null)[])[] {
  const args = words.slice(1);
  const forms = [[program, ...args]];
  for (const [index, word] of args.entries()) {
    const before = args[index - 1];
    const isOption = word === null || word.startsWith("-");
    const mayBeValue = index > 0 && (before === null || before?.startsWith("-") === true);
    if (!isOption && !mayBeValue) break;
    forms.push([program, ...args.slice(index + 1)]);
  }
  return forms;
}

function programOf(word: Arg | undefined): string | null {
  const values = word === undefined ? null : valuesOf(word);
  const names = new Set(values?.map(baseName));
  return names.size === 1 ? [...names][0]! : null;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

interface Reading {
  readonly walk: Walk;
  readonly noted: Noted;
  readonly refusal: ShellRefusal | null;
}

/** A folder among them means everything below it. */
function readsOf(program: string | null, words: readonly Arg[], reading: Reading): ShellCommand["reads"] {
  const { walk, noted, refusal } = reading;
  if (program === null || (refusal !== null && refusal.paths === undefined)) return null;
  if (nameReaders.has(program)) return noted.namedKnown ? [...noted.named] : null;
  if (!noted.known || words.some(({ text, head }) => namesFurther(text ?? head))) return null;
  if (isSearch(program, words)) return noted.paths.size > 0 ? [...noted.paths] : walk.place.paths;
  return contentReaders.has(program) ? [...noted.paths] : null;
}

/** However far its name is cut short. */
function namesFurther(word: string): boolean {
  const name = /^--[^=]+/.exec(word)?.[0];
  return name === undefined ? /^-(f$|L)/.test(word) : furtherFiles.some((option) => option.startsWith(name));
}

function isSearch(program: string, words: readonly Arg[]): boolean {
  if (searchers.has(program)) return true;
  const recursive = /^(-[a-zA-Z]*[rR]|--(dereference-)?recursive)/;
  return program.endsWith("grep") && words.some(({ text }) => recursive.test(text ?? "-r"));
}

/** What is not proved to only read may start others: each further word may be the command, a text may be a script, and code anything. */
function startOthers(program: string, words: readonly Arg[], { walk, script }: Starting): void {
  const { findings } = walk;
  const [, ...args] = words;
  const start = startOf(program, args);
  findings.starts ||= start.code;
  const first = args.find(({ text }) => text?.startsWith("-") !== true);
  if (shells.test(program) && !/^[\w.~/-]+$/.test(first?.text ?? "/dev/")) findings.opaque = true;
  if (shells.test(program) && /^\/(dev|proc)\//.test(first?.text ?? "/dev/")) findings.opaque = true;
  if (!start.words && !shells.test(program)) return;
  findings.opaque ||= first?.text === null || (shells.test(program) && args.some(({ text }) => text === null));
  findings.starts ||= args.some(({ text }) => text === null || setsProgram.test(text));
  for (const [index, { text, span }] of args.entries()) {
    const further = args.slice(index + 1).map((arg) => arg.text);
    for (const candidate of text === null ? [] : commandsIn(text)) {
      if (/[\s;|&`$(]/.test(candidate)) script(candidate, span);
      else findings.commands.push({ program: baseName(candidate), words: [candidate, ...further], reads: null });
    }
  }
}

/** What in a word may be a command: all of it, the value of an option however it is attached. */
function commandsIn(text: string): readonly string[] {
  const values = [...text.matchAll(/=/g)].map(({ index }) => text.slice(index + 1));
  const attached = /^-[A-Za-z]/.test(text)
    ? Array.from({ length: Math.min(8, text.length - 2) }, (_, at) => text.slice(at + 2))
    : [];
  return [text, ...values, ...attached].filter((one) => one !== "" && !one.startsWith("-"));
}
