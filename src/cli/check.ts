/** `groundplan check`: the shell verdict on the command line. */
import type { Command } from "./command.ts";

export const check: Command = async () => 64;
