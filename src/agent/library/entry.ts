/** A plan as the library's index has it: one line of JSON, read back only when it has the right shape (B5.3). */
import type { PlanStatus, PlanSummary } from "../../core/ledger.ts";
import { fields, flag, isObject, list, maybe, number, oneOf, orNull, text } from "../../core/shape.ts";

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
  const value = parse(line);
  if (!isObject(value) || !isEntry(value)) return null;
  const { v: _, ...entry } = value;
  return entry as unknown as PlanEntry;
}

/** The later change counts, whichever line came first. */
export function laterOf<Dated extends { readonly at: number }>(one: Dated | undefined, other: Dated): Dated {
  return one !== undefined && one.at > other.at ? one : other;
}

export function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const name = (value: unknown): boolean => text(value) && value !== "";
const answerer = fields({ user: text, surface: text });

const isEntry = fields({
  v: (value) => value === 1,
  id: name,
  file: name,
  title: text,
  status: oneOf(...planStatuses),
  session: orNull(name),
  project: orNull(text),
  origin: fields({ branch: orNull(text), commit: orNull(text) }),
  revisions: list(fields({ number, hash: text, at: number, by: oneOf("model", "person") })),
  decisions: list(fields({ kind: text, by: answerer, at: number, hash: text, mode: text })),
  evidence: orNull(fields({ commit: orNull(text), files: list(fields({ path: text, hash: orNull(text) })) })),
  lineage: fields({ previous: orNull(text), forkedFrom: orNull(text), carriedOutIn: orNull(text) }),
  at: number,
  gone: maybe(flag),
});
