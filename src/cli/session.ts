/** `groundplan` without a sub-command: a session on the terminal, or headless. */
import { parseSessionArguments } from "./args.ts";
import type { Command } from "./command.ts";
import { runSession } from "./run-session.ts";

export const session: Command = async (args, streams) => {
  const parsed = parseSessionArguments(args);
  if ("problem" in parsed) {
    streams.stderr.write(`groundplan: ${parsed.problem}\n`);
    return 2;
  }
  if (parsed.version) {
    streams.stdout.write(`${(await import("./version.ts")).version}\n`);
    return 0;
  }
  if (parsed.help) {
    streams.stdout.write((await import("./help.ts")).helpText);
    return 0;
  }
  return runSession(parsed, streams);
};
