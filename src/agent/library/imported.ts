/** Plans that were taken in from other agents' folders: whose they are and where they came from, beside the index, so that it can be rebuilt. */
import { join } from "node:path";
import { fields, number, orNull, parseJson, text } from "../../core/wire/shape.ts";
import { createLineStore, type LineStore } from "./line-store.ts";
import { plansFolder } from "./places.ts";

export interface ImportedPlan {
  /** Where it was found; canonical. */
  readonly from: string;
  /** Our copy. */
  readonly file: string;
  /** The agent. */
  readonly source: string;
  readonly title: string;
  /** Null where nobody knows. */
  readonly project: string | null;
  /** Of the bytes that were taken. */
  readonly hash: string;
  readonly at: number;
}

export function openImported(configHome: string): LineStore<ImportedPlan> {
  return createLineStore({
    path: join(plansFolder(configHome), "imported.jsonl"),
    encode: (plan) => JSON.stringify({ v: 1, ...plan }),
    decode: (line) => {
      const value = parseJson(line);
      if (!isImported(value)) return null;
      const { v: _, ...plan } = value as ImportedPlan & { readonly v: 1 };
      return plan;
    },
    keyOf: ({ from }) => from,
    prefer: (_, later) => later,
  });
}

const isImported = fields({
  v: (value) => value === 1,
  from: text,
  file: text,
  source: text,
  title: text,
  project: orNull(text),
  hash: text,
  at: number,
});
