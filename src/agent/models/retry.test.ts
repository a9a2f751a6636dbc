/** When a request is tried again, and how long the waits are. */
import { describe, expect, test } from "vitest";
import type { ModelDelta } from "../ports/model.ts";
import type { Failure } from "./errors.ts";
import { retryAfterMs } from "./errors.ts";
import { defaultRetryPolicy, withRetries, type AttemptDelta, type RetryPolicy } from "./retry.ts";

const error = { code: "overloaded", message: "Overloaded." } as const;
const done: AttemptDelta = {
  type: "done",
  reply: [],
  stop: "end",
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
};
const fails = (failure: Partial<Failure> = {}): AttemptDelta => ({
  type: "failed",
  failure: { error, mayRetry: true, ...failure },
});

async function run(attempts: readonly (readonly AttemptDelta[])[], policy: Partial<RetryPolicy> = {}) {
  const deltas: ModelDelta[] = [];
  const left = [...attempts];
  const next = async function* () {
    yield* left.shift() ?? [fails()];
  };
  const settings = { ...defaultRetryPolicy, random: () => 1, sleep: async () => undefined, ...policy };
  for await (const delta of withRetries(next, settings, new AbortController().signal)) deltas.push(delta);
  return deltas;
}

const waitsOf = (deltas: readonly ModelDelta[]) =>
  deltas.flatMap((delta) => (delta.type === "retrying" ? [delta.waitMs] : []));

describe("withRetries", () => {
  test("waits double up to the longest, and end after the last attempt", async () => {
    const deltas = await run([], { maxAttempts: 8 });
    expect(waitsOf(deltas)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(deltas.at(-1)).toEqual({ type: "failed", error });
  });

  test("jitter takes off up to a quarter", async () => {
    expect(waitsOf(await run([], { maxAttempts: 3, random: () => 0 }))).toEqual([750, 1500]);
  });

  test("what the server asks for is waited, not more and not less", async () => {
    expect(waitsOf(await run([[fails({ retryAfterMs: 45_123 })], [done]]))).toEqual([45_123]);
    expect(waitsOf(await run([[fails({ retryAfterMs: 0 })], [done]]))).toEqual([0]);
  });

  test("a server that asks for hours is not waited for", async () => {
    expect(await run([[fails({ retryAfterMs: 3_600_000 })]])).toEqual([
      { type: "failed", error: { code: "overloaded", message: "Overloaded. It asks to wait 60 minutes." } },
    ]);
  });

  test("what cannot help is not tried again", async () => {
    expect(await run([[fails({ mayRetry: false })]])).toEqual([{ type: "failed", error }]);
  });

  test("only after words were streamed does a new attempt begin anew", async () => {
    const text: AttemptDelta = { type: "text", text: "a" };
    const kinds = (await run([[fails()], [text, fails()], [text, done]])).map(({ type }) => type);
    expect(kinds).toEqual(["retrying", "text", "retrying", "restarted", "text", "done"]);
  });
});

describe("retryAfterMs", () => {
  const now = Date.parse("2026-11-15T10:00:00Z");
  test.each([
    [{ "retry-after": "3" }, "", 3000],
    [{ "retry-after": "0.25" }, "", 250],
    [{ "retry-after": "Sun, 15 Nov 2026 10:00:20 GMT" }, "", 20_000],
    [{ "retry-after": "Sun, 15 Nov 2026 09:00:00 GMT" }, "", 0],
    [{ "retry-after-ms": "120", "retry-after": "9" }, "", 120],
    [{ "retry-after": "soon" }, "", undefined],
    [{}, '{"details":[{"retryDelay": "34.5s"}]}', 34_500],
    [{}, "", undefined],
  ])("%j %s is %s", (headers, body, expected) => {
    expect(retryAfterMs(headers, body, now)).toBe(expected);
  });
});
