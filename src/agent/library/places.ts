/** Where the library keeps its things: the index beside the plans, and how far each session's log was read. */
import { join } from "node:path";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { decodePlan, encodePlan, laterOf, type PlanEntry } from "./entry.ts";
import { createLineStore, type LineStore } from "./line-store.ts";

export function plansFolder(configHome: string): string {
  return join(configHome, "plans");
}

export function openIndex(configHome: string): LineStore<PlanEntry> {
  return createLineStore({
    path: join(plansFolder(configHome), "index.jsonl"),
    encode: encodePlan,
    decode: decodePlan,
    keyOf: ({ id }) => id,
    prefer: laterOf,
  });
}

/** A log that has been read to its end: while its size stays, and the index has these plans, there is nothing to do. */
export interface LogMark {
  /** `<project key>/<id>.jsonl` */
  readonly log: string;
  readonly size: number;
  /** When each of its plans changed last. */
  readonly plans: Readonly<Record<string, number>>;
}

export function openMarks(configHome: string): LineStore<LogMark> {
  return createLineStore({
    path: join(plansFolder(configHome), "index.logs.jsonl"),
    encode: (mark) => JSON.stringify(mark),
    decode: (line) => {
      const value = parseJson(line);
      return isMark(value) ? (value as LogMark) : null;
    },
    keyOf: ({ log }) => log,
    prefer: (_, later) => later,
  });
}

/** By hand, since thousands of lines are checked at every start. */
function isMark(value: unknown): boolean {
  if (!isObject(value) || typeof value["log"] !== "string" || typeof value["size"] !== "number") return false;
  const plans = value["plans"];
  if (!isObject(plans)) return false;
  for (const id in plans) if (typeof plans[id] !== "number") return false;
  return true;
}
