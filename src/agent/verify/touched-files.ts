/** Which files of a project were changed since a moment: by git's own hashes where there is git, else by their times (B6.3). */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { walkFiles } from "../host/files/walk.ts";
import { listTree, listWithGit } from "../watch/work-tree-git.ts";
import { blobHash, pacer } from "../watch/work-tree-files.ts";
import { readRegular } from "../host/files/read-regular.ts";

export interface Since {
  /** The commit that the work began from. */
  readonly commit: string | null;
  /** In milliseconds. */
  readonly at: number;
}

/** Relative to the root, sorted; files that git ignores are left out. */
export async function touchedSince(root: string, since: Since): Promise<readonly string[]> {
  const touched = (await byGit(root, since)) ?? (await byTimes(root, since));
  return [...touched].toSorted();
}

/** Null where git cannot be asked, or does not know the commit. */
async function byGit(root: string, { commit, at }: Since): Promise<ReadonlySet<string> | null> {
  if (commit === null) return null;
  const [now, then] = await Promise.all([listWithGit(root), listTree(root, commit)]);
  if (now === null || then === null) return null;
  const touched = new Set<string>();
  const rest = pacer();
  for (const path of new Set([...now.tracked.keys(), ...now.untracked, ...then.keys()])) {
    await rest();
    const before = then.get(path) ?? null;
    const index = now.tracked.get(path)?.hash ?? null;
    if (index === "" || path.endsWith("/")) continue;
    const file = join(root, decoded(path));
    const facts = await lstat(file).catch(() => null);
    if (facts !== null && before === null && index === null && facts.mtimeMs < at) continue;
    if (facts !== null && index === before && facts.mtimeMs < at) continue;
    const content = facts?.isFile() === true ? await readRegular(file).catch(() => null) : null;
    const hash = content !== null ? blobHash(content, now.hashName) : facts?.isFile() === false ? index : null;
    if (hash !== before) touched.add(decoded(path));
  }
  return touched;
}

async function byTimes(root: string, { at }: Since): Promise<ReadonlySet<string>> {
  const touched = new Set<string>();
  for await (const path of walkFiles(root, AbortSignal.timeout(60_000))) {
    const facts = await lstat(path).catch(() => null);
    if (facts !== null && facts.mtimeMs >= at) touched.add(path.slice(root.length + 1));
  }
  return touched;
}

/** Git's listing holds bytes. */
function decoded(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}
