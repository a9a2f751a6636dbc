/** `groundplan` without a sub-command: a session, headless so far. */
import { parseSessionArguments, type SessionArguments } from "./args.ts";
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

/** The one way into a session, for every command that begins or goes on with one. */
export async function runSession(args: SessionArguments, streams: Streams): Promise<number> {
  const { print } = await import("./print.ts");
  return print(args, streams);
}
