/** What was typed and not sent, kept in the browser until it is. */
import { noWords, type Words } from "./state.ts";
import type { Store } from "./store.ts";

interface Kept {
  readonly hash: string;
  readonly words: Words;
}

/** Restores when the first text comes, then writes on every change of the words. */
export function keepWords(store: Store, storage: Storage): void {
  let before: Words = store.current().words;
  let restored = false;
  store.subscribe(({ server, shown, words }, event) => {
    if (server === null || shown === null) return;
    const key = `groundplan:${server.plan.id}`;
    if (!restored) {
      restored = true;
      const kept = readKept(storage.getItem(key));
      if (kept !== null) store.dispatch({ type: "words-restored", words: kept.words, hash: kept.hash });
      return;
    }
    if (words === before || event.type === "words-restored") return;
    before = words;
    if (words === noWords) storage.removeItem(key);
    else tryToKeep(storage, key, { hash: shown.hash, words });
  });
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

function tryToKeep(storage: Storage, key: string, kept: Kept): void {
  try {
    storage.setItem(key, JSON.stringify(kept));
  } catch {
    return;
  }
}
