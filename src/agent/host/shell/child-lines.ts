/** Runs a search program and hands on its output piece by piece, bounded in time, memory and number. */
import { splitBytes, type SplitPiece } from "../files/split-bytes.ts";
import { ownEnvironment } from "../launch/environment.ts";
import { launch } from "../launch/launch.ts";

export interface ChildLines {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly separator: "\n" | "\0";
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** False: enough, stop. */
  readonly onPiece: (piece: string) => boolean;
}

export interface ChildEnd {
  readonly code: number | null;
  readonly stderr: string;
  readonly ended: "whole" | "enough" | "late";
}

/** Rejects when the program cannot be started or the signal aborts. */
export function childLines(options: ChildLines): Promise<ChildEnd> {
  const { program, args, directory, timeoutMs, signal } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const environment = ownEnvironment(directory);
    const child = launch({ program, args, directory, environment, stdio: ["ignore", "pipe", "pipe"] });
    if (child instanceof Error) return reject(child);
    let ended: ChildEnd["ended"] = "whole";
    let stderr = "";
    const stop = (why: ChildEnd["ended"]): void => {
      if (ended === "whole") ended = why;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => stop("late"), timeoutMs);
    const onAbort = (): void => stop("enough");
    signal.addEventListener("abort", onAbort, { once: true });
    const split = splitBytes(options.separator.charCodeAt(0), longestPiece);
    const emit = (pieces: Iterable<SplitPiece>): void => {
      for (const { bytes } of pieces) if (ended === "whole" && !options.onPiece(bytes.toString("utf8"))) stop("enough");
    };
    child.stdout!.on("data", (bytes: Buffer) => emit(split.add(bytes)));
    child.stderr!.on("data", (bytes: Buffer) => {
      if (stderr.length < mostErrors) stderr += bytes.toString("utf8");
    });
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    child.on("error", (error) => settle(() => reject(error)));
    child.on("close", (code) =>
      settle(() => {
        if (signal.aborted) return reject(signal.reason as Error);
        emit(split.rest());
        resolve({ code, stderr, ended });
      }),
    );
  });
}

const mostErrors = 4000;
/** A longer piece is cut: minified files have lines of megabytes. */
const longestPiece = 16_384;
