/** `groundplan` without a sub-command: a session on the terminal, or headless. */
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

/** The one way into a session: on the terminal where there is one, else headless, with a line that says why. */
export async function runSession(args: SessionArguments, streams: Streams): Promise<number> {
  const why = headlessBecause(args, streams);
  if (why === null) {
    const { interactive } = await import("./interactive.ts");
    return interactive(args, streams);
  }
  if (why !== "asked") streams.stderr.write(`groundplan: ${why}; running once, without dialogs.\n`);
  const { print } = await import("./print.ts");
  return print(args, streams);
}

/** Null for a session on the terminal; `asked` when the person wants it headless; else what stands in the way. */
function headlessBecause(args: SessionArguments, { stdin, stdout }: Streams): string | null {
  if (args.print || args.output !== "text" || args.input !== "text" || args.approve !== null) return "asked";
  if (!isTerminal(stdout)) return args.prompt === null && !isTerminal(stdin) ? "asked" : "stdout is no terminal";
  return isTerminal(stdin) ? null : "stdin is no terminal";
}

function isTerminal(stream: object): boolean {
  return "isTTY" in stream && stream.isTTY === true;
}
