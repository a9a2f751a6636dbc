/** Waiting that ends early when it is told to. */
import { setTimeout } from "node:timers/promises";
import { errorText } from "../core/error-text.ts";
import type { Receiving } from "./mailbox.ts";

export async function pause(milliseconds: number, signal?: AbortSignal): Promise<null> {
  return setTimeout(milliseconds, null, { signal }).catch(() => null);
}

/** What comes of it within this time, else null; nothing keeps the program alive afterwards. */
export async function within<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | null> {
  const enough = new AbortController();
  try {
    return await Promise.race([work, pause(milliseconds, enough.signal)]);
  } finally {
    enough.abort();
  }
}

/** Rejects with the reason of the signal as soon as it is raised. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
  });
}

/** Work that is under way: whoever ends waits for it. */
export function underWay() {
  const works = new Set<Promise<unknown>>();
  return {
    track: <Result>(work: Promise<Result>): Promise<Result> => {
      works.add(work);
      const gone = (): void => void works.delete(work);
      work.then(gone, gone);
      return work;
    },
    settled: () => Promise.allSettled(works),
  };
}

export async function endOf(reading: Promise<void>): Promise<Receiving> {
  try {
    await reading;
    return { kind: "ended" };
  } catch (error) {
    return { kind: "refused", reason: errorText(error) };
  }
}
