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

test("B2.4 every text and every question is there for 400 ms before it can be answered", () => {
  const store = createStore();
  const may = () => mayDecide(store.current());
  armAfterReading(store);
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
