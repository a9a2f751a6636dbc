/** A text, or a question on it, that has just appeared cannot be answered by a click or key that was meant for something else (B2.4). */
import type { PageState } from "./state.ts";
import type { Store } from "./store.ts";

/**
 * To be called when `shown` has been drawn: with the next picture the wait begins, at whose end it can be answered. Gives back how to end
 * the wait, since something else is drawn.
 */
export function armAfterReading(
  shown: PageState["shown"],
  dispatch: Store["dispatch"],
  drawn: (run: () => void) => void = requestAnimationFrame,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = shown === null || shown.armed;
  if (shown !== null && !isOver) {
    const { hash, requestId } = shown;
    const arm = (): void => dispatch({ type: "armed", hash, requestId });
    drawn(() => {
      if (!isOver) timer = setTimeout(arm, waitMs);
    });
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

const waitMs = 400;
