/** One command as it would be run, and what a rule about a command is. */
import type { Arg } from "./args.ts";
import type { Span } from "./types.ts";
import type { ShellRefusal, Walk } from "./walk.ts";

export interface ShellCall {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly walk: Walk;
  readonly span: Span;
  /** Judges a command that this one would run. */
  readonly judge: (words: readonly Arg[], walk?: Walk) => ShellRefusal | null;
  /** Analyses a literal script that a shell would run, with its `$1` and so on. */
  readonly script: (text: string, span: Span, given?: readonly Arg[]) => void;
}

/** Null: only reads. A rule notes what is read and where the shell goes. */
export type Rule = (call: ShellCall) => ShellRefusal | null;

/** By command name: a rule, or the options and operands in the notation of `spec.ts`. */
export type Table = Readonly<Record<string, string | Rule>>;

/** The same entry under each of the names. */
export function each(names: string, entry: string | Rule): Table {
  const table: Record<string, string | Rule> = {};
  for (const name of names.split(" ")) table[name] = entry;
  return table;
}
