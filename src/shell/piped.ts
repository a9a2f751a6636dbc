/** What is known of the words that a command sends through a pipe. */
import type { Pipeline } from "unbash";
import { serialiseCommand } from "./serialise.ts";

const revision = String.raw`(?: (?:-\d+|-n \d+|--all|--reverse|--no-merges|--merges|--max-count=\d+|[A-Za-z][\w.~^/]*))*`;

/** Object names, numbers, or literal words: never an option. */
const words = new RegExp(
  `^(?:git rev-list${revision}|git log${revision} (?:--format=|--pretty=|'--format=|'--pretty=)(?:format:)?%[Hh]'?${revision}|seq(?: \\d+)+|docker (?:container )?ps -a?qa?|echo(?: [A-Za-z][\\w./]*)+)$`,
);

/** Paths that begin with a literal starting point, each ended by NUL. */
const found = /^find(?: [A-Za-z./][\w./-]*)+ .*-print0$/;
const otherOutput = / -(printf|fprint\w*|exec\w*|ls|fls|print) /;

export function wordsFrom(command: Pipeline["commands"][number]): "words" | "paths" | null {
  if (command.type !== "Command" || command.redirects.length > 0) return null;
  const text = serialiseCommand(command) ?? "";
  if (words.test(text)) return "words";
  return found.test(text) && !otherOutput.test(text) ? "paths" : null;
}

const listers =
  /^(git ls-files|git diff (--cached )?--name-only|git grep -l|ls|find|rg -l|rg --files|grep -r?l|fd|fdfind)( |$)/;
const filters = /^(head|tail|sort|uniq|grep|egrep)( |$)/;

/** Names of files that never begin at the root, one a line; filters in between leave lines out and change none. */
export function printsRelative(commands: Pipeline["commands"]): boolean {
  const texts = commands.map((command) => (command.type === "Command" ? (serialiseCommand(command) ?? "$") : "$"));
  const [first = "$", ...rest] = texts;
  const words = first.split(" ");
  const plain =
    listers.test(first) && words.every((word) => !/^['"]?[/~]|[$`{]|^-(printf|fprint|exec|ls$|z$|o)/.test(word));
  return plain && rest.every((text) => filters.test(text) && !/[$`]| -[a-zA-Z]*[ozch0]| --/.test(text));
}

/** A simple command whose input is the pipe and nothing else. */
export function readsPipe(command: Pipeline["commands"][number]): boolean {
  if (command.type !== "Command") return false;
  return command.redirects.every((redirect) => redirect.type === "Redirect" && /^(>|>>|&>)$/.test(redirect.operator));
}
