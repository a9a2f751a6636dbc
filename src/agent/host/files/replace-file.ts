/** Replaces a file of ours in one step: a crash leaves the old content whole (R3.5). */
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { writeBeside } from "./new-file.ts";

/** Temporary file in the same folder, fsync, rename, fsync of the folder. */
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

/** Not every file system can; the rename itself has happened. */
export async function syncFolder(folder: string): Promise<void> {
  const file = await open(folder).catch(() => null);
  await file?.sync().catch(() => undefined);
  await file?.close();
}
