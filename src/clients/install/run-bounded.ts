/** Runs one program with a text on its stdin, within bounds; its whole group is ended when they are passed. */
import { launch } from "../../agent/host/launch/launch.ts";

export interface BoundedRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly timeoutMs: number;
}

export interface BoundedEnd {
  /** Null where it could not be started, was ended by a signal or took too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const mostOutput = 1_000_000;

export function runBounded({
  program,
  args,
  directory,
  environment,
  stdin = "",
  timeoutMs,
}: BoundedRun): Promise<BoundedEnd> {
  const given = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const child = launch({
    program,
    args,
    directory,
    environment: Object.fromEntries(given),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  if (child instanceof Error) return Promise.resolve({ code: null, stdout: "", stderr: child.message });
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    const end = (code: number | null, problem = ""): void => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr: stderr + problem });
    };
    const timer = setTimeout(() => {
      endGroup(child.pid);
      end(null, `it took more than ${timeoutMs} ms`);
    }, timeoutMs);
    child
      .stdout!.setEncoding("utf8")
      .on("data", (text: string) => (stdout += text.slice(0, mostOutput - stdout.length)));
    child
      .stderr!.setEncoding("utf8")
      .on("data", (text: string) => (stderr += text.slice(0, mostOutput - stderr.length)));
    child.on("error", (error) => end(null, error.message));
    child.on("close", (code) => end(code));
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(stdin);
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    return;
  }
}
