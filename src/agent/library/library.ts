/** The plan library: every plan of a project, or of all, found again by id, name, title, file or text (B5). */
import { lstatSync } from "node:fs";
import { isBlank } from "../../core/plan/blank.ts";
import type { PlanStatus } from "../../core/plan/ledger.ts";
import type { PlanEntry } from "./entry.ts";
import { findPlan, type NotFound } from "./find-plan.ts";
import type { LoadedPlan } from "./load-plan.ts";
import { readPlanFile } from "./loose-files.ts";
import { openIndex } from "./places.ts";
import { refreshIndex, type RefreshOptions } from "./refresh.ts";
import type { SearchResult } from "./search.ts";

export interface Scope {
  /** Plans of every project. */
  readonly all?: boolean;
  /** What was approved stays so while it is carried out, and when it is done. */
  readonly status?: PlanStatus;
}

export interface Library {
  /** Newest first. */
  list(scope?: Scope): readonly PlanEntry[];
  /** `null`: the newest. Also a file that is in no library yet. `directory`: where relative files are from. */
  find(wanted: string | null, scope?: Scope & { readonly directory?: string }): Promise<PlanEntry | NotFound>;
  load(entry: PlanEntry): Promise<LoadedPlan>;
  /** Best first; null when there is nothing to look for in the words. */
  search(query: string, scope?: Scope & { readonly limit?: number }): Promise<SearchResult | null>;
  /** Takes the plan out of the index until it changes again; its file and log are the caller's. Rejects when it cannot be written. */
  forget(entry: PlanEntry): Promise<void>;
}

export type LibraryOptions = RefreshOptions;

/** Brings the index up to date first: only logs that changed since are read. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const { configHome, project } = options;
  const plans = await refreshIndex(options);
  const everywhere = [...plans.values()].filter((plan) => !isEmptied(plan)).toSorted(newestFirst);

  const list = ({ all = false, status }: Scope = {}): readonly PlanEntry[] =>
    everywhere.filter(
      (plan) => (all || plan.project === project) && (status === undefined || covered(status).includes(plan.status)),
    );

  return {
    list,
    find: (wanted, { directory = process.cwd(), ...scope } = {}) =>
      findPlan(wanted, { inScope: list(scope), everywhere, project, directory }),
    load: async (entry) => (await import("./load-plan.ts")).loadPlan(configHome, entry),
    search: async (query, { limit = 20, ...scope } = {}) => {
      const { searchPlans } = await import("./search.ts");
      return searchPlans(query, { configHome, plans: list(scope), limit });
    },
    forget: (entry) => openIndex(configHome).append([{ ...entry, gone: true, at: Math.max(Date.now(), entry.at) }]),
  };
}

/** Nothing was ever submitted, and its file holds nothing any more. */
function isEmptied({ revisions, file }: PlanEntry): boolean {
  if (revisions.length > 0) return false;
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size < mostBlanks && isBlank(readPlanFile(file));
}

/** What is longer is not read for it: a list of thousands is made at once. */
const mostBlanks = 4096;

function covered(status: PlanStatus): readonly PlanStatus[] {
  return status === "approved" ? ["approved", "executing", "done"] : [status];
}

/** Those of the same moment in a fixed order, whatever was read first. */
function newestFirst(one: PlanEntry, other: PlanEntry): number {
  return other.at - one.at || (one.id < other.id ? -1 : 1);
}
