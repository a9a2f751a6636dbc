/** Files that a picture is the first to hold and that were there before: ignored until now, too large, in a repository inside, or moved in from such a place. No work made them, so no undo may remove them (B15.3). */
import { lstat } from "node:fs/promises";
import type { BytePath } from "../watch/work-tree-files.ts";
import { parseIndex } from "../watch/work-tree-git.ts";
import { placeOfEntry } from "./entries.ts";
import type { OwnGit } from "./git-ground.ts";

/** A file or link that the picture before does not hold. */
export interface FreshFile {
  readonly path: BytePath;
  /** In milliseconds; where the file system does not know, when it was changed last. */
  readonly bornAt: number;
}

export interface PictureBefore {
  /** In milliseconds. */
  readonly takenAt: number;
  /** What it left out: files that are too large, repositories inside. */
  readonly left: readonly BytePath[];
}

/** To be asked while the index is that of the picture before: a file that it knows by another name was only renamed. */
export async function strangersAmong(
  fresh: readonly FreshFile[],
  { takenAt, left }: PictureBefore,
  { root, git }: { readonly root: string; readonly git: OwnGit },
): Promise<readonly BytePath[]> {
  const wasLeft = (path: BytePath): boolean => left.some((one) => path === one || path.startsWith(`${one}/`));
  const sure = fresh.filter(({ path }) => wasLeft(path)).map(({ path }) => path);
  const old = fresh.filter(({ path, bornAt }) => bornAt < takenAt - clockTickMs && !wasLeft(path));
  if (old.length === 0) return sure;
  const index = await parseIndex(await git(["ls-files", "-z", "--stage", "--debug"]));
  const known = new Set([...index.values()].map(({ inode }) => inode));
  for (const { path } of old) {
    const facts = await lstat(placeOfEntry(root, path), { bigint: true }).catch(() => null);
    if (facts !== null && !known.has(facts.ino % 2n ** 32n)) sure.push(path);
  }
  return sure;
}

/** The times of files are those of a clock that ticks this slowly. */
const clockTickMs = 20;
