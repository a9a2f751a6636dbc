/** `groundplan` without a sub-command: a session on the terminal, or headless. */
import { commandTable } from "./commands/table.ts";
import { parseSessionArguments } from "./args.ts";
import { answer, type Command } from "./command.ts";
import { complain } from "./complaint.ts";
import { runSession } from "./run-session.ts";

export const session: Command = async (args, streams) => {
  const parsed = parseSessionArguments(args);
  if ("problem" in parsed) return complain(streams, parsed.problem, 2);
  if (parsed.version) return answer(streams, (await import("./version.ts")).versionText());
  if (parsed.help) {
    streams.stdout.write((await import("./help.ts")).helpText(commandTable));
    return 0;
  }
  return runSession(parsed, streams);
};
