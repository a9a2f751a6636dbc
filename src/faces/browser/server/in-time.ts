/** Whoever asked is answered: what comes of it, or that nothing came in time, or before the program ended. */
import type { NewsSource } from "./event-streams.ts";

/** Null: nobody can say yet what comes of it. An answer that is under way when the program ends has a moment to arrive. */
export function inTime<Value>(
  work: Promise<Value>,
  news: Pick<NewsSource, "subscribe">,
  waits: Waits = usual,
): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const giveUpAfter = (ms: number): NodeJS.Timeout => setTimeout(() => end(() => resolve(null)), ms).unref();
    const timers = [giveUpAfter(waits.answerMs)];
    const leave = news.subscribe(({ event }) => {
      if (event === "gone") timers.push(giveUpAfter(waits.lastMs));
    });
    const end = (tell: () => void): void => {
      timers.forEach(clearTimeout);
      leave();
      tell();
    };
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

interface Waits {
  readonly answerMs: number;
  readonly lastMs: number;
}

/** A session in another process has 15 seconds to take an answer; a port that is closed two for its last ones. */
const usual: Waits = { answerMs: 20_000, lastMs: 1000 };
