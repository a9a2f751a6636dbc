/** Runs the commands that a plan is verified by, one after the other, each with its own limit of time (B6.3). */
import { existsSync } from "node:fs";
import { workingEnvironment } from "../host/launch/environment.ts";
import { runCommand, type CommandRun } from "../host/shell/run-command.ts";

export interface CheckResult extends Pick<CommandRun, "exitCode" | "timedOut" | "durationMs"> {
  readonly command: string;
  readonly passed: boolean;
  /** The end of what it wrote. */
  readonly output: string;
}

export interface RunChecks {
  readonly directory: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onStart: (command: string) => void;
  readonly onEnd: (result: CheckResult) => void;
}

/** By command; the same one runs once. Stops at the first that was interrupted. */
export async function runChecks(
  commands: readonly string[],
  options: RunChecks,
): Promise<ReadonlyMap<string, CheckResult>> {
  const { directory, timeoutMs, signal, onStart, onEnd } = options;
  const environment = workingEnvironment({ base: options.environment });
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const results = new Map<string, CheckResult>();
  for (const command of new Set(commands)) {
    if (signal.aborted) break;
    onStart(command);
    const limits = { timeoutMs, signal, ending: "searched" } as const;
    const ran = await runCommand({ argv: [shell, "-c", command], directory, environment, ...limits });
    const { exitCode, timedOut, durationMs, stdout, stderr } = ran;
    if (ran.aborted) break;
    const passed = exitCode === 0 && !timedOut;
    const output = `${stdout}${stderr}`.slice(-outputLimit);
    const result = { command, passed, exitCode, timedOut, durationMs: Math.round(durationMs), output };
    results.set(command, result);
    onEnd(result);
  }
  return results;
}

const outputLimit = 4000;
