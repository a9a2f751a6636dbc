/** `groundplan doctor`: what is available on this machine. */
import type { Command } from "./command.ts";

export const doctor: Command = async () => 1;
