/** `groundplan` without a sub-command: a session on the terminal, or headless. */
import { parseSessionArguments, type SessionArguments } from "./args.ts";
import { answer, isInteractive, type Command, type Streams } from "./command.ts";
import { complain } from "./complaint.ts";

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

/** The one way into a session: on the terminal where there is one, else once, without dialogs. */
export async function runSession(args: SessionArguments, streams: Streams): Promise<number> {
  const { print: isPrint, output, input, approve } = args;
  if (!isPrint && output === "text" && input === "text" && approve === null && isInteractive(streams)) {
    const { interactive } = await import("./interactive/interactive.ts");
    return interactive(args, streams);
  }
  const { print } = await import("./headless/print.ts");
  return print(args, streams);
}
