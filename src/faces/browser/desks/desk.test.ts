import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBell } from "./desk.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("after a restart every version is newer than those before, also when there was much news within milliseconds", () => {
  const before = createBell();
  for (let news = 0; news < 500; news += 1) before.ring();
  vi.advanceTimersByTime(1);
  expect(createBell().version()).toBeGreaterThan(before.version());
});
