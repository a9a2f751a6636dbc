/** What was typed and not sent, kept in the browser until it is: by plan, and in common for all tabs. */
import { joinWords } from "./joining.ts";
import { noWords, type ShownPlan, type UnsentWords } from "./state.ts";
import type { Store } from "./store.ts";

interface Kept {
  readonly hash: string;
  readonly words: UnsentWords;
}

const waits = 200;

/** Restores when a plan is first shown, then writes soon after every change of the words, and before the page goes. */
export function keepWords(store: Store, storage: Storage): void {
  let place = "";
  /** What all tabs had in common last, and what this one had. */
  let common = noWords;
  let seen = noWords;
  let pending: (Kept & { readonly place: string }) | null = null;
  let timer = 0;

  const restore = (shown: ShownPlan): void => {
    place = placeOf(shown);
    const found = readKept(storage.getItem(place));
    common = found?.words ?? noWords;
    if (found !== null) store.dispatch({ type: "words-restored", ...found });
    seen = store.current().words;
  };
  const join = (words: UnsentWords): void => {
    seen = words;
    store.dispatch({ type: "words-joined", words });
  };
  const write = (): void => {
    clearTimeout(timer);
    if (pending === null) return;
    const { place: where, hash, words: mine } = pending;
    pending = null;
    const found = readKept(storage.getItem(where));
    const isOther = found !== null && found.hash !== hash;
    const words = joinWords(common, mine, isOther ? common : (found?.words ?? noWords));
    if (!save(storage, where, { hash, words })) return;
    common = words;
    if (words !== mine && where === place) join(words);
  };
  const listen = ({ key, newValue }: StorageEvent): void => {
    const { shown, words: mine } = store.current();
    const theirs = readKept(newValue);
    if (key !== place || shown === null || (theirs !== null && theirs.hash !== shown.hash)) return;
    const words = joinWords(common, mine, theirs?.words ?? noWords);
    common = theirs?.words ?? noWords;
    if (words !== mine) join(words);
  };

  store.subscribe(({ shown, words }) => {
    if (shown === null) return;
    if (placeOf(shown) !== place) {
      write();
      restore(shown);
    } else if (words !== seen) {
      seen = words;
      pending = { place, hash: shown.hash, words };
      clearTimeout(timer);
      timer = window.setTimeout(write, waits);
    }
  });
  addEventListener("pagehide", write);
  addEventListener("storage", listen);
}

function placeOf({ facts }: ShownPlan): string {
  return `groundplan:${facts.plan.id}`;
}

/** False where the browser keeps nothing. */
function save(storage: Storage, place: string, kept: Kept): boolean {
  try {
    if (JSON.stringify(kept.words) === JSON.stringify(noWords)) storage.removeItem(place);
    else storage.setItem(place, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
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
