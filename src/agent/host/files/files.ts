/** The Files port on this machine's file system. */
import { constants } from "node:fs";
import { lstat, open, readdir, type FileHandle } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Files, FileStat } from "../../ports/ports.ts";
import { isStillAt, pathOfHandle, type PathOfHandle } from "./anchor.ts";
import { claimFile, releaseFile, writeAtomically } from "./atomic-write.ts";
import { canonicalPath } from "./canonical.ts";
import { FileError, asFileError, isMissing } from "./file-error.ts";
import { refusedFiles, type OwnPlaces } from "./refused-files.ts";
import type { KeptFolders } from "./refused-walk.ts";

export interface FilesOptions {
  /** What `~` stands for; the account's home otherwise. */
  readonly home?: string;
  /** For systems that do not tell where an open file stands: paths are then compared before and after. */
  readonly pathOf?: PathOfHandle;
  /** What no tool reads. */
  readonly own?: OwnPlaces;
}

export function createFiles({ home, own, pathOf = pathOfHandle }: FilesOptions = {}): Files {
  return {
    canonical: (path, directory) => canonicalPath(path, directory, home),
    stat: async (path) => statFile(checked(path)),
    readBytes: async (path, { offset = 0, limit = Infinity } = {}) =>
      readFileBytes(checked(path), { offset, limit }, pathOf),
    writeText: async (path, text, write) => writeAtomically(checked(path), text, { ...write, pathOf }),
    claim: async (path) => claimFile(checked(path), pathOf),
    release: (path) => releaseFile(checked(path)),
    list: async (path) => listFolder(checked(path)),
    refused: rememberBriefly(own),
  };
}

type Refused = NonNullable<Files["refused"]>;

/** One look at the disk serves the calls of a moment. */
function rememberBriefly(own: OwnPlaces | undefined): Refused {
  const kept: KeptFolders = new Map();
  let last: { readonly key: string; readonly at: number; readonly found: ReturnType<Refused> } | null = null;
  return (globs, roots) => {
    const key = JSON.stringify([globs, roots]);
    /** Not `performance`: a hook, which lives for one call, would load that module for it. */
    const now = process.uptime();
    if (last === null || last.key !== key || now - last.at > moment)
      last = { key, at: now, found: refusedFiles({ globs, roots, kept, own }) };
    return last.found;
  };
}

/** In seconds. */
const moment = 1;

/** A file that is replaced while we open it is opened anew; more often than this it is no accident. */
const tries = 3;
const chunk = 1024 * 1024;
/** Not blocking: a pipe in a file's place must not hold us. */
const judged = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function statFile(path: string): Promise<FileStat | null> {
  try {
    const stat = await lstat(path);
    const kind = stat.isFile()
      ? "file"
      : stat.isDirectory()
        ? "directory"
        : stat.isSymbolicLink()
          ? "symlink"
          : "other";
    return { kind, size: stat.size, mtimeMs: stat.mtimeMs, links: stat.nlink };
  } catch (error) {
    if (isMissing(error)) return null;
    throw asFileError(error, path);
  }
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

async function readFileBytes(path: string, range: Range, pathOf: PathOfHandle): Promise<Uint8Array> {
  for (let tried = 1; ; tried += 1) {
    const handle = await open(path, judged).catch((error: unknown) => Promise.reject(asFileError(error, path)));
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new FileError("not-a-file", path);
      if (await isStillAt(handle, path, pathOf)) return await readRange(handle, range, stat.size);
      if (tried === tries) throw new FileError("swapped", path);
    } catch (error) {
      throw asFileError(error, path);
    } finally {
      await handle.close();
    }
  }
}

/** `size`: as the system says; some files (in /proc) hold more than that. */
async function readRange(handle: FileHandle, { offset, limit }: Range, size: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const expected = Math.max(4096, size - offset - length + 1);
    const buffer = Buffer.allocUnsafe(Math.min(chunk, limit - length, expected));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset + length);
    if (bytesRead === 0) break;
    parts.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw asFileError(error, path);
  }
}

function checked(path: string): string {
  if (!isAbsolute(path) || path.includes("\0")) throw new FileError("bad-path", path.replaceAll("\0", "␀"));
  return path;
}
