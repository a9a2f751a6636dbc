/** Which files of a project were changed since a moment: by git's own hashes where there is git, else by their times (B6.3). */
import { lstat } from "node:fs/promises";
import { readablePath } from "../../core/proof/difference.ts";
import { walkFiles } from "../host/files/walk.ts";
import { workTreeChanges } from "../proof/work-tree-changes.ts";

export interface Since {
  /** The commit that the work began from. */
  readonly commit: string | null;
  /** In milliseconds. */
  readonly at: number;
}

/** Relative to the root, sorted; files that git ignores are left out. */
export async function touchedSince(root: string, { commit, at }: Since): Promise<readonly string[]> {
  const changes = commit === null ? null : await workTreeChanges(root, { base: commit, at });
  if (changes === null || "problem" in changes) return (await byTimes(root, at)).toSorted();
  return changes.map(({ path }) => readablePath(path)).toSorted();
}

async function byTimes(root: string, at: number): Promise<readonly string[]> {
  const touched: string[] = [];
  for await (const path of walkFiles(root, AbortSignal.timeout(60_000))) {
    const facts = await lstat(path).catch(() => null);
    if (facts !== null && facts.mtimeMs >= at) touched.push(path.slice(root.length + 1));
  }
  return touched;
}
