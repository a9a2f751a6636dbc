/** Waiting that ends early when it is told to. */

export function pause(milliseconds: number, signal?: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(null);
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve(null);
    };
    const timer = setTimeout(done, Math.max(0, Math.min(milliseconds, longestTimer)));
    signal?.addEventListener("abort", done, { once: true });
  });
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

/** Until that moment by the clock given, or the signal; without a moment, until the signal alone. */
export async function until(moment: number | undefined, now: () => number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const left = moment === undefined ? longestTimer : moment - now();
    if (left <= 0) return;
    await pause(left, signal);
  }
}

const longestTimer = 2 ** 31 - 1;

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
