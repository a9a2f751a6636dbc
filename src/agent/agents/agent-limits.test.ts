import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startStopwatch } from "./agent-limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("R10.5 an agent's time is over after its limit, and never when it was stopped before", async () => {
  const over = vi.fn<() => void>();
  const first = startStopwatch(100, over);
  startStopwatch(100, over).stop();
  await vi.advanceTimersByTimeAsync(99);
  expect(over).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledTimes(1);
  first.stop();
});

test("R10.5 while a person is asked, time stands still; two questions at once count once", async () => {
  const over = vi.fn<() => void>();
  const watch = startStopwatch(100, over);
  await vi.advanceTimersByTimeAsync(60);
  const answered = [500, 900].map((wait) =>
    watch.waiting(new Promise((resolve) => void setTimeout(() => resolve(wait), wait))),
  );
  await vi.advanceTimersByTimeAsync(900);
  expect([await Promise.all(answered), over.mock.calls.length]).toEqual([[500, 900], 0]);
  await vi.advanceTimersByTimeAsync(39);
  expect(over).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledTimes(1);
});

test("an answer that comes after the end starts no clock", async () => {
  const over = vi.fn<() => void>();
  const watch = startStopwatch(100, over);
  const answered = watch.waiting(new Promise((resolve) => void setTimeout(() => resolve(1), 50)));
  watch.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect([await answered, over.mock.calls.length]).toEqual([1, 0]);
});
