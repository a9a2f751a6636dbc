/** Waiting for what a test needs, as long as a busy machine takes for it. */
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds: less than the limit of a test, so that it can still say what never came. */
export const patience = 300_000;

/** What the look found, as soon as it is neither null nor false. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | null | false> | Value | null | false,
): Promise<Value> {
  for (const end = performance.now() + patience; ;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (performance.now() > end) throw new Error(`It never came to be: ${what}`);
    await pause(5);
  }
}
