/** Tries a request again while that may help, and shows each wait. */
import { setTimeout as pause } from "node:timers/promises";
import type { ModelDelta } from "../ports/model.ts";
import { abortedFailure, type Failure } from "./errors.ts";

/** What one attempt yields: the deltas of the port, but its failure says whether another attempt may help. */
export type AttemptDelta =
  | Extract<ModelDelta, { readonly type: "text" | "thinking" | "done" }>
  | { readonly type: "failed"; readonly failure: Failure };

export interface RetryPolicy {
  /** The first attempt included. */
  readonly maxAttempts: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A server that asks for a longer wait than this is not waited for. */
  readonly longestAskedWaitMs: number;
  /** From 0 to 1, for the jitter. */
  readonly random: () => number;
  /** Ends early, without error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 8,
  firstWaitMs: 1000,
  longestWaitMs: 30_000,
  longestAskedWaitMs: 600_000,
  random: Math.random,
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
};

export async function* withRetries(
  attempt: () => AsyncIterable<AttemptDelta>,
  policy: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta> {
  for (let number = 1; ; number++) {
    let spoke = false;
    let failure: Failure | undefined;
    for await (const delta of attempt()) {
      if (delta.type === "failed") {
        failure = delta.failure;
        break;
      }
      spoke ||= delta.type !== "done";
      yield delta;
      if (delta.type === "done") return;
    }
    if (signal.aborted || failure === undefined) failure = abortedFailure;
    const waitMs = waitBefore(number + 1, failure, policy);
    if (waitMs === undefined) {
      yield { type: "failed", error: withAskedWait(failure, policy) };
      return;
    }
    yield { type: "retrying", attempt: number + 1, waitMs, error: failure.error };
    await policy.sleep(waitMs, signal);
    if (signal.aborted) {
      yield { type: "failed", error: abortedFailure.error };
      return;
    }
    if (spoke) yield { type: "restarted" };
  }
}

/** Undefined: there is no such attempt. */
function waitBefore(attempt: number, failure: Failure, policy: RetryPolicy): number | undefined {
  if (!failure.mayRetry || attempt > policy.maxAttempts) return undefined;
  const asked = failure.retryAfterMs;
  if (asked !== undefined) return asked > policy.longestAskedWaitMs ? undefined : asked;
  const full = Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** (attempt - 2));
  return Math.round(full * (0.75 + 0.25 * policy.random()));
}

function withAskedWait({ error, retryAfterMs }: Failure, policy: RetryPolicy): Failure["error"] {
  if (retryAfterMs === undefined || retryAfterMs <= policy.longestAskedWaitMs) return error;
  return { ...error, message: `${error.message} It asks to wait ${Math.ceil(retryAfterMs / 60_000)} minutes.` };
}
