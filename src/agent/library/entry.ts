/** A plan as the library's index has it: one line of JSON, read back only when it has the right shape (B5.3). */
import type { PlanStatus, PlanSummary } from "../../core/plan/ledger.ts";
import { isObject, parseJson } from "../../core/wire/shape.ts";

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
  if (!isObject(value) || !isEntry(value)) return null;
  const { v: _, ...entry } = value;
  return entry;
}

/** The later change counts, whichever line came first. */
export function laterOf<Dated extends { readonly at: number }>(one: Dated | undefined, other: Dated): Dated {
  return one !== undefined && one.at > other.at ? one : other;
}

/** By hand, since thousands of lines are checked at every start. */
function isEntry(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & PlanEntry {
  return (
    value["v"] === 1 &&
    isName(value["id"]) &&
    isName(value["file"]) &&
    typeof value["title"] === "string" &&
    statuses.has(value["status"] as string) &&
    isNullOr("string", value["session"]) &&
    isNullOr("string", value["project"]) &&
    typeof value["at"] === "number" &&
    isObject(value["origin"]) &&
    isObject(value["lineage"]) &&
    (value["evidence"] === null || isEvidence(value["evidence"])) &&
    isListOf(value["revisions"], isRevision) &&
    isListOf(value["decisions"], isDecision) &&
    (value["gone"] === undefined || value["gone"] === true)
  );
}

const statuses: ReadonlySet<string> = new Set(planStatuses);

function isRevision({ number, hash, at, by }: Readonly<Record<string, unknown>>): boolean {
  return typeof number === "number" && typeof hash === "string" && typeof at === "number" && typeof by === "string";
}

function isDecision({ kind, by, at, hash, mode }: Readonly<Record<string, unknown>>): boolean {
  const isSaid = typeof kind === "string" && typeof hash === "string" && typeof mode === "string";
  return isSaid && typeof at === "number" && isObject(by) && isName(by["user"]) && isName(by["surface"]);
}

function isEvidence(value: unknown): boolean {
  return isObject(value) && isListOf(value["files"], ({ path }) => typeof path === "string");
}

function isListOf(value: unknown, check: (item: Readonly<Record<string, unknown>>) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (!isObject(item) || !check(item)) return false;
  return true;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isNullOr(type: "string", value: unknown): boolean {
  return value === null || typeof value === type;
}
