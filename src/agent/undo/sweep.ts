/** What points keep is bounded: 30 days, and 1 GB for all sessions together, the oldest go first (B15.4). */
import { appendFile, lstat, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkStretch } from "../../core/undo.ts";
import { isHeld } from "../host/files/lock.ts";
import { readRegularText } from "../host/files/read-regular.ts";
import { replaceFile } from "../host/files/replace-file.ts";
import { pacer } from "../watch/work-tree-files.ts";
import { pointsEnding } from "./places.ts";
import { mostKept, type PointStore } from "./store.ts";

export interface SweepBounds {
  readonly now: number;
  readonly days: number;
  readonly bytes: number;
}

/** A session at work: what of its own can go when all the rest does not suffice. */
export interface OwnPoints {
  readonly folder: string;
  readonly store: Pick<PointStore, "keepOnly">;
  /** Oldest first. */
  readonly works: readonly WorkStretch[];
}

/** `own`: null where the session ends. */
export type Sweeper = (written: number, own: OwnPoints | null) => Promise<void>;

/** Hears what is written; once there is much of it, or a day has gone, what is too much goes. In the background, and never rejects. */
export function createSweeper(home: string): Sweeper {
  let unnoted = 0;
  return async (written: number, own: OwnPoints | null): Promise<void> => {
    unnoted += written;
    if (own !== null && unnoted < notedAt) return;
    const now = Date.now();
    const sum = unnoted;
    unnoted = 0;
    try {
      if (!(await isDue(home, sum, now))) return;
      await sweepPoints(home, { now, days: 30, bytes: mostKept - 2 * sweptAt }, own);
      await replaceFile(markIn(home), `${now}\n`);
    } catch {
      return;
    }
  };
}

const notedAt = 1024 * 1024;
const sweptAt = 64 * 1024 * 1024;

function markIn(home: string): string {
  return join(home, "undo-swept");
}

/** When it was done last, and a line for what was written since. */
async function isDue(home: string, written: number, now: number): Promise<boolean> {
  const place = markIn(home);
  if (written > 0) await appendFile(place, `${written}\n`, { mode: 0o600 });
  const [last = 0, ...since] = (await readRegularText(place).catch(() => "")).split("\n").map(Number);
  return now - last > day || since.reduce((sum, bytes) => sum + bytes, 0) > sweptAt;
}

/** Gives the folders that are gone. Sessions that other processes have open are left alone, and counted. */
export async function sweepPoints(
  home: string,
  { now, days, bytes }: SweepBounds,
  own: OwnPoints | null = null,
): Promise<readonly string[]> {
  const found = (await pointFolders(home)).toSorted((one, other) => other.usedAt - one.usedAt);
  const gone: string[] = [];
  let sum = 0;
  for (const { path, log, usedAt } of found) {
    const size = await sizeOf(path);
    const isOver = now - usedAt > days * day || sum + size > bytes;
    if (isOver && path !== own?.folder && !(await isHeld(`${log}.lock`))) {
      await rm(path, { recursive: true, force: true });
      gone.push(path);
    } else sum += size;
  }
  if (own !== null && sum > bytes) await trim(own, bytes - (sum - (await sizeOf(own.folder))));
  return gone;
}

/** The older half of the works, and again, until the rest fits; the newest stays. */
async function trim({ folder, store, works }: OwnPoints, bytes: number): Promise<void> {
  for (let left = works.length; left > 1 && (await sizeOf(folder)) > bytes;) {
    left = Math.ceil(left / 2);
    await store.keepOnly(works.slice(-left).flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
  }
}

const day = 24 * 60 * 60 * 1000;

interface PointFolder {
  readonly path: string;
  readonly log: string;
  readonly usedAt: number;
}

async function pointFolders(home: string): Promise<readonly PointFolder[]> {
  const sessions = join(home, "sessions");
  const found: PointFolder[] = [];
  for (const project of await readdir(sessions).catch(() => [])) {
    for (const name of await readdir(join(sessions, project)).catch(() => [])) {
      if (!name.endsWith(pointsEnding)) continue;
      const path = join(sessions, project, name);
      const times = [path, join(path, "git", "index"), join(path, "copies")].map(
        async (one) => (await stat(one).catch(() => null))?.mtimeMs ?? 0,
      );
      const log = `${path.slice(0, -pointsEnding.length)}.jsonl`;
      found.push({ path, log, usedAt: Math.max(...(await Promise.all(times))) });
    }
  }
  return found;
}

async function sizeOf(folder: string): Promise<number> {
  const rest = pacer();
  let sum = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else sum += (await lstat(path).catch(() => null))?.size ?? 0;
      await rest();
    }
  }
  return sum;
}
