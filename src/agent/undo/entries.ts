/** What lies at a path of the work tree now, reached through no link. */
import type { Stats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { errnoOf } from "../host/files/file-error.ts";
import { readRegular } from "../host/files/read-regular.ts";
import { blobHash, type BytePath, type HashName } from "../watch/work-tree-files.ts";
import { largestKept, type KeptEntry } from "./store.ts";

/** Bytes, so that every name is possible. */
export function placeOfEntry(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(root === "/" ? "/" : `${root}/`, "utf8"), Buffer.from(path, "latin1")]);
}

/** As a person reads it. */
export function shownPath(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Null for a path out of the root. */
export function bytePath(root: string, path: string): BytePath | null {
  const base = root === "/" ? "/" : `${root}/`;
  return path.startsWith(base) && path !== base
    ? Buffer.from(path.slice(base.length), "utf8").toString("latin1")
    : null;
}

/** A look at many entries remembers the folders above them for as long as it lasts. */
export function entryLooker(root: string) {
  const folders = new Map<BytePath, Promise<boolean>>();
  const isFolder = (path: BytePath): Promise<boolean> => {
    if (path === "") return Promise.resolve(true);
    const known = folders.get(path);
    if (known !== undefined) return known;
    const asked = isFolder(parentOf(path)).then(
      async (isAbove) => isAbove && ((await statOf(root, path))?.isDirectory() ?? false),
    );
    folders.set(path, asked);
    return asked;
  };
  return {
    /** Null where nothing is or may be looked at, or a link or a file stands where a folder above should. */
    stat: async (path: BytePath): Promise<Stats | null> =>
      (await isFolder(parentOf(path))) ? statOf(root, path) : null,
  };
}

/** Null: nothing, or a folder. `other`: what is no file and no link, cannot be read, or is too large. */
export async function entryAt(root: string, path: BytePath, hashName: HashName): Promise<KeptEntry | "other" | null> {
  const found = await entryLooker(root).stat(path);
  if (found === null || found.isDirectory()) return null;
  const kept = await contentAt(root, path, found);
  return kept === null ? "other" : { kind: kept.kind, hash: blobHash(kept.content, hashName) };
}

export async function contentAt(
  root: string,
  path: BytePath,
  found: Stats,
): Promise<{ readonly kind: KeptEntry["kind"]; readonly content: Buffer } | null> {
  const place = placeOfEntry(root, path);
  if (found.isSymbolicLink()) {
    const content = await readlink(place, "buffer").catch(() => null);
    return content === null ? null : { kind: "link", content };
  }
  if (!found.isFile() || found.size > largestKept) return null;
  const content = await readRegular(place, { limit: largestKept, direct: true }).catch(() => null);
  return content === null ? null : { kind: (found.mode & 0o100) === 0 ? "file" : "program", content };
}

export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

async function statOf(root: string, path: BytePath): Promise<Stats | null> {
  return lstat(placeOfEntry(root, path)).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  });
}
