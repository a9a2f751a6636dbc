/** `groundplan hook <agent> <event>`: what `hook.js` runs, where the program itself was started for it. */
import { runHook } from "../../clients/hook/program.ts";
import type { Command } from "../command.ts";

const usage = `groundplan hook <agent> <event>    judges a call of another agent (claude, codex, opencode, gemini), its payload on stdin
The agent itself calls it: groundplan install <agent> writes the entries for it, groundplan doctor tries them.
`;

/** The hook ends the process by itself. */
export const hook: Command = async (args, { stdout }) => {
  if (args[0] === "--help" || args[0] === "-h") {
    stdout.write(usage);
    return 0;
  }
  runHook({ args: ["hook", ...args] });
  return new Promise(() => undefined);
};
