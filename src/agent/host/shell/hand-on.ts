/** Hands on a command's output as it comes: no faster than it is taken, and keeping nothing but its end. */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export interface Outlet {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface HandingOn {
  /** The end of both streams. */
  readonly tail: () => string;
  /** The command has ended: what it wrote still goes out, but nobody waits for a process that holds the pipe and is silent. */
  readonly ended: () => void;
  /** What has not been taken by now is lost. */
  readonly drop: () => void;
}

/** How long a pipe may stay open and silent after the command has ended. */
const graceMs = 500;
const tailBytes = 4_000;

/** `whenUnread` is told once, when nobody reads any more. */
export function handOn(child: ChildProcess, outlet: Outlet, whenUnread: () => void): HandingOn {
  const pairs = [
    [child.stdout!, outlet.stdout],
    [child.stderr!, outlet.stderr],
  ] as const;
  let tail = Buffer.alloc(0);
  let heard = 0;
  const drop = (): void => pairs.forEach(([source]) => source.destroy());
  for (const [source, target] of pairs) {
    source.pipe(target, { end: false });
    source.on("data", (bytes: Buffer) => {
      heard += bytes.length;
      tail = Buffer.concat([tail, bytes.subarray(-tailBytes)]).subarray(-tailBytes);
    });
    const onError = (): void => {
      drop();
      whenUnread();
    };
    target.once("error", onError);
    source.once("close", () => target.off("error", onError));
  }
  return {
    tail: () => tail.toString("utf8"),
    ended: () => {
      let before = heard;
      const timer = setInterval(() => {
        if (pairs.some(([source]) => isHeldUp(source)) || heard > before) {
          before = heard;
          return;
        }
        clearInterval(timer);
        drop();
      }, graceMs);
      timer.unref();
      child.once("close", () => clearInterval(timer));
    },
    drop,
  };
}

/** Paused, since what was handed on has not been taken yet. */
function isHeldUp(source: Readable): boolean {
  return !source.destroyed && source.readableFlowing === false;
}
