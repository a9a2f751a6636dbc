/** `groundplan` without a sub-command: a session on the terminal, or headless. */
import { parseSessionArguments } from "./args.ts";
import { answer, type Command } from "./command.ts";
import { complain } from "./complaint.ts";
import { runSession } from "./run-session.ts";

export const session: Command = async (args, streams) => {
  const parsed = parseSessionArguments(args);
  if ("problem" in parsed) return complain(streams, parsed.problem, 2);
  if (parsed.version) return answer(streams, (await import("./version.ts")).version);
  if (parsed.help) {
    streams.stdout.write((await import("./help.ts")).helpText);
    return 0;
  }
  return runSession(parsed, streams);
};
