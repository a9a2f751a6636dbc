/** A folder held open, so that what happens in it happens in the judged folder, whatever its path leads to by then. */
import { constants, fstatSync, realpathSync, statSync } from "node:fs";
import { lstat, mkdir, open, readlink, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { FileError, asFileError, errnoOf, isMissing } from "./file-error.ts";

export interface Anchor {
  /** The path under which the folder's entries are reached; through the open handle where the system can. */
  readonly base: string;
  /** Throws `swapped` when the path no longer leads to the folder that is held. */
  check(): Promise<void>;
  /** The same at once, for the moment before a file is put in place; not needed where entries are reached through the handle. */
  checkNow(): void;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Where an open handle really leads; undefined where the system does not say. */
export type PathOfHandle = (handle: FileHandle) => Promise<string | undefined>;

/** `folder` is canonical; missing parts are made, each inside the one held before. */
export async function holdFolder(folder: string, pathOf: PathOfHandle): Promise<Anchor> {
  try {
    return await anchorAt(folder, await openFolder(folder), pathOf);
  } catch (error) {
    if (!isMissing(error)) throw asFileError(error, folder);
  }
  if (folder === dirname(folder)) throw new FileError("missing", folder);
  const parent = await holdFolder(dirname(folder), pathOf);
  try {
    const inside = `${parent.base}/${basename(folder)}`;
    await mkdir(inside).catch((error: unknown) => {
      if (errnoOf(error) !== "EEXIST") throw error;
    });
    return await anchorAt(folder, await openFolder(inside), pathOf);
  } catch (error) {
    throw errnoOf(error) === "ENOTDIR" ? await inTheWay(folder, error) : asFileError(error, folder);
  } finally {
    await parent.close();
  }
}

/** Something stands where the folder should be. */
async function inTheWay(folder: string, cause: unknown): Promise<FileError> {
  const found = await lstat(folder).catch(() => null);
  return new FileError(found?.isSymbolicLink() === false ? "not-a-folder" : "symlink", folder, { cause });
}

export function pathOfHandle(handle: FileHandle): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
}

/** Whether the handle is the file that stands at this canonical path now, reached through no link. */
export async function isStillAt(handle: FileHandle, path: string, pathOf: PathOfHandle): Promise<boolean> {
  const known = await pathOf(handle);
  return known === undefined ? isSame(path, handle) : known === path;
}

/** In one go, and the path on both sides of it: nothing of this process can come between. */
function isSame(path: string, handle: FileHandle): boolean {
  try {
    const isPlain = realpathSync.native(path) === path;
    const there = statSync(path);
    const held = fstatSync(handle.fd);
    return isPlain && there.ino === held.ino && there.dev === held.dev && realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

function openFolder(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function anchorAt(folder: string, handle: FileHandle, pathOf: PathOfHandle): Promise<Anchor> {
  const check = async (): Promise<void> => {
    if (!(await isStillAt(handle, folder, pathOf))) throw new FileError("swapped", folder);
  };
  try {
    await check();
  } catch (error) {
    await handle.close();
    throw error;
  }
  const isReachable = (await pathOf(handle)) !== undefined;
  return {
    base: isReachable ? `/proc/self/fd/${handle.fd}` : folder,
    check,
    checkNow() {
      if (!isReachable && !isSame(folder, handle)) throw new FileError("swapped", folder);
    },
    /** Some file systems cannot sync a folder; the content itself is safe by then. */
    sync: () => handle.sync().catch(() => undefined),
    close: () => handle.close(),
  };
}
