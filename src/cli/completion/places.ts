/** Where one can be on the command line, and what may follow there: from the table of commands and the options that each reads. */
import { sessionOptions } from "../args.ts";
import type { CommandRow, OptionTable, VerbWords, WordKind } from "../command.ts";
import { flag } from "../options.ts";

export interface CompletionPlace {
  /** The words before: none, a command, or a command and its verb. */
  readonly at: string;
  readonly next: readonly NamedWord[];
  readonly options: readonly CompletionOption[];
  /** What its other words stand for. */
  readonly takes: WordKind | null;
}

export interface NamedWord {
  readonly word: string;
  /** Empty where there is nothing to say. */
  readonly says: string;
}

export interface CompletionOption {
  readonly long: string;
  readonly short: string | null;
  /** Null for a flag, "text" for a value that nobody can guess. */
  readonly value: WordKind | "text" | null;
}

export async function placesOf(table: readonly CommandRow[]): Promise<readonly CompletionPlace[]> {
  const rows = table.filter(({ internal = false }) => !internal);
  const commands = rows.map((row) => ({ word: row.name, says: shortHelp(row) }));
  const places: CompletionPlace[] = [place("", { options: sessionOptions }, commands)];
  for (const { name, load } of rows) {
    const command = await load();
    const words = await command.words?.();
    if (words === undefined) continue;
    const verbs = Object.entries(words.verbs ?? {});
    const next = words.takes === "command" ? commands : verbs.map(([word]) => ({ word, says: "" }));
    places.push(place(name, withHelp(words), next));
    for (const [verb, own] of verbs) places.push(place(`${name} ${verb}`, withHelp(own), []));
  }
  return places;
}

function withHelp(own: VerbWords): VerbWords {
  return { ...own, options: { ...own.options, help: { ...flag, short: "h" } } };
}

function place(at: string, { options, takes }: VerbWords, next: readonly NamedWord[]): CompletionPlace {
  return { at, next, options: optionsOf(options), takes: takes === undefined || takes === "command" ? null : takes };
}

function optionsOf(options: OptionTable): readonly CompletionOption[] {
  return Object.entries(options).map(([long, { type, short, of }]) => ({
    long,
    short: short ?? null,
    value: type === "boolean" ? null : (of ?? "text"),
  }));
}

/** Without the options that stand behind it in the help. */
export function shortHelp({ help }: Pick<CommandRow, "help">): string {
  return help.split(/ {2,}/)[0]!;
}

/** The values that are known now; null where they are not a list. */
export function listOf(kind: WordKind | "text" | null): readonly string[] | null {
  return kind === null || typeof kind === "string" ? null : kind;
}

/** Asked of the program when they are needed. */
export function askedOf(kind: WordKind | "text" | null): "plans" | "sessions" | null {
  if (kind === "plan") return "plans";
  return kind === "session" ? "sessions" : null;
}
