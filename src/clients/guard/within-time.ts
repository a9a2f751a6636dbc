/** Runs work that does not wait, for a limited time: V8 itself ends it, where a timer of ours would never have its turn. */
import { runInThisContext } from "node:vm";

/** Throws when it takes longer. */
export function withinTime<Result>(work: () => Result, limitMs = longestMs): Result {
  const done: { result?: Result } = {};
  const slot = Symbol.for("groundplan.within-time");
  const before: unknown = Reflect.get(globalThis, slot);
  Reflect.set(globalThis, slot, () => {
    done.result = work();
  });
  try {
    runInThisContext('globalThis[Symbol.for("groundplan.within-time")]()', { timeout: limitMs });
  } finally {
    Reflect.set(globalThis, slot, before);
  }
  return done.result as Result;
}

const longestMs = 8_000;
