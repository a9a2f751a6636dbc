/** Runs one command: no terminal, no input, limits on time and output, and nothing of it left behind. */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { endMarked, endProcess, marker } from "../launch/end-tree.ts";
import { launch } from "../launch/launch.ts";
import type { CommandResult } from "../../ports/ports.ts";
import { handOn, type Outlet } from "./hand-on.ts";
import { keepOutput } from "./output.ts";

export interface CommandRun extends Omit<CommandResult, "refused"> {
  readonly signal: string | null;
  readonly aborted: boolean;
  readonly durationMs: number;
  /** The end of what was handed on; absent where it was kept. */
  readonly tail?: string;
}

/**
 * How everything that a command started is ended: `group`, by killing its process group, the rest dies with it;
 * `asked`, by a word to its supervisor, which ends them all; `searched`, its group, and the others by their mark.
 */
export type Ending = "group" | "asked" | "searched";

export interface CommandRequest {
  /** Program and arguments; the program is an absolute path. */
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept of each stream. */
  readonly outputLimit?: number | undefined;
  /** Where the output goes as it comes; none of it is kept then, and the command ends when nobody reads. */
  readonly outlet?: Outlet | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the program reads from descriptor 3. */
  readonly input?: Buffer;
  readonly ending: Ending;
  /** Descriptors of ours that the program must not have. */
  readonly covered?: readonly number[];
  /** Removes what was made for this one run, when everything has ended. */
  readonly release?: () => Promise<void>;
}

const defaultOutputLimit = 200_000;
/** How long output may still come after the end, where a process that we cannot find holds the pipe. */
const graceMs = 500;
/** Never rejects: a command that cannot be started has exit code 127 and says why on stderr. */
export async function runCommand(request: CommandRequest): Promise<CommandRun> {
  const result = await runToEnd(request);
  await request.release?.().catch(() => undefined);
  return result;
}

function runToEnd(request: CommandRequest): Promise<CommandRun> {
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
      const tail = handing?.tail();
      const [out, err] = [stdout.end(), stderr.end()];
      settle({
        exitCode,
        signal,
        stdout: out.text,
        stderr: err.text + complaint,
        truncated: out.truncated || err.truncated,
        ...ended,
        durationMs: performance.now() - started,
        ...(tail === undefined ? {} : { tail }),
      });
    };
    if (request.signal?.aborted === true)
      return settle({ ...notRun, exitCode: null, signal: "SIGKILL", aborted: true });
    const child = start(request, mark);
    if (child instanceof Error) return settle({ ...notRun, stderr: `${child.message}\n` });
    const endAll = (): void => endTree(child, { mark, ending: request.ending });
    const stop = (why: "timedOut" | "aborted") => (): void => {
      ended[why] = true;
      handing?.drop();
      endAll();
    };
    const abort = stop("aborted");
    const timer = setTimeout(stop("timedOut"), request.timeoutMs);
    request.signal?.addEventListener("abort", abort, { once: true });
    const handing = request.outlet === undefined ? null : handOn(child, request.outlet, abort);
    if (handing === null) {
      child.stdout!.on("data", stdout.take);
      child.stderr!.on("data", stderr.take);
    }
    const release = (): void => [child.stdout, child.stderr].forEach((stream) => stream?.destroy());
    child.on("error", (error) => finish(127, null, `${error.message}\n`));
    child.on("exit", () => {
      endAll();
      if (handing === null) setTimeout(release, graceMs).unref();
      else handing.ended();
    });
    child.on("close", (code, signal) => finish(code, signal, ""));
  });
}

/** Of a command that never started. */
export const notRun: CommandRun = {
  exitCode: 126,
  signal: null,
  stdout: "",
  stderr: "",
  truncated: false,
  timedOut: false,
  aborted: false,
  durationMs: 0,
};

/** An error is what the system says at once: a text that is too long, a NUL in it. */
function start(request: CommandRequest, mark: string): ChildProcess | Error {
  const { argv, directory, environment, input, ending, covered = [] } = request;
  const [program = "", ...args] = argv;
  const nothing = covered.length === 0 ? null : openSync("/dev/null", "r");
  const child = launch({
    program,
    args,
    directory,
    environment: ending === "group" ? environment : { ...environment, [marker]: mark },
    stdio: streamsFor(covered, { hasInput: input !== undefined, nothing: nothing ?? "ignore" }),
    detached: true,
  });
  if (nothing !== null) closeSync(nothing);
  if (child instanceof Error) return child;
  const pipe = child.stdio[3];
  if (input !== undefined && pipe !== undefined && pipe !== null && "end" in pipe) {
    pipe.on("error", () => undefined);
    pipe.end(input);
  }
  return child;
}

/** A descriptor that is not to be handed on becomes `/dev/null`. */
function streamsFor(
  covered: readonly number[],
  { hasInput, nothing }: { hasInput: boolean; nothing: number | "ignore" },
): ("ignore" | "pipe" | number)[] {
  const streams = ["ignore", "pipe", "pipe", ...(hasInput ? (["pipe"] as const) : [])] as const;
  const last = Math.max(streams.length - 1, ...covered);
  return Array.from({ length: last + 1 }, (_, at) => streams[at] ?? (covered.includes(at) ? nothing : "ignore"));
}

/** How long a supervisor that was asked to end everything may take. */
const patienceMs = 2_000;

/** Ends the command and all that it started. */
function endTree(child: ChildProcess, { mark, ending }: { mark: string; ending: Ending }): void {
  if (child.pid === undefined) return;
  if (ending === "group") return endProcess(-child.pid);
  if (ending === "searched") return endMarked(child.pid, mark);
  if (child.exitCode !== null) return;
  if (child.signalCode !== null) return endMarked(child.pid, mark);
  child.kill("SIGTERM");
  const timer = setTimeout(() => endMarked(child.pid!, mark), patienceMs);
  child.once("exit", () => clearTimeout(timer));
}
