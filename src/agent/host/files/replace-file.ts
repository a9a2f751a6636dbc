/** A file that is written beside its place first: what fails leaves nothing behind, and nobody sees half of it (R3.5). */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, unlink, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

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
