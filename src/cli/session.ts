/** `groundplan` without a sub-command: a session on the terminal, or headless. */
import { parseSessionArguments, type SessionArguments } from "../program/args.ts";
import type { Command, Streams } from "./command.ts";
import { helpText, version } from "./help.ts";

export const session: Command = async (args, streams) => {
  const parsed = parseSessionArguments(args);
  if ("problem" in parsed) {
    streams.stderr.write(`groundplan: ${parsed.problem}\n`);
    return 2;
  }
  if (parsed.version) {
    streams.stdout.write(`${version}\n`);
    return 0;
  }
  if (parsed.help) {
    streams.stdout.write(helpText);
    return 0;
  }
  return runSession(parsed, streams);
};

/** The one way into a session: on the terminal where there is one, else once, without dialogs. */
export async function runSession(args: SessionArguments, streams: Streams): Promise<number> {
  if (isInteractive(args, streams)) {
    const { interactive } = await import("./interactive/interactive.ts");
    return interactive(args, streams);
  }
  const { print } = await import("./headless/print.ts");
  return print(args, streams);
}

function isInteractive({ print, output, input, approve }: SessionArguments, { stdin, stdout }: Streams): boolean {
  if (print || output !== "text" || input !== "text" || approve !== null) return false;
  return isTerminal(stdin) && isTerminal(stdout);
}

function isTerminal(stream: object): boolean {
  return "isTTY" in stream && stream.isTTY === true;
}
