/** What keeps pictures of the work tree, so that files can be brought back: git's objects in a folder of the session, or copies. */
import type { LeftOut } from "../../core/undo.ts";
import type { BytePath, HashName } from "../watch/work-tree-files.ts";

/** One file of a picture; its hash is that of a blob. */
export interface KeptEntry {
  readonly kind: "file" | "program" | "link";
  readonly hash: string;
}

export interface EntryChange {
  readonly path: BytePath;
  /** Null where there is none. */
  readonly before: KeptEntry | null;
  readonly after: KeptEntry | null;
}

export interface TreePicture {
  readonly name: string;
  readonly left: LeftOut;
  /** Of the paths that were asked for, those that it does not hold; and those that were there, and not in the picture before. */
  readonly missed: readonly BytePath[];
}

export interface PointStore {
  readonly kind: "git" | "copies";
  readonly hashName: HashName;
  /** The work tree as it is; where paths are given, only these are looked at and the rest is as in the picture before. Rejects. */
  take(paths: readonly BytePath[] | null): Promise<TreePicture>;
  /** What differs between two pictures, for each pair. Rejects where one is not there any more. */
  changes(pairs: readonly (readonly [from: string, to: string])[]): Promise<readonly (readonly EntryChange[])[]>;
  /** The contents that are there still, by their hashes: of many large ones only the first. */
  read(hashes: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** What pictures may have added to the disk, since it was asked last. */
  written(): number;
  /** Of all pictures these stay, and the newest. */
  keepOnly(names: readonly string[]): Promise<void>;
}

export const notKept = "the files of that time are not kept any more";

export function isSameEntry(one: KeptEntry | null, other: KeptEntry | null): boolean {
  return one?.kind === other?.kind && one?.hash === other?.hash;
}

/** A larger file is left out, and said. */
export const largestKept = 64 * 1024 * 1024;
/** What one picture may add, and all sessions keep together. */
export const mostKept = 1024 * 1024 * 1024;
