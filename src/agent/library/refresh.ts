/** Brings the index up to date: from the logs that it has not read to their end, and from plan files that nobody knows (B5.3). */
import { readdirSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { isInside } from "../../core/access.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import { laterOf, type PlanEntry } from "./entry.ts";
import type { Lines } from "./line-store.ts";
import { openIndex, openMarks, plansFolder, type LogMark } from "./places.ts";
import { listLogs, type SessionLog } from "./session-logs.ts";

export interface RefreshOptions {
  readonly configHome: string;
  readonly project: string;
  /** Where this project's plans lie, when not in the config home. */
  readonly plansDirectory?: string;
  /** One line for the person, when something had to be mended. */
  readonly tell: (line: string) => void;
}

/** Every plan there is, by id; those that were removed are left out. Never throws: what cannot be kept is only told. */
export async function refreshIndex(options: RefreshOptions): Promise<ReadonlyMap<string, PlanEntry>> {
  const { configHome, tell } = options;
  const index = openIndex(configHome);
  const marks = openMarks(configHome);
  const [kept, marked] = [await index.read(), await marks.read()];
  const logs = listLogs(configHome);
  const unread = logs.filter((log) => !isCovered(log, marked.values, kept.values));
  const plans = new Map(kept.values);
  const news = new Map<string, PlanEntry>();
  const read: LogMark[] = [];
  for (const { path, name, size } of unread) {
    const { replayLog } = await import("./replay-log.ts");
    const found = await replayLog(path);
    if (found === null) continue;
    read.push({ log: name, size, plans: Object.fromEntries(found.plans.map(({ id, at }) => [id, at])) });
    for (const plan of found.plans) {
      const known = plans.get(plan.id);
      const later = laterOf(known, plan);
      plans.set(plan.id, later);
      if (later !== known && known?.at !== later.at) news.set(plan.id, later);
    }
  }
  const dropped = [...(await vanished(plans, logs)), ...claimedSince(plans)];
  for (const id of dropped) plans.delete(id);
  for (const plan of await looseFiles(options, plans)) {
    plans.set(plan.id, plan);
    news.set(plan.id, plan);
  }
  const isDamaged = kept.broken > 0 || (kept.isMissing && news.size > 0);
  if (isDamaged || news.size > 0) tell(mended(kept, news.size));
  try {
    if (isDamaged || isWasteful(kept) || dropped.length > 0) {
      const isDropped = new Set(dropped);
      await index.rewrite((now) => united(now, news).filter(({ id }) => !isDropped.has(id)));
    } else await index.append([...news.values()]);
    if (isWasteful(marked)) await marks.rewrite((now) => united(now, new Map(read.map((mark) => [mark.log, mark]))));
    else await marks.append(read);
  } catch (error) {
    tell(`The plan index could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  return new Map([...plans].filter(([, plan]) => plan.gone !== true));
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
async function vanished(plans: ReadonlyMap<string, PlanEntry>, logs: readonly SessionLog[]): Promise<string[]> {
  const present = new Set(logs.map(({ id }) => id));
  const alone = [...plans.values()].filter(
    ({ session, lineage }) =>
      (session === null || !present.has(session)) &&
      (lineage.carriedOutIn === null || !present.has(lineage.carriedOutIn)),
  );
  const facts = await Promise.all(alone.map(async ({ file }) => stat(file).catch(() => null)));
  return alone.filter((_, at) => facts[at] === null).map(({ id }) => id);
}

/** Plan files without a session: what the file itself says. */
async function looseFiles(
  { configHome, project, plansDirectory }: RefreshOptions,
  plans: ReadonlyMap<string, PlanEntry>,
): Promise<readonly PlanEntry[]> {
  const known = new Map([...plans.values()].map((plan) => [plan.file, plan]));
  const standard = plansFolder(configHome);
  const folders = new Set([
    ...(plansDirectory === undefined ? [] : [plansDirectory]),
    ...[...known.keys()].map((file) => file.slice(0, file.lastIndexOf("/"))),
  ]);
  folders.delete(standard);
  const named = [...folders].flatMap((folder) => plansIn(folder).filter((file) => isOurName(basename(file))));
  const unknown = [...plansIn(standard), ...named].filter((file) => (known.get(file)?.session ?? null) === null);
  const found = await Promise.all(unknown.map((file) => looseEntry(file, project, known.get(file))));
  return found.filter((one) => one !== null);
}

async function looseEntry(file: string, project: string, known: PlanEntry | undefined): Promise<PlanEntry | null> {
  const facts = await stat(file).catch(() => null);
  if (facts?.isFile() !== true || (known !== undefined && known.at >= facts.mtimeMs)) return null;
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null || isBlank(text) ? null : entryOfFile(file, { text, project, at: facts.mtimeMs });
}

/** In a folder of the project other files may lie beside the plans. */
function isOurName(name: string): boolean {
  return /^(\p{L}+-\p{L}+ing-\p{L}+(-[0-9a-z]{8})?|\d{4}-\d\d-\d\d-.+)\.md$/u.test(name);
}

/** Known by the file alone, until the log of its session was read. */
function claimedSince(plans: ReadonlyMap<string, PlanEntry>): readonly string[] {
  const owned = new Set([...plans.values()].filter(({ session }) => session !== null).map(({ file }) => file));
  return [...plans.values()].filter(({ session, file }) => session === null && owned.has(file)).map(({ id }) => id);
}

/** A plan that is known by its file alone: nobody can say who decided what on it. */
export function entryOfFile(
  file: string,
  { text, project, at }: { readonly text: string; readonly project: string; readonly at: number },
): PlanEntry {
  return {
    id: createHash("sha256").update(file, "utf8").digest("hex").slice(0, 16),
    file,
    title: titleOf(text),
    status: "draft",
    session: null,
    project: isInside(file, project) ? project : null,
    origin: { branch: null, commit: null },
    revisions: [],
    decisions: [],
    evidence: null,
    lineage: { previous: null, forkedFrom: null, carriedOutIn: null },
    at,
  };
}

function plansIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !entry.name.startsWith("."))
      .map(({ name }) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

function united<Value extends { readonly at: number } | LogMark>(
  now: ReadonlyMap<string, Value>,
  news: ReadonlyMap<string, Value>,
): Value[] {
  const all = new Map(now);
  for (const [key, value] of news) all.set(key, later(all.get(key), value));
  return [...all.values()];
}

function later<Value extends { readonly at: number } | LogMark>(one: Value | undefined, other: Value): Value {
  return one !== undefined && "at" in one && "at" in other && one.at > other.at ? one : other;
}

/** More than half of the lines say what no longer holds. */
function isWasteful({ lines, values }: Lines<unknown>): boolean {
  return lines > 2 * values.size + 64;
}

function mended({ isMissing, broken }: Lines<PlanEntry>, changed: number): string {
  const plans = changed === 1 ? "1 plan" : `${changed} plans`;
  if (isMissing) return `The plan index was missing; it was rebuilt from logs and files: ${plans}.`;
  if (broken > 0)
    return `The plan index had ${broken} unreadable line(s); it was mended from logs and files: ${plans}.`;
  return `The plan index was out of date; ${plans} were brought in from logs and files.`;
}
