/** Files in memory: the Files port over a map, with symlinks, for tests that touch no disk. */
import { posix } from "node:path";
import type { Files, FileStat } from "../agent/ports/ports.ts";
import { hashText } from "../core/plan/hash.ts";

export interface MemoryFiles extends Files {
  /** Path to content; change it as another program would. */
  readonly contents: Map<string, string>;
  /** Path to target. */
  readonly links: Map<string, string>;
}

export function memoryFiles(initial: Readonly<Record<string, string>> = {}): MemoryFiles {
  const contents = new Map(Object.entries(initial));
  const links = new Map<string, string>();
  let clock = 1;
  const times = new Map<string, number>();

  const follow = (path: string): string => {
    const parts = path.split("/").slice(1);
    return parts.reduce((sofar, part) => {
      const next = posix.join(sofar, part);
      const target = links.get(next);
      return target === undefined ? next : follow(posix.resolve(sofar, target));
    }, "/");
  };
  const stat = (path: string): FileStat | null => {
    if (links.has(path)) return { kind: "symlink", size: 0, mtimeMs: 0, links: 1 };
    const text = contents.get(path);
    if (text !== undefined) {
      return { kind: "file", size: Buffer.byteLength(text), mtimeMs: times.get(path) ?? 0, links: 1 };
    }
    const isFolder = [...contents.keys()].some((name) => name.startsWith(`${path === "/" ? "" : path}/`));
    return isFolder ? { kind: "directory", size: 0, mtimeMs: 0, links: 1 } : null;
  };

  return {
    contents,
    links,
    canonical: async (path, directory) => follow(posix.resolve(directory, path.replace(/^~(?=\/|$)/, "/home/ada"))),
    stat: async (path) => stat(path),
    async readBytes(path, { offset = 0, limit } = {}) {
      const text = contents.get(path);
      if (text === undefined) throw new Error(`ENOENT: no such file: ${path}`);
      return Buffer.from(text).subarray(offset, limit === undefined ? undefined : offset + limit);
    },
    async writeText(path, text, { expectedHash } = {}) {
      if (follow(path) !== path) throw new Error(`${path} is reached through a symlink.`);
      const present = contents.get(path);
      if (expectedHash !== undefined) {
        const hash = present === undefined ? null : hashText(present);
        if (hash !== expectedHash) throw new Error(`${path} changed since it was read.`);
      }
      contents.set(path, text);
      times.set(path, (clock += 1));
    },
    async claim(path) {
      if (contents.has(path) || links.has(path)) return false;
      contents.set(path, "");
      return true;
    },
    release(path) {
      if (contents.get(path) === "") contents.delete(path);
    },
  };
}
