/** Where the library keeps its things: the index beside the plans, and how far each session's log was read. */
import { join } from "node:path";
import { fields, isObject, number, text } from "../../core/shape.ts";
import { decodePlan, encodePlan, laterOf, parse, type PlanEntry } from "./entry.ts";
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
      const value = parse(line);
      return isMark(value) ? (value as LogMark) : null;
    },
    keyOf: ({ log }) => log,
    prefer: (_, later) => later,
  });
}

const isMark = fields({
  log: text,
  size: number,
  plans: (value) => isObject(value) && Object.values(value).every((at) => number(at)),
});
