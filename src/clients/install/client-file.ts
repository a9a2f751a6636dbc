/** A client's own file: read with all that must be known before it is changed, and replaced in one step with everything else kept. */
import { chown, mkdir, readlink, realpath, rmdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "../../core/error-text.ts";
import { readRegular } from "../../agent/host/files/read-regular.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";

export interface ClientFile {
  /** Where the bytes really are: behind links, which stay. */
  readonly target: string;
  /** Null where there is none. */
  readonly text: string | null;
  /** Of a byte order mark; it is not in the text. */
  readonly mark: string;
  readonly mode: number;
}

/** Words for a person where it must not be touched. */
export type ReadFile = ClientFile | { readonly problem: string };

const limit = 4 * 1024 * 1024;

export async function readClientFile(path: string): Promise<ReadFile> {
  try {
    const target = await targetOf(path);
    const found = await stat(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (found === null) return { target, text: null, mark: "", mode: 0o600 };
    if (!found.isFile()) return { problem: `${path} is not a file.` };
    if (found.size > limit)
      return { problem: `${path} has ${found.size} bytes; more than ${limit} are not looked into.` };
    if ((found.mode & 0o200) === 0) return { problem: `${path} is read-only (chmod u+w makes it writable).` };
    if (found.nlink > 1)
      return { problem: `${path} has ${found.nlink} names (hard links); replacing it would part them.` };
    const text = decoded(await readRegular(target, { limit }));
    if (text === null) return { problem: `${path} is not UTF-8 text.` };
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    return { target, text: text.slice(mark.length), mark, mode: found.mode & 0o7777 };
  } catch (error) {
    return { problem: `${path} cannot be read: ${errorText(error)}.` };
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The end of a chain of links, also where nothing is there yet. */
async function targetOf(path: string, depth = 0): Promise<string> {
  if (depth > 40) throw new Error("too many links");
  const link = await readlink(path).catch(() => null);
  if (link !== null) return targetOf(resolve(await realpath(dirname(path)), link), depth + 1);
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

/** The folders that were made for it, outermost first. Rejects as the system does, and where it is not as it was found. */
export async function writeClientFile(found: ClientFile, text: string): Promise<readonly string[]> {
  const { target, mark, mode } = found;
  await rejectChanged(found);
  const made = await makeFolders(dirname(target));
  const before = await stat(target).catch(() => null);
  await replaceFile(target, mark + text, mode).catch(async (error: unknown) => {
    await removeEmpty(made);
    throw error;
  });
  const owner = process.getuid?.();
  if (before !== null && before.uid !== owner) await chown(target, before.uid, before.gid).catch(() => undefined);
  return made;
}

async function makeFolders(folder: string): Promise<readonly string[]> {
  const found = await stat(folder).catch(() => null);
  if (found !== null || dirname(folder) === folder) return [];
  const above = await makeFolders(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return [...above, folder];
}

export async function removeClientFile(found: ClientFile): Promise<void> {
  await rejectChanged(found);
  await unlink(found.target);
}

/** The client itself may write at any time. */
async function rejectChanged({ target, mark, text }: ClientFile): Promise<void> {
  const now = await readRegular(target, { limit }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const isSame = now === null ? text === null : text !== null && now.equals(Buffer.from(mark + text));
  if (!isSame) throw new Error(`${target} changed meanwhile.`);
}

/** Of these folders those that nothing is in, the innermost first. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  const inner = [...new Set(folders)].toSorted((one, other) => other.length - one.length);
  for (const folder of inner) await rmdir(folder).catch(() => undefined);
}
