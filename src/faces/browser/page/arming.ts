/** A text, or a question on it, that has just appeared cannot be answered by a click or key that was meant for something else (B2.4). */
import type { Store } from "./store.ts";

/**
 * What is shown can be answered when it was on the screen for a while; anything new on the way begins the wait again. `drawn` runs with
 * the next picture: where the page is drawn late, the wait begins late.
 */
export function armAfterReading(
  store: Pick<Store, "subscribe" | "dispatch">,
  drawn: (run: () => void) => void = requestAnimationFrame,
): void {
  let waitsFor: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.subscribe(({ shown }) => {
    const wanted = shown === null || shown.armed ? null : `${shown.requestId} ${shown.hash}`;
    if (wanted === waitsFor) return;
    waitsFor = wanted;
    clearTimeout(timer);
    if (shown === null || wanted === null) return;
    const { hash, requestId } = shown;
    drawn(() => {
      if (waitsFor !== wanted) return;
      clearTimeout(timer);
      timer = setTimeout(() => store.dispatch({ type: "armed", hash, requestId }), waitMs);
    });
  });
}

const waitMs = 400;
