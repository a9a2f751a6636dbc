import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { armAfterReading } from "./arming.ts";
import { firstText, hashOfText, secondText, serverState } from "./page-fixtures.ts";
import { mayDecide } from "./state.ts";
import { createStore, type Store } from "./store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function come(store: Store, ...[text, changes]: Parameters<typeof serverState>): void {
  store.dispatch({ type: "state-came", state: serverState(text, changes), hash: hashOfText(text) });
}

/** As the page does: what is drawn anew is armed anew. */
function draw({ subscribe, dispatch }: Store, drawn: (run: () => void) => void): void {
  let before = "";
  let end: (() => void) | null = null;
  subscribe(({ shown }) => {
    const now = `${shown?.requestId} ${shown?.hash} ${shown?.armed}`;
    if (now === before) return;
    before = now;
    end?.();
    end = armAfterReading(shown, dispatch, drawn);
  });
}

test("B2.4 every text and every question is there for 400 ms before it can be answered", () => {
  const store = createStore();
  const may = () => mayDecide(store.current());
  draw(store, (run) => run());
  store.dispatch({ type: "link-changed", link: "live" });
  come(store, firstText, { request: null });
  vi.advanceTimersByTime(399);
  come(store, firstText, { version: 2 });
  vi.advanceTimersByTime(399);
  expect(may()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(may()).toBe(true);
  come(store, secondText, { version: 3 });
  store.dispatch({ type: "newest-wanted" });
  vi.advanceTimersByTime(399);
  expect(may()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(may()).toBe(true);
});

test("B2.4 the wait begins when the page has been drawn, however late that is", () => {
  const store = createStore();
  const drawn: (() => void)[] = [];
  draw(store, (run) => void drawn.push(run));
  store.dispatch({ type: "link-changed", link: "live" });
  come(store, firstText);
  vi.advanceTimersByTime(1_000);
  expect(mayDecide(store.current())).toBe(false);
  for (const run of drawn) run();
  vi.advanceTimersByTime(399);
  expect(mayDecide(store.current())).toBe(false);
  vi.advanceTimersByTime(1);
  expect(mayDecide(store.current())).toBe(true);
});
