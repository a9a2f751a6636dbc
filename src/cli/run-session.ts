/** A session for parsed arguments, behind the face that fits. */
import type { SessionArguments } from "./args.ts";
import type { Streams } from "./command.ts";

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
