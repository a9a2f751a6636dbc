/** A plan as the library's index has it: one line of JSON, read back only when it has the right shape (B5.3). */
import type { PlanStatus, PlanSummary } from "../../core/plan/ledger.ts";
import {
  fields,
  isObject,
  list,
  maybe,
  number,
  oneOf,
  orNull,
  parseJson,
  text,
  type Check,
} from "../../core/wire/shape.ts";

export interface PlanEntry extends Omit<PlanSummary, "session" | "project"> {
  /** Null for a file that no session is known of. */
  readonly session: string | null;
  /** Null where nobody knows which project it is of. */
  readonly project: string | null;
  /** When it changed last. */
  readonly at: number;
  /** Removed by the person: kept so that a rebuild does not bring it back. */
  readonly gone?: true;
}

export const planStatuses: readonly PlanStatus[] = [
  "draft",
  "submitted",
  "approved",
  "rejected",
  "saved",
  "executing",
  "done",
  "abandoned",
];

export function encodePlan(entry: PlanEntry): string {
  return JSON.stringify({ v: 1, ...entry });
}

/** Null for a line that is not, or not wholly, one of ours. */
export function decodePlan(line: string): PlanEntry | null {
  const value = parseJson(line);
  if (!isEntry(value)) return null;
  const { v: _, ...entry } = value as PlanEntry & { readonly v: 1 };
  return entry;
}

/** The later change counts, whichever line came first. */
export function laterOf<Dated extends { readonly at: number }>(one: Dated | undefined, other: Dated): Dated {
  return one !== undefined && one.at > other.at ? one : other;
}

const name: Check = (value) => typeof value === "string" && value !== "";

const isEntry = fields({
  v: (value) => value === 1,
  id: name,
  file: name,
  title: text,
  status: oneOf(...planStatuses),
  session: orNull(text),
  project: orNull(text),
  at: number,
  origin: isObject,
  source: maybe(name),
  lineage: isObject,
  evidence: orNull(fields({ files: list(fields({ path: text })) })),
  revisions: list(fields({ number, hash: text, at: number, by: text })),
  decisions: list(
    fields({ kind: text, hash: text, mode: text, at: number, by: fields({ user: name, surface: name }) }),
  ),
  gone: maybe((value) => value === true),
});
