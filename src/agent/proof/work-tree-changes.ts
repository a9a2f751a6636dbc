/** What the work tree has changed since a commit, in git's own terms: modes and blobs, taken without running git's filters (B16.1). */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import type { TreeChange, TreeEntry } from "../../core/proof/difference.ts";
import { isVouchedFor, listWithGit, type GitListing } from "../watch/work-tree-git.ts";
import { blobHash, markFiles, pacer, type HashName } from "../watch/work-tree-files.ts";
import { gitText, treeOf, type GitProblem } from "./git-tree.ts";

export interface WorkTreeSince {
  readonly base: string;
  /** In milliseconds: what is older and not in the index is not of this work. */
  readonly at: number;
}

/** Files that git ignores are left out. */
export async function workTreeChanges(
  root: string,
  { base, at }: WorkTreeSince,
): Promise<readonly TreeChange[] | GitProblem> {
  const [then, now, staged] = await Promise.all([treeOf(root, base), listWithGit(root), stagedModes(root)]);
  if ("problem" in then) return then;
  if (now === null || staged === null) return { problem: "git cannot list the files of this folder." };
  if (staged === "unmerged") return { problem: "A merge is under way here: finish it first." };
  const untracked = now.untracked.filter((path) => !path.endsWith("/"));
  const paths = [...new Set([...staged.keys(), ...untracked, ...then.keys()])];
  const look = lookerAt(root, { now, staged, marks: await markFiles(root, paths) });
  const changes: TreeChange[] = [];
  const rest = pacer();
  for (const path of paths) {
    await rest();
    const before = then.get(path) ?? null;
    const found = await look(path);
    if (found === "unreadable") return { problem: `${path} cannot be read.` };
    const { entry: after, mtimeMs } = found;
    const isStaged = !isSame(staged.get(path) ?? null, before);
    if (after !== null && mtimeMs < at && !isStaged) continue;
    if (!isSame(after, before)) changes.push({ path, before, after });
  }
  return changes;
}

interface Looked {
  readonly entry: TreeEntry | null;
  readonly mtimeMs: number;
}

interface LookFacts {
  readonly now: GitListing;
  readonly staged: ReadonlyMap<string, TreeEntry>;
  readonly marks: Awaited<ReturnType<typeof markFiles>>;
}

function lookerAt(root: string, { now, staged, marks }: LookFacts) {
  return async (path: string): Promise<Looked | "unreadable"> => {
    const mark = marks.get(path);
    const index = staged.get(path) ?? null;
    if (index?.mode === submodule) return { entry: index, mtimeMs: Infinity };
    if (mark === undefined || mark.kind === "other") return { entry: null, mtimeMs: Infinity };
    const mtimeMs = Number(mark.mtime / 1_000_000n);
    const mode = mark.kind === "link" ? "120000" : mark.executable ? "100755" : "100644";
    const listed = now.tracked.get(path);
    if (index !== null && listed !== undefined && isVouchedFor(listed, mark, now.indexedAt))
      return { entry: { mode, hash: index.hash }, mtimeMs };
    const hash = await contentHash(Buffer.from(`${root}/`), path, now.hashName);
    return hash === null ? "unreadable" : { entry: { mode, hash }, mtimeMs };
  };
}

/** Null where git cannot be asked. */
async function stagedModes(root: string): Promise<ReadonlyMap<string, TreeEntry> | "unmerged" | null> {
  const listing = await gitText(root, ["ls-files", "-z", "--stage"]);
  if (listing === null) return null;
  const entries = new Map<string, TreeEntry>();
  for (const line of listing.split("\0")) {
    const [, mode, hash, stage, path] = /^(\d{6}) ([0-9a-f]+) (\d)\t([\s\S]+)$/.exec(line) ?? [];
    if (path === undefined) continue;
    if (stage !== "0") return "unmerged";
    entries.set(path, { mode: mode!, hash: hash! });
  }
  return entries;
}

/** As git names a blob, however large; of a link, where it leads. */
async function contentHash(rootBytes: Buffer, path: string, name: HashName): Promise<string | null> {
  const place = Buffer.concat([rootBytes, Buffer.from(path, "latin1")]);
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
