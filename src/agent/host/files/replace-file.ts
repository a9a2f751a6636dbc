/** A file that is written beside its place first: what fails leaves nothing behind, and nobody sees half of it (R3.5). */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, open, rename, unlink, writeFile, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "./file-error.ts";

/** Replaces a file of ours in one step: temporary file in the same folder, fsync, rename, fsync of the folder. */
export async function replaceFile(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const folder = dirname(path);
  await writeBeside({
    folder,
    mode,
    fill: async (handle) => {
      await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    },
    putInPlace: (temporary) => rename(temporary, path),
  });
  await syncFolder(folder);
}

/** For this person alone, and whole from its first moment on; rejects with EEXIST when it is there already. */
export async function writeNew(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    await writeFile(draft, text, { flag: newFile, mode: 0o600, flush: true });
    await giveName(draft, path);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

/** A further name for a file; rejects with EEXIST when there is one. A copy where the file system has no second names. */
export async function giveName(file: string, name: string): Promise<void> {
  await link(file, name).catch((error: unknown) => {
    if (!withoutLinks.has(errnoOf(error) ?? "")) throw error;
    return copyFile(file, name, constants.COPYFILE_EXCL);
  });
}

const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** A name that nothing has yet, and no link is followed to. */
export const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface FileBeside {
  /** Where it goes in the end, so that putting it in place is one step. */
  readonly folder: string;
  readonly mode: number;
  /** Writes and syncs it. */
  readonly fill: (handle: FileHandle) => Promise<void>;
  readonly putInPlace: (temporary: string) => Promise<void> | void;
}

export async function writeBeside({ folder, mode, fill, putInPlace }: FileBeside): Promise<void> {
  const temporary = `${folder}/.groundplan-${randomBytes(8).toString("hex")}.tmp`;
  const handle = await open(temporary, newFile, mode);
  try {
    await fill(handle);
    await putInPlace(temporary);
  } catch (error) {
    await handle.truncate(0).catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Not every file system can; the rename itself has happened. */
export async function syncFolder(folder: string): Promise<void> {
  const file = await open(folder).catch(() => null);
  await file?.sync().catch(() => undefined);
  await file?.close();
}
