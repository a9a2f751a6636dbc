/** Runs one command: no terminal, no input, limits on time and output, and nothing of it left behind. */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { launch } from "./launch/launch.ts";
import { keepOutput } from "./output.ts";

export interface CommandResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly durationMs: number;
}

export interface CommandRequest {
  /** Program and arguments; the program is an absolute path. */
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept of each stream. */
  readonly outputLimit?: number;
  readonly signal?: AbortSignal;
  /** Bytes that the program reads from descriptor 3. */
  readonly input?: Buffer;
  /** A cage ends its processes itself; otherwise they are looked for. */
  readonly endsItsOwn: boolean;
}

const defaultOutputLimit = 200_000;
/** How long output may still come after the end, where a process that we cannot find holds the pipe. */
const graceMs = 500;
const marker = "GROUNDPLAN_COMMAND";

/** Never rejects: a command that cannot be started has exit code 127 and says why on stderr. */
export function runCommand(request: CommandRequest): Promise<CommandResult> {
  const started = performance.now();
  const mark = randomUUID();
  const limit = request.outputLimit ?? defaultOutputLimit;
  const stdout = keepOutput(limit);
  const stderr = keepOutput(limit);
  const ended = { timedOut: false, aborted: false };
  return new Promise((settle) => {
    const finish = (exitCode: number | null, signal: string | null, complaint: string): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", abort);
      const [out, err] = [stdout.end(), stderr.end()];
      settle({
        exitCode,
        signal,
        stdout: out.text,
        stderr: err.text + complaint,
        truncated: out.truncated || err.truncated,
        ...ended,
        durationMs: performance.now() - started,
      });
    };
    if (request.signal?.aborted === true) {
      ended.aborted = true;
      settle({ exitCode: null, signal: "SIGKILL", ...empty, aborted: true, durationMs: 0 });
      return;
    }
    const child = start(request, mark);
    if (child instanceof Error) {
      settle({ exitCode: 126, signal: null, ...empty, stderr: `${child.message}\n`, aborted: false, durationMs: 0 });
      return;
    }
    const endAll = (): void => endTree(child, { mark, endsItsOwn: request.endsItsOwn });
    const abort = (): void => {
      ended.aborted = true;
      endAll();
    };
    const timer = setTimeout(() => {
      ended.timedOut = true;
      endAll();
    }, request.timeoutMs);
    request.signal?.addEventListener("abort", abort, { once: true });
    child.stdout!.on("data", stdout.take);
    child.stderr!.on("data", stderr.take);
    child.on("error", (error) => finish(127, null, `${error.message}\n`));
    child.on("exit", () => {
      endAll();
      setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()), graceMs).unref();
    });
    child.on("close", (code, signal) => finish(code, signal, ""));
  });
}

const empty = { stdout: "", stderr: "", truncated: false, timedOut: false } as const;

/** An error is what the system says at once: a text that is too long, a NUL in it. */
function start(request: CommandRequest, mark: string): ChildProcess | Error {
  const { argv, directory, environment, input, endsItsOwn } = request;
  const [program = "", ...args] = argv;
  const child = launch({
    program,
    args,
    directory,
    environment: endsItsOwn ? environment : { ...environment, [marker]: mark },
    stdio: input === undefined ? ["ignore", "pipe", "pipe"] : ["ignore", "pipe", "pipe", "pipe"],
    detached: true,
  });
  if (child instanceof Error) return child;
  const pipe = child.stdio[3];
  if (input !== undefined && pipe !== undefined && pipe !== null && "end" in pipe) {
    pipe.on("error", () => undefined);
    pipe.end(input);
  }
  return child;
}

/** Ends the command's process group, and, where no cage does it, its children that left the group. */
function endTree(child: ChildProcess, { mark, endsItsOwn }: { mark: string; endsItsOwn: boolean }): void {
  if (child.pid === undefined) return;
  endProcess(-child.pid);
  if (endsItsOwn || process.platform !== "linux") return;
  for (let round = 0; round < 3; round += 1) {
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    left.forEach(endProcess);
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Processes that carry this command's mark in their environment. */
function markedProcesses(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`${marker}=${mark}`))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}
