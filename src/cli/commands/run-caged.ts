/** `groundplan run-caged`: what a command of another agent was rewritten to while that plans. */
import { runCaged as run } from "../../clients/caged/run-caged.ts";
import type { Command } from "../command.ts";

export const runCaged: Command = (args, { stdout, stderr }) =>
  run({ args, outlet: { stdout, stderr }, environment: process.env });
