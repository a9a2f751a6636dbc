/** What ends a caged command before its time: a signal to us, the end of whoever started us, nobody who reads its output. */
import { constants } from "node:os";
import type { Outlet } from "../../agent/host/shell/hand-on.ts";

const signals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;
/** How often we look whether our parent lives; a signal would come at once. */
const lookMs = 500;
/** How long the tree may take to end before we leave it to the cage, which ends with us. */
const patienceMs = 3_000;

export interface EndWatch {
  readonly signal: AbortSignal;
  /** The exit code that this end has; null while nothing ends us. */
  readonly code: () => number | null;
  /** What has to be put away even where we leave in haste; gives what does it now. */
  readonly beforeLeaving: (putAway: () => void) => () => void;
  readonly close: () => void;
}

export function watchForEnd({ stdout, stderr }: Outlet): EndWatch {
  const controller = new AbortController();
  const parent = process.ppid;
  let code: number | null = null;
  let putAway: (() => void) | null = null;
  const leave = (): void => {
    putAway?.();
    process.exit(code ?? undefined);
  };
  const stop = (reason: keyof typeof constants.signals): void => {
    if (code !== null) return;
    code = 128 + constants.signals[reason];
    controller.abort();
    setTimeout(leave, patienceMs).unref();
  };
  const unread = (): void => stop("SIGPIPE");
  const listeners = signals.map((name) => [name, (): void => stop(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  for (const stream of [stdout, stderr]) stream.on("error", unread);
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop("SIGHUP");
  }, lookMs);
  timer.unref();
  return {
    signal: controller.signal,
    code: () => code,
    beforeLeaving: (act) => {
      let isDone = false;
      const once = (): void => {
        if (!isDone) act();
        isDone = true;
      };
      putAway = once;
      return once;
    },
    close: () => {
      clearInterval(timer);
      for (const [name, listener] of listeners) process.off(name, listener);
      if (code !== null) leave();
    },
  };
}
