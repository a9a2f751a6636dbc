/** Replaces a file of ours in one step: a crash leaves the old content whole (R3.5). */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Temporary file in the same folder, fsync, rename, fsync of the folder. */
export async function replaceFile(path: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Not every file system can; the rename itself has happened. */
async function syncFolder(folder: string): Promise<void> {
  const file = await open(folder).catch(() => null);
  await file?.sync().catch(() => undefined);
  await file?.close();
}
