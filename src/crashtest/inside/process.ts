/** One program in the cage, to its end or to the end of its time; what it says is drained, and little of it kept. */
import type { ChildProcess } from "node:child_process";
import { launch } from "../../agent/host/launch/launch.ts";

/** How a run of an agent ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** It said more than anybody would read. */
  readonly flooded: boolean;
  /** It waits for a person's word. */
  readonly asks: boolean;
  /** The end of what it said. */
  readonly output: string;
}

export interface ProgramRun {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Its standard input is kept open for a conversation. */
  readonly hold?: (child: ChildProcess) => void;
}

const mostOutput = 20_000_000;
const keptOutput = 4000;

export function run({ argv, directory, environment, limitMs, hold }: ProgramRun): Promise<Ended> {
  const child = begin({ argv, directory, environment });
  if (child instanceof Error) return Promise.resolve(unable(child.message));
  let [output, bytes, timedOut, flooded] = ["", 0, false, false];
  return new Promise((settle) => {
    const timer = setTimeout(() => {
      timedOut = true;
      end(child);
    }, limitMs);
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      output = (output + chunk.toString()).slice(-keptOutput);
      if (bytes <= mostOutput || flooded) return;
      flooded = true;
      end(child);
    };
    const done = (exitCode: number | null, signal: string | null): void => {
      clearTimeout(timer);
      end(child);
      settle({ exitCode, signal, timedOut, flooded, asks: false, output });
    };
    child.stdout!.on("data", take);
    child.stderr!.on("data", take);
    child.stdin!.on("error", () => undefined);
    child.on("error", (error) => settle(unable(error.message)));
    child.on("exit", (exitCode, signal) => setTimeout(() => done(exitCode, signal), 20));
    if (hold === undefined) child.stdin!.end();
    else hold(child);
  });
}

/** The values that stand for keys are none, and no child of ours gets a variable of that name but by `env`. */
export function begin({ argv, directory, environment }: Omit<ProgramRun, "limitMs">): ChildProcess | Error {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return launch({
    program: "env",
    args: ["-i", ...variables, ...argv],
    directory,
    environment: { PATH: environment["PATH"] ?? "" },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

export function end({ pid }: Pick<ChildProcess, "pid">): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

export function unable(output: string): Ended {
  return { exitCode: null, signal: null, timedOut: false, flooded: false, asks: false, output };
}
