/** Project memory: what AGENTS.md says, from the project root down to the working directory, bounded in size (B8.6). */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { errnoOf, isMissing } from "../host/files/file-error.ts";

export interface MemoryFile {
  /** Relative to the project root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Whether its end was left out. */
  readonly cut: boolean;
}

export interface Memory {
  /** The root's first: the nearer to the working directory, the later. */
  readonly files: readonly MemoryFile[];
  /** Files that were there and not read, each with why; for the person. */
  readonly notes: readonly string[];
}

export interface MemoryPlaces {
  readonly projectRoot: string;
  readonly directory: string;
  /** Bytes in all. */
  readonly limit?: number;
  /** Whether a deny rule on reading covers the file that lies here, under whichever name. */
  readonly isRefused?: (path: string) => Promise<boolean>;
}

/** In each folder AGENTS.md, else CLAUDE.md. Never throws. */
export async function readMemory(places: MemoryPlaces): Promise<Memory> {
  const { projectRoot, directory, limit = 32 * 1024, isRefused = async () => false } = places;
  const root = await realpath(projectRoot).catch(() => projectRoot);
  const start = await realpath(directory).catch(() => directory);
  const found: Found[] = [];
  const notes: string[] = [];
  for (const folder of foldersBetween(root, start)) {
    for (const name of names) {
      const read = await readInside(root, join(folder, name), { limit, isRefused });
      if (read === null) continue;
      if ("why" in read) {
        notes.push(`${shown(root, join(folder, name))} is not used: ${read.why}.`);
        continue;
      }
      if (!found.some(({ real }) => real === read.real)) found.push(read);
      break;
    }
  }
  return { files: withinLimit(found, limit), notes };
}

const names = ["AGENTS.md", "CLAUDE.md"] as const;

interface Found {
  readonly path: string;
  /** Where it really lies. */
  readonly real: string;
  /** At most one byte more than can be used. */
  readonly bytes: Buffer;
}

/** The root, then each folder on the way; the root alone when the directory lies outside. */
function foldersBetween(root: string, directory: string): string[] {
  const steps = relative(root, directory).split(sep);
  if (steps[0] === "" || steps[0] === "..") return [root];
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))];
}

/** Null where there is nothing to read; else the file, or why it is not read. */
async function readInside(
  root: string,
  path: string,
  { limit, isRefused }: Required<Pick<MemoryPlaces, "limit" | "isRefused">>,
): Promise<Found | { readonly why: string } | null> {
  try {
    const real = await realpath(path);
    if ((await isRefused(path)) || (await isRefused(real))) return { why: "a deny rule on reading covers it" };
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
      return { why: "it is a link that leads out of the project" };
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return { why: "it is not a regular file" };
      const { buffer, bytesRead } = await file.read(Buffer.alloc(limit + 1), 0, limit + 1, 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) return { why: "it is not text" };
      if (bytes.toString("utf8").trim() === "") return null;
      return { path: shown(root, path), real, bytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissing(error) ? null : { why: `it cannot be read (${errnoOf(error) ?? "unknown"})` };
  }
}

/** Small files whole; what is left is shared evenly among the large ones. */
function withinLimit(found: readonly Found[], limit: number): MemoryFile[] {
  const shares = new Map<Found, number>();
  let left = limit;
  const rising = found.toSorted((one, other) => one.bytes.length - other.bytes.length);
  for (const [index, file] of rising.entries()) {
    const share = Math.min(file.bytes.length, Math.floor(left / (rising.length - index)));
    shares.set(file, share);
    left -= share;
  }
  return found.map((file) => {
    const share = shares.get(file)!;
    const cut = share < file.bytes.length;
    return {
      path: file.path,
      text: cut ? wholeLines(file.bytes.subarray(0, share)) : file.bytes.toString("utf8"),
      cut,
    };
  });
}

/** Up to the last line break, where there is one; never half a letter. */
function wholeLines(bytes: Buffer): string {
  const end = bytes.lastIndexOf(0x0a);
  if (end > 0) return bytes.toString("utf8", 0, end + 1);
  return new TextDecoder("utf-8").decode(bytes, { stream: true });
}

function shown(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}
