/** Writing so that a crash, a race or a planted link leaves either the old file or the new one, and nothing beside them (R3.5, R3.6). */
import { createHash } from "node:crypto";
import { closeSync, constants, linkSync, lstatSync, openSync, readFileSync, renameSync, unlinkSync } from "node:fs";
import type { Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { WriteOptions } from "../../ports/ports.ts";
import { holdFolder, type PathOfHandle } from "./anchor.ts";
import { FileError, asFileError, errnoOf } from "./file-error.ts";
import { newFile, writeBeside } from "./replace-file.ts";

export interface AtomicOptions extends WriteOptions {
  readonly pathOf: PathOfHandle;
}

export async function writeAtomically(path: string, text: string, options: AtomicOptions): Promise<void> {
  const folder = await holdFolder(dirname(path), options.pathOf);
  const target = `${folder.base}/${basename(path)}`;
  try {
    const old = lookAt(target, path, options);
    await writeBeside({
      folder: folder.base,
      mode: options.mode ?? 0o666,
      fill: async (handle) => {
        await folder.check();
        await fillFile(handle, text, { old, mode: options.mode });
        await folder.check();
      },
      putInPlace: (temporary) => {
        folder.checkNow();
        putInPlace(temporary, target, { path, options });
      },
    });
    await folder.sync();
  } catch (error) {
    throw asFileError(error, path);
  } finally {
    await folder.close();
  }
}

/** False when something of that name is there already. */
export async function claimFile(path: string, pathOf: PathOfHandle): Promise<boolean> {
  const folder = await holdFolder(dirname(path), pathOf);
  try {
    const handle = await open(`${folder.base}/${basename(path)}`, newFile, 0o600);
    await handle.close();
    await folder.check();
    await folder.sync();
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST" || errnoOf(error) === "ELOOP") return false;
    throw asFileError(error, path);
  } finally {
    await folder.close();
  }
}

export function releaseFile(path: string): void {
  try {
    const found = lstatSync(path);
    if (found.isFile() && found.size === 0) unlinkSync(path);
  } catch {
    return;
  }
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** In one go, so that of two writers in this process the second sees what the first wrote. */
function putInPlace(
  temporary: string,
  target: string,
  { path, options }: { readonly path: string; readonly options: WriteOptions },
): void {
  lookAt(target, path, options);
  if (options.expectedHash === null) return linkNew(temporary, target, path);
  if (options.expectedHash !== undefined && hashOf(target) !== options.expectedHash) {
    throw new FileError("changed", path);
  }
  renameSync(temporary, target);
}

async function fillFile(
  handle: FileHandle,
  text: string,
  { old, mode }: { readonly old: Stats | null; readonly mode: number | undefined },
): Promise<void> {
  await handle.writeFile(text, "utf8");
  if (old !== null) {
    const fresh = await handle.stat();
    if (fresh.uid !== old.uid || fresh.gid !== old.gid) {
      await handle.chown(old.uid, old.gid).catch(() => undefined);
    }
    await handle.chmod(mode ?? old.mode & 0o7777);
  }
  await handle.sync();
}

/** What stands there now, if it may be replaced at all. */
function lookAt(target: string, path: string, options: WriteOptions): Stats | null {
  const stat = lstatSync(target, { throwIfNoEntry: false });
  if (stat === undefined) {
    if (typeof options.expectedHash === "string") throw new FileError("changed", path);
    return null;
  }
  if (stat.isSymbolicLink()) throw new FileError("symlink", path);
  if (!stat.isFile()) throw new FileError("not-a-file", path);
  if (options.refuseHardLinks === true && stat.nlink > 1) throw new FileError("hard-link", path);
  if (options.expectedHash === null) throw new FileError("exists", path);
  return stat;
}

function hashOf(target: string): string {
  const descriptor = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return hashBytes(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** A second name is made only where there is none yet, by the system itself. */
function linkNew(temporary: string, target: string, path: string): void {
  try {
    linkSync(temporary, target);
    unlinkSync(temporary);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") throw new FileError("exists", path, { cause: error });
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "ENOSYS") throw error;
    closeSync(openSync(target, newFile));
    renameSync(temporary, target);
  }
}
