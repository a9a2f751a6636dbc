/** The options of a command: read, or refused with what may have been meant. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { errorText } from "../core/error-text.ts";
import { nearest } from "../core/nearest.ts";
import type { Command, CommandGrammar, OptionTable, Streams } from "./command.ts";
import { complain } from "./complaint.ts";

export const flag = { type: "boolean" } as const;
export const value = { type: "string" } as const;
export const file = { type: "string", of: "file" } as const;
export const folder = { type: "string", of: "folder" } as const;

/** A value out of these. */
export function among<const Values extends readonly string[]>(values: Values) {
  return { type: "string", of: values } as const;
}

type Options = OptionTable & NonNullable<ParseArgsConfig["options"]>;
/** What was given, of these options. */
export type Read<Own extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Own; allowPositionals: true; strict: true }>
>;

/** `also`: options that are taken out before, and may have been meant. */
export function readOptions<const Own extends Options>(
  args: readonly string[],
  options: Own,
  { command, also = [] }: { readonly command: string; readonly also?: readonly string[] },
): Read<Own> | { readonly problem: string } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = errorText(error);
    const said = message.split(". To specify")[0]!.replace(/\.$/, "");
    const near = meant(/^Unknown option '--([^']+)'/.exec(said)?.[1], [...Object.keys(options), ...also]);
    return { problem: `${said}${near === null ? "." : `; did you mean --${near}?`} See ${command} --help.` };
  }
}

function meant(name: string | undefined, known: readonly string[]): string | null {
  if (name === undefined) return null;
  const begun = known.filter((one) => one.startsWith(name));
  return nearest(name, known) ?? (begun.length === 1 ? begun[0]! : null);
}

/** Each gives the complaint, or null where the value will do or is not given. */
export function oneOf(option: string, value: string | undefined, allowed: readonly string[]): string | null {
  if (value === undefined || allowed.includes(value)) return null;
  return `${option} takes one of ${allowed.join(", ")}; not ${JSON.stringify(value)}.`;
}

export function count(option: string, value: string | undefined): string | null {
  if (value === undefined || /^[1-9]\d{0,5}$/.test(value)) return null;
  return `${option} takes a whole number from 1 on; not ${JSON.stringify(value)}.`;
}

export function shaped(option: string, value: string | undefined, shape: RegExp, what: string): string | null {
  return value === undefined || shape.test(value) ? null : `${option} takes ${what}; not ${JSON.stringify(value)}.`;
}

/** A command whose `--help` tells its usage. */
export function commandWith<const Own extends Options>(
  { name, usage, options, words }: CommandShape<Own>,
  run: (asked: Read<Own & { help: { type: "boolean"; short: "h" } }>, streams: Streams) => Promise<number>,
): Command {
  const command: Command = async (args, streams) => {
    const own = { ...options, help: { ...flag, short: "h" } } as const;
    const asked = readOptions(args, own, { command: `groundplan ${name}` });
    if ("problem" in asked) return complain(streams, asked.problem, 2);
    if (!("help" in asked.values)) return run(asked, streams);
    streams.stdout.write(usage);
    return 0;
  };
  return Object.assign(command, { words: async () => ({ options, ...words }) });
}

interface CommandShape<Own extends Options> {
  readonly name: string;
  readonly usage: string;
  readonly options: Own;
  /** What its words stand for, where a shell can offer them. */
  readonly words?: Omit<CommandGrammar, "options">;
}
