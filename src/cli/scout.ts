/** `groundplan scout`: the files that matter for a task. */
import type { Command } from "./command.ts";

export const scout: Command = async () => 1;
