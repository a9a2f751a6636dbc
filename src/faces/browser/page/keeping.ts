/** What was typed and not sent, kept in the browser until it is. */
import type { ReviewState } from "../desks/wire.ts";
import { noWords, type UnsentWords } from "./state.ts";
import type { Store } from "./store.ts";

interface Kept {
  readonly hash: string;
  readonly words: UnsentWords;
}

const waits = 200;

/** Restores when the first text comes, then writes soon after every change of the words, and before the page goes. */
export function keepWords(store: Store, storage: Storage): void {
  let kept: UnsentWords = store.current().words;
  let isRestored = false;
  let timer = 0;
  const keep = (): void => {
    const { server, shown, words } = store.current();
    clearTimeout(timer);
    if (server === null || shown === null || words === kept) return;
    kept = words;
    if (words === noWords) return storage.removeItem(keyOf(server));
    try {
      storage.setItem(keyOf(server), JSON.stringify({ hash: shown.hash, words } satisfies Kept));
    } catch {
      return;
    }
  };
  store.subscribe(({ server, shown, words }) => {
    if (server === null || shown === null) return;
    if (!isRestored) {
      isRestored = true;
      const found = readKept(storage.getItem(keyOf(server)));
      if (found !== null) store.dispatch({ type: "words-restored", ...found });
    } else if (words !== kept) {
      clearTimeout(timer);
      timer = window.setTimeout(keep, waits);
    }
  });
  addEventListener("pagehide", keep);
}

function keyOf({ plan }: ReviewState): string {
  return `groundplan:${plan.id}`;
}

export function readKept(text: string | null): Kept | null {
  try {
    const kept = JSON.parse(text ?? "null") as Kept | null;
    if (kept === null || typeof kept.hash !== "string" || !Array.isArray(kept.words?.drafts)) return null;
    return { hash: kept.hash, words: { ...noWords, ...kept.words } };
  } catch {
    return null;
  }
}
