/** A session for parsed arguments, behind the face that fits. */
import type { SessionArguments } from "./args.ts";
import { isInteractive, type Streams } from "./command.ts";

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
