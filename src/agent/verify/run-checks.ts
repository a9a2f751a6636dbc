/** Runs the commands that a plan is verified by, one after the other, each with its own limit of time (B6.3). */
import { existsSync } from "node:fs";
import { workingEnvironment } from "../host/launch/environment.ts";
import { runCommand } from "../host/shell/run-command.ts";

export interface CheckResult {
  readonly command: string;
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
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
    const request = {
      argv: [shell, "-c", command],
      directory,
      environment,
      timeoutMs,
      signal,
      ending: "searched",
    } as const;
    const { exitCode, timedOut, aborted, durationMs, stdout, stderr } = await runCommand(request);
    if (aborted) break;
    const passed = exitCode === 0 && !timedOut;
    const output = `${stdout}${stderr}`.slice(-outputLimit);
    const result = { command, passed, exitCode, timedOut, durationMs: Math.round(durationMs), output };
    results.set(command, result);
    onEnd(result);
  }
  return results;
}

const outputLimit = 4000;
