/** Brings the index up to date: from the logs that it has not read to their end, and from plan files that nobody knows (B5.3). */
import { lstatSync } from "node:fs";
import { errorText } from "../../core/error-text.ts";
import { isHeld } from "../host/files/lock.ts";
import { openImported } from "./imported.ts";
import { laterOf, type PlanEntry } from "./entry.ts";
import type { Lines } from "./line-store.ts";
import { looseFiles } from "./loose-files.ts";
import { openIndex, openMarks, type LogMark } from "./places.ts";
import { listLogs, type SessionLog } from "./session-logs.ts";

export interface RefreshOptions {
  readonly configHome: string;
  readonly project: string;
  /** Where this project's plans lie, when not in the config home; asked only when the index has to be mended. */
  readonly plansDirectory?: () => Promise<string | null>;
  /** One line for the person, when something had to be mended. */
  readonly tell: (line: string) => void;
}

/** Every plan there is, by id; those that were removed are left out. Never throws: what cannot be kept is only told. */
export async function refreshIndex(options: RefreshOptions): Promise<ReadonlyMap<string, PlanEntry>> {
  const { configHome, project, tell } = options;
  const index = openIndex(configHome);
  const marks = openMarks(configHome);
  const [kept, marked] = [await index.read(), await marks.read()];
  const logs = listLogs(configHome);
  const unread = logs.filter((log) => !isCovered(log, marked.values, kept.values));
  const { plans, news, read, claimed, isLive } = await readLogs(unread, kept.values);
  const dropped = [...vanished(plans, logs), ...claimedSince(plans)];
  for (const { id } of dropped) plans.delete(id);
  const isBroken = kept.broken > 0 || kept.isMissing;
  const plansDirectory = isBroken ? ((await options.plansDirectory?.().catch(() => null)) ?? null) : null;
  const imported = new Map([...(await openImported(configHome).read()).values.values()].map((one) => [one.file, one]));
  for (const plan of looseFiles({ configHome, project, plansDirectory, plans, claimed, imported })) {
    plans.set(plan.id, plan);
    news.set(plan.id, plan);
  }
  const isDamaged = kept.broken > 0 || (kept.isMissing && news.size > 0);
  if (isDamaged || (news.size > 0 && !isLive)) tell(mended(kept, news.size));
  try {
    if (isDamaged || isWasteful(kept) || dropped.length > 0) {
      const gone = new Map(dropped.map(({ id, at }) => [id, at]));
      await index.rewrite((now) => united(now, news).filter(({ id, at }) => !((gone.get(id) ?? -1) >= at)));
    } else await index.append([...news.values()]);
    if (isWasteful(marked)) await marks.rewrite((now) => new Map([...now, ...read]).values());
    else await marks.append([...read.values()]);
  } catch (error) {
    tell(`The plan index could not be written: ${errorText(error)}`);
  }
  return new Map([...plans].filter(([, plan]) => plan.gone !== true));
}

/** More than half of the lines say what no longer holds. */
export function isWasteful({ lines, values }: Lines<unknown>): boolean {
  return lines > 2 * values.size + 64;
}

async function readLogs(unread: readonly SessionLog[], kept: ReadonlyMap<string, PlanEntry>) {
  const plans = new Map(kept);
  /** What the index did not know. */
  const news = new Map<string, PlanEntry>();
  const read = new Map<string, LogMark>();
  /** Files of sessions that run now, and are about to tell of them. */
  const claimed = new Set<string>();
  /** Everything new is of sessions that run now: they are about to write it themselves. */
  let isLive = true;
  for (const { path, name, size } of unread) {
    const { replayLog } = await import("./replay-log.ts");
    const found = await replayLog(path);
    if (found === null) continue;
    read.set(name, { log: name, size, plans: Object.fromEntries(found.plans.map(({ id, at }) => [id, at])) });
    const untold = found.session.plans.filter(({ id }) => found.plans.every((plan) => plan.id !== id));
    if (untold.length > 0 && (await isHeld(`${path}.lock`))) for (const { file } of untold) claimed.add(file);
    const before = news.size;
    for (const plan of found.plans) {
      const known = plans.get(plan.id);
      const later = laterOf(known, plan);
      plans.set(plan.id, later);
      if (later !== known && known?.at !== later.at) news.set(plan.id, later);
    }
    if (news.size > before && isLive) isLive = await isHeld(`${path}.lock`);
  }
  return { plans, news, read, claimed, isLive };
}

/** Read to its end, and the index has what it told. */
function isCovered(
  { name, size }: SessionLog,
  marks: ReadonlyMap<string, LogMark>,
  plans: ReadonlyMap<string, PlanEntry>,
): boolean {
  const mark = marks.get(name);
  if (mark?.size !== size) return false;
  for (const id in mark.plans) if ((plans.get(id)?.at ?? -1) < mark.plans[id]!) return false;
  return true;
}

/** Plans of which neither a log nor a file is left. */
function vanished(plans: ReadonlyMap<string, PlanEntry>, logs: readonly SessionLog[]): readonly PlanEntry[] {
  const present = new Set(logs.map(({ id }) => id));
  const alone = [...plans.values()].filter(
    ({ session, lineage }) =>
      (session === null || !present.has(session)) &&
      (lineage.carriedOutIn === null || !present.has(lineage.carriedOutIn)),
  );
  return alone.filter(({ file }) => lstatSync(file, { throwIfNoEntry: false }) === undefined);
}

/** Known by the file alone, until the log of its session was read. */
function claimedSince(plans: ReadonlyMap<string, PlanEntry>): readonly PlanEntry[] {
  const owned = new Set([...plans.values()].filter(({ session }) => session !== null).map(({ file }) => file));
  return [...plans.values()].filter(({ session, file }) => session === null && owned.has(file));
}

function united(now: ReadonlyMap<string, PlanEntry>, news: ReadonlyMap<string, PlanEntry>): PlanEntry[] {
  const all = new Map(now);
  for (const [id, plan] of news) all.set(id, laterOf(all.get(id), plan));
  return [...all.values()];
}

function mended({ isMissing, broken }: Lines<PlanEntry>, changed: number): string {
  const plans = changed === 1 ? "1 plan" : `${changed} plans`;
  if (isMissing) return `The plan index was missing; it was rebuilt from logs and files: ${plans}.`;
  if (broken > 0)
    return `The plan index had ${broken} unreadable line(s); it was mended from logs and files: ${plans} brought back.`;
  return `The plan index was out of date; it was brought up to date from logs and files: ${plans}.`;
}
