/** `perl`: questions for its version, and programs of one line in the subset of `../languages/perl.ts`. */
import type { Arg } from "../args.ts";
import { noteRead } from "../args.ts";
import type { Rule } from "../call.ts";
import { findPerlFault } from "../languages/perl.ts";
import { show } from "../options.ts";
import { unproven } from "../walk.ts";

const prints = /^(-v|-V|-V:\w+|--version|--help|-h)$/;
const modules = /^-M(strict|warnings|List::Util=[a-z0-9,]+|POSIX=(floor|ceil|,)+)$/;
const flags = /^-(?:[nplaw]|0[0-7]*|l[0-7]+)+$/;
const separator = /^-F(?:[\w:,;|=. \t-]|\\[t|s.]\+?)+$/;

export const judgePerl: Rule = (call) => {
  const { args, walk, span } = call;
  if (args.length === 1 && prints.test(args[0]!.text ?? "")) return null;
  const programs: Arg[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at]!;
    const text = arg.text ?? "";
    if (!text.startsWith("-") || text === "-" || text === "--") break;
    const cluster = /^-((?:[nplaw]|0[0-7]*)*)[eE]$/.exec(text);
    if (cluster !== null) {
      at += 1;
      if (args[at] === undefined) return unproven("perl has no program", span);
      programs.push(args[at]!);
    } else if (!flags.test(text) && !modules.test(text) && !separator.test(text)) {
      return unproven(`perl ${show(arg)} is not known to only read`, arg.span);
    }
  }
  if (programs.length === 0) return unproven("perl runs a program that is not analysed", span);
  const inputs = args[at]?.text === "--" ? args.slice(at + 1) : args.slice(at);
  const magic = inputs.find((arg) => !isPlainFile(arg));
  if (magic !== undefined) return unproven(`perl may run ${show(magic)} in place of reading it`, magic.span);
  const hidden = programs.find((program) => program.text === null);
  if (hidden !== undefined) return unproven(`the program of perl ${show(hidden)}`, hidden.span);
  const fault = findPerlFault(programs.map(({ text }) => text).join("\n"));
  if (fault !== null) return unproven(`perl: ${fault}`, programs[0]!.span);
  for (const input of inputs) noteRead(input, walk);
  return null;
};

/** Perl opens `touch x|` and `> x` as they look: a name must begin and end with plain characters. */
function isPlainFile({ text, word, many, mayBeOption }: Arg): boolean {
  if (text !== null) return /^[\w./~][\w./@+, -]*$/.test(text) && !/[\s-]$/.test(text);
  return !mayBeOption && many && /^[\w./][\w./-]*[*?]*[\w./*?-]*[.\w]$/.test(word?.text ?? "");
}
