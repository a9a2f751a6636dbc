/** What the work tree has changed since a commit, in git's own terms: modes and blobs, taken without running git's filters (B16.1). */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import type { TreeChange, TreeEntry } from "../../core/proof/difference.ts";
import { isVouchedFor, listWithGit, type GitListing } from "../watch/work-tree-git.ts";
import { blobHash, markFiles, pacer, type FileMark, type HashName } from "../watch/work-tree-files.ts";
import { gitText, treeOf, type GitProblem } from "./git-tree.ts";

export interface WorkTreeSince {
  readonly base: string;
  /** In milliseconds: what nobody touched since, by the time that no program can set, and is not in the index, is not of this work. */
  readonly at: number;
}

/** Files that git ignores are left out. */
export async function workTreeChanges(
  root: string,
  { base, at }: WorkTreeSince,
): Promise<readonly TreeChange[] | GitProblem> {
  const [then, now, staged] = await Promise.all([treeOf(root, base), listWithGit(root), stagedEntries(root)]);
  if ("problem" in then) return then;
  if (now === null || staged === null) return { problem: "git cannot list the files of this folder." };
  const untracked = now.untracked.filter((path) => !path.endsWith("/"));
  const paths = [...new Set([...staged.keys(), ...untracked, ...then.keys()])];
  const marks = await markFiles(root, paths);
  const changes: TreeChange[] = [];
  const rest = pacer();
  for (const path of paths) {
    await rest();
    const before = then.get(path) ?? null;
    const index = staged.get(path) ?? null;
    const mark = marks.get(path) ?? null;
    const isOld = mark !== null && Number(mark.ctime / 1_000_000n) < at - clockTickMs;
    if (isOld && index?.mode !== submodule && isSame(index, before)) continue;
    const after = await entryAt(root, path, { index, mark, now });
    if (after === "unreadable") return { problem: `${path} cannot be read.` };
    if (!isSame(after, before)) changes.push({ path, before, after });
  }
  return changes;
}

interface PathFacts {
  readonly index: TreeEntry | null;
  readonly mark: FileMark | null;
  readonly now: GitListing;
}

async function entryAt(
  root: string,
  path: string,
  { index, mark, now }: PathFacts,
): Promise<TreeEntry | null | "unreadable"> {
  if (index?.mode === submodule) return index;
  if (mark === null || mark.kind === "other") return null;
  const mode = mark.kind === "link" ? "120000" : mark.executable ? "100755" : "100644";
  const listed = now.tracked.get(path);
  const isVouched = index !== null && listed !== undefined && isVouchedFor(listed, mark, now.indexedAt);
  const hash = isVouched ? index.hash : await contentHash(root, path, now.hashName);
  return hash === null ? "unreadable" : { mode, hash };
}

/** What the index has by path, while a merge is under way one of the sides; null where git cannot be asked. */
async function stagedEntries(root: string): Promise<ReadonlyMap<string, TreeEntry> | null> {
  const listing = await gitText(root, ["ls-files", "-z", "--stage"]);
  if (listing === null) return null;
  const entries = new Map<string, TreeEntry>();
  for (const line of listing.split("\0")) {
    const [, mode, hash, path] = /^(\d{6}) ([0-9a-f]+) \d\t([\s\S]+)$/.exec(line) ?? [];
    if (path !== undefined) entries.set(path, { mode: mode!, hash: hash! });
  }
  return entries;
}

/** As git names a blob, however large; of a link, where it leads. */
async function contentHash(root: string, path: string, name: HashName): Promise<string | null> {
  const place = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
  try {
    if ((await lstat(place)).isSymbolicLink()) return blobHash(await readlink(place, "buffer"), name);
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      const hash = createHash(name).update(`blob ${size}\0`);
      for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
      return hash.digest("hex");
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

function isSame(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.mode === other?.mode && one?.hash === other?.hash;
}

const submodule = "160000";
/** The times of files are those of a clock that ticks this slowly. */
const clockTickMs = 20;
