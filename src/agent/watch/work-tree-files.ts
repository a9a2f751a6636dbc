/** Marks of files: what tells whether a file is the same as before, by its times and, where these differ, its content. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { setImmediate as breathe } from "node:timers/promises";
import { readRegular } from "../host/files/read-regular.ts";

/** Paths are relative to the root, as bytes in a string (latin1), so that every name a file can have is kept. */
export type BytePath = string;

export interface FileMark {
  readonly kind: "file" | "link" | "other";
  readonly size: bigint;
  readonly executable: boolean;
  readonly mtime: bigint;
  readonly ctime: bigint;
  readonly inode: bigint;
}

export type HashName = "sha1" | "sha256";

/** Looks at many files without holding up the program: it rests every few milliseconds. Missing files have no mark. */
export async function markFiles(root: string, paths: Iterable<BytePath>): Promise<Map<BytePath, FileMark>> {
  const marks = new Map<BytePath, FileMark>();
  const rest = pacer();
  for (const path of paths) {
    const mark = markOf(root, path);
    if (mark !== null) marks.set(path, mark);
    await rest();
  }
  return marks;
}

/** To be awaited in long loops: lets everything else have its turn every few milliseconds. */
export function pacer(): () => Promise<void> {
  let rested = performance.now();
  return async () => {
    if (performance.now() - rested < sliceMs) return;
    await breathe();
    rested = performance.now();
  };
}

export function isSameMark(one: FileMark, other: FileMark): boolean {
  return (["kind", "size", "mtime", "ctime", "inode", "executable"] as const).every((key) => one[key] === other[key]);
}

/** The identity of the content as git gives it to a blob; null when it cannot be read or is too large to be worth it. */
export async function hashFile(root: string, path: BytePath, name: HashName): Promise<string | null> {
  const content = await contentOf(root, path);
  return content === null ? null : blobHash(content, name);
}

/** As `hashFile`, for the content as git would keep it where it turns line ends into its own. */
export async function hashWithPlainLineEnds(root: string, path: BytePath, name: HashName): Promise<string | null> {
  const content = await contentOf(root, path);
  if (content === null || !content.includes("\r\n")) return null;
  return blobHash(Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), name);
}

export interface Walked {
  readonly paths: readonly BytePath[];
  readonly isWhole: boolean;
}

/** Every file below a folder, in a fixed order, links not followed, git's own folders left out, up to a limit. */
export async function walk(root: string, start: BytePath, limit: number): Promise<Walked> {
  const paths: BytePath[] = [];
  const folders: BytePath[] = [start];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(absolute(root, folder), { withFileTypes: true, encoding: "buffer" }).catch(() => []);
    const named = entries.map((entry) => ({ entry, name: entry.name.toString("latin1") }));
    for (const { entry, name } of named.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (entry.isDirectory()) {
        if (name !== ".git") folders.push(path);
        continue;
      }
      if (paths.length === limit) return { paths, isWhole: false };
      paths.push(path);
    }
    if (folders.length > limit) return { paths, isWhole: false };
  }
  return { paths, isWhole: true };
}

export function absolute(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(path === "" ? root : `${root}/`, "utf8"), Buffer.from(path, "latin1")]);
}

function markOf(root: string, path: BytePath): FileMark | null {
  try {
    const found = lstatSync(absolute(root, path), { bigint: true });
    const isFolder = found.isDirectory();
    return {
      kind: found.isFile() ? "file" : found.isSymbolicLink() ? "link" : "other",
      size: isFolder ? 0n : found.size,
      executable: found.isFile() && (found.mode & 0o100n) !== 0n,
      mtime: isFolder ? 0n : found.mtimeNs,
      ctime: isFolder ? 0n : found.ctimeNs,
      inode: found.ino,
    };
  } catch {
    return null;
  }
}

/** Of a link, where it leads. */
async function contentOf(root: string, path: BytePath): Promise<Buffer | null> {
  const place = absolute(root, path);
  const bounds = { limit: largest, direct: true };
  return readRegular(place, bounds).catch(() => readlink(place, "buffer").catch(() => null));
}

export function blobHash(content: Buffer, name: HashName): string {
  return createHash(name).update(`blob ${content.length}\0`).update(content).digest("hex");
}

const sliceMs = 4;
const largest = 16 * 1024 * 1024;
