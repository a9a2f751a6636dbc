/** The parts of a command line: every program that it would start, with its words and what it reads. */
import type { Arg } from "./args.ts";
import { valuesOf } from "./args.ts";
import type { ShellCommand, Span } from "./types.ts";
import type { Noted, Refusal, Walk } from "./walk.ts";

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
  /^(--files0-from|--slurpfile|--rawfile|--from-file|--files-from|-f$|-L|--reference|--exclude-from)/;

/** Programs that start the command that follows in their words. */
const starters = new Set(
  "env sudo doas su pkexec runuser chroot nsenter unshare parallel script flock watch strace ltrace gdb lldb valgrind perf screen tmux entr expect unbuffer setpriv sg newgrp systemd-run firejail nice nohup timeout gtimeout xargs find gfind fd fdfind time stdbuf setsid ionice chrt taskset busybox toybox exec command builtin coproc trap ssh eval bash sh dash zsh ksh fish source .".split(
    " ",
  ),
);
const shells = /^(bash|sh|dash|zsh|ksh|fish|source|\.)$/;

export interface Starting {
  readonly walk: Walk;
  /** Analyses a text that a shell would run. */
  readonly script: (text: string, span: Span) => void;
}

/** Opens the record of a command; `close` is called when it was judged. */
export function openPart(words: readonly Arg[], starting: Starting): { close: (refusal: Refusal | null) => void } {
  const { walk } = starting;
  const { findings } = walk;
  const outer = findings.noted;
  const noted: Noted = { paths: new Set(), known: true };
  findings.noted = noted;
  const before = findings.commands.length;
  const program = programOf(words[0]);
  findings.opaque ||= program === null;
  findings.commands.push({ program, words: words.map(({ text }) => text), reads: null });
  return {
    close: (refusal) => {
      findings.noted = outer;
      const started = findings.commands.length > before + 1;
      const reads = readsOf(program, words, { walk, noted, refusal });
      const edits = refusal?.paths === undefined ? {} : { edits: refusal.paths };
      findings.commands[before] = { ...findings.commands[before]!, reads, ...edits };
      if (refusal !== null && program !== null && starters.has(program) && !started)
        startUnknown(program, words, starting);
    },
  };
}

/** A redirection without a command, or around several. */
export function notePlainReads(walk: Walk, work: () => void): void {
  const outer = walk.findings.noted;
  const noted: Noted = { paths: new Set(), known: true };
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
  const names = new Set(values?.map((value) => value.slice(value.lastIndexOf("/") + 1)));
  return names.size === 1 ? [...names][0]! : null;
}

interface Reading {
  readonly walk: Walk;
  readonly noted: Noted;
  readonly refusal: Refusal | null;
}

/** A folder among them means everything below it. */
function readsOf(program: string | null, words: readonly Arg[], reading: Reading): ShellCommand["reads"] {
  const { walk, noted, refusal } = reading;
  if (program === null || (refusal !== null && refusal.paths === undefined)) return null;
  if (nameReaders.has(program)) return [];
  if (!noted.known || words.some(({ text, head }) => furtherFiles.test(text ?? head))) return null;
  if (isSearch(program, words)) return noted.paths.size > 0 ? [...noted.paths] : walk.place.paths;
  return contentReaders.has(program) ? [...noted.paths] : null;
}

function isSearch(program: string, words: readonly Arg[]): boolean {
  if (searchers.has(program)) return true;
  const recursive = /^(-[a-zA-Z]*[rR]|--(dereference-)?recursive)/;
  return program.endsWith("grep") && words.some(({ text }) => recursive.test(text ?? "-r"));
}

/** A wrapper that was not understood: each further word may be the command, a text may be a script. */
function startUnknown(program: string, words: readonly Arg[], { walk, script }: Starting): void {
  const { findings } = walk;
  const [, ...args] = words;
  const first = args.find(({ text }) => text?.startsWith("-") !== true);
  if (shells.test(program) && !/^[\w.~/-]+$/.test(first?.text ?? "/dev/")) findings.opaque = true;
  if (shells.test(program) && /^\/(dev|proc)\//.test(first?.text ?? "/dev/")) findings.opaque = true;
  findings.opaque ||= args.some(({ text }) => text === null);
  for (const [index, arg] of args.entries()) {
    if (arg.text === null) continue;
    if (/[\s;|&`$(]/.test(arg.text)) script(arg.text.replace(/^(--[\w-]+=|-\w+?(?=\w+\s))/, ""), arg.span);
    else if (!arg.text.startsWith("-")) {
      findings.commands.push({
        program: programOf(arg),
        words: args.slice(index).map(({ text }) => text),
        reads: null,
      });
    }
  }
}
