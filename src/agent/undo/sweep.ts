/** What points keep is bounded: 30 days, and 1 GB for all sessions together, the oldest go first (B15.4). */
import { lstat, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isHeld } from "../host/files/lock.ts";
import { pacer } from "../watch/work-tree-files.ts";
import { pointsEnding } from "./places.ts";
import { mostKept } from "./store.ts";

export interface SweepBounds {
  readonly now: number;
  readonly days: number;
  readonly bytes: number;
}

/** At most once a day; in the background, and never rejects. Sessions that are open in a process are left alone. */
export async function sweepDaily(home: string): Promise<void> {
  const mark = join(home, "undo-swept");
  const now = Date.now();
  const last = (await stat(mark).catch(() => null))?.mtimeMs ?? 0;
  if (now - last < day) return;
  try {
    await sweepPoints(home, { now, days: 30, bytes: mostKept });
    await writeFile(mark, "", { mode: 0o600 });
    await utimes(mark, now / 1000, now / 1000);
  } catch {
    return;
  }
}

/** Gives the folders that are gone. */
export async function sweepPoints(home: string, { now, days, bytes }: SweepBounds): Promise<readonly string[]> {
  const found = (await pointFolders(home)).toSorted((one, other) => other.usedAt - one.usedAt);
  const gone: string[] = [];
  let sum = 0;
  for (const { path, log, usedAt } of found) {
    const size = await sizeOf(path);
    const isOver = now - usedAt > days * day || sum + size > bytes;
    if (isOver && !(await isHeld(`${log}.lock`))) {
      await rm(path, { recursive: true, force: true });
      gone.push(path);
    } else sum += size;
  }
  return gone;
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
