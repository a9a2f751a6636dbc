/** Which plan is meant: by id, a beginning of one, file, name or title; several that could be meant are never guessed among. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { canonicalPath } from "../host/files/canonical.ts";
import type { PlanEntry } from "./entry.ts";
import { nearest } from "../../core/nearest.ts";
import { entryOfFile } from "./loose-files.ts";
import { readRegularText } from "../host/files/read-regular.ts";

export interface NotFound {
  readonly problem: string;
  /** Those that could be meant. */
  readonly candidates: readonly PlanEntry[];
}

export interface FindOptions {
  /** Newest first. */
  readonly inScope: readonly PlanEntry[];
  readonly everywhere: readonly PlanEntry[];
  readonly project: string;
  /** Relative files are from here. */
  readonly directory: string;
}

export function isNotFound(value: PlanEntry | NotFound): value is NotFound {
  return "problem" in value;
}

/** `null`: the newest. An exact id or a file is found in any project; everything else in scope. */
export async function findPlan(wanted: string | null, options: FindOptions): Promise<PlanEntry | NotFound> {
  const { inScope, everywhere } = options;
  if (wanted === null) return inScope[0] ?? { problem: "There is no plan here yet.", candidates: [] };
  const exact = everywhere.find(({ id }) => id === wanted);
  if (exact !== undefined) return exact;
  if (wanted.trim() === "") return { problem: "A plan is named by its id, name, title or file.", candidates: [] };
  const file = await byFile(wanted, options);
  if (file !== null) return file;
  for (const matches of [byName, byShortId, byTitle]) {
    const found = inScope.filter((plan) => matches(plan, wanted));
    if (found.length === 1) return found[0]!;
    if (found.length > 1) return { problem: `${found.length} plans could be meant by ${wanted}:`, candidates: found };
  }
  const isElsewhere = everywhere.some((plan) => [byName, byShortId, byTitle].some((matches) => matches(plan, wanted)));
  const where = isElsewhere ? "in this project; there is one in another (--all)" : "here";
  const near = inScope.filter((plan) => isNear(plan, wanted.toLowerCase())).slice(0, 5);
  if (near.length > 0 && !isElsewhere)
    return { problem: `There is no plan ${wanted} here; did you mean:`, candidates: near };
  const hint = `To look in the texts: groundplan plans search ${wanted}`;
  return { problem: `There is no plan ${wanted} ${where}. ${hint}`, candidates: [] };
}

/** What to call it in a list: short, and enough to find it again among these. */
export function shortIds(plans: readonly PlanEntry[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const { id } of plans) count.set(id.slice(0, shortest), (count.get(id.slice(0, shortest)) ?? 0) + 1);
  return new Map(
    plans.map(({ id }) => {
      const short = id.slice(0, shortest);
      if (count.get(short) === 1) return [id, short];
      const [, session = id, end = ""] = /^(.*)(-plan-\d+)$/.exec(id) ?? [];
      const others = plans.filter((other) => other.id !== id && other.id.endsWith(end));
      return [
        id,
        shortened(
          session,
          others.map((other) => other.id),
        ) + end,
      ];
    }),
  );
}

/** As little of a session's id as tells it from those of these plans. */
export function shortSession(id: string, plans: readonly PlanEntry[]): string {
  const others = plans
    .flatMap(({ session, lineage }) => [session, lineage.carriedOutIn])
    .filter((one) => one !== null && one !== id);
  return shortened(id, others as readonly string[]);
}

/** The beginning of an id that none of the others has. */
export function shortened(id: string, others: readonly string[]): string {
  let length = shortest;
  while (length < id.length && others.some((other) => other.startsWith(id.slice(0, length)))) length += 4;
  return id.slice(0, length);
}

const shortest = 8;

async function byFile(wanted: string, { everywhere, project, directory }: FindOptions): Promise<PlanEntry | null> {
  const path = await canonicalPath(wanted, directory);
  const known = everywhere.find(({ file }) => file === path);
  if (known !== undefined) return known;
  const facts = await stat(path).catch(() => null);
  if (facts?.isFile() !== true) return null;
  const text = await readRegularText(path).catch(() => null);
  return text === null ? null : entryOfFile(path, { text, project, at: facts.mtimeMs });
}

function byName({ file }: PlanEntry, wanted: string): boolean {
  const name = basename(file);
  return name === wanted || name === `${wanted}.md`;
}

/** `3f2a91bc` for any plan of that session, `3f2a91bc-plan-2` for one of them. */
function byShortId({ id }: PlanEntry, wanted: string): boolean {
  if (wanted.length >= fewest && id.startsWith(wanted.toLowerCase())) return true;
  const [, start = "", end = ""] = /^([0-9a-z-]{4,}?)(-plan-\d+)$/i.exec(wanted) ?? [];
  return start !== "" && id.startsWith(start.toLowerCase()) && id.endsWith(end.toLowerCase());
}

function byTitle({ title }: PlanEntry, wanted: string): boolean {
  return title.toLowerCase() === wanted.trim().toLowerCase();
}

/** A slip of the finger or two in its id, name or title. */
function isNear({ id, file, title }: PlanEntry, wanted: string): boolean {
  const names = [id.slice(0, wanted.length), basename(file, ".md"), title].map((name) => name.toLowerCase());
  return wanted.length >= fewest && nearest(wanted, names) !== null;
}

/** Of an id at least so much, so that a mistyped name is not taken for one. */
const fewest = 4;
