/** `groundplan help [command]`: what there is, or what a command takes, with examples. */
import { nearest } from "../../core/nearest.ts";
import type { Command, CommandRow } from "../command.ts";
import { complain } from "../complaint.ts";
import { examplesText, helpText } from "../help.ts";

export function helpOf(table: readonly CommandRow[]): Command {
  const help: Command = async ([name = ""], streams) => {
    const isOwn = name === "" || name === "--help" || name === "-h" || name === "help";
    if (isOwn) {
      streams.stdout.write(helpText(table));
      return 0;
    }
    const row = table.find((one) => one.name === name);
    if (row === undefined) return complain(streams, unknown(name, table), 2);
    const code = await (await row.load())(["--help"], streams);
    streams.stdout.write(examplesText(row.examples));
    return code;
  };
  return Object.assign(help, { words: async () => ({ options: {}, takes: "command" as const }) });
}

function unknown(name: string, table: readonly CommandRow[]): string {
  const names = table.flatMap((row) => (row.internal === true ? [] : [row.name]));
  const near = nearest(name, names);
  const meant = near === null ? "groundplan help lists them." : `did you mean groundplan help ${near}?`;
  return `There is no command ${JSON.stringify(name)}; ${meant}`;
}
