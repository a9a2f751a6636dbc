/** What git knows of a work tree, asked without running anything that the repository brings (B1.5). */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { hasBlockingIgnore } from "../host/files/ignore-files.ts";
import { ownEnvironment } from "../host/launch/environment.ts";
import { askGit } from "../host/launch/own-git.ts";
import { pacer, type BytePath, type FileMark, type HashName } from "./work-tree-files.ts";

export interface GitListing {
  readonly tracked: ReadonlyMap<BytePath, IndexEntry>;
  /** Not ignored; a folder that is a repository of its own ends in a slash. */
  readonly untracked: readonly BytePath[];
  readonly hashName: HashName;
  /** When the index was written, in nanoseconds: entries not older than that prove nothing. */
  readonly indexedAt: bigint;
}

export interface IndexEntry {
  /** The blob; empty for a submodule. */
  readonly hash: string;
  readonly size: bigint | null;
  readonly mtime: bigint | null;
  readonly inode: bigint | null;
}

/** Null when this is no work tree of git, or git cannot be asked. */
export async function listWithGit(root: string): Promise<GitListing | null> {
  if (await hasBlockingIgnore(root)) return null;
  const [staged, others, index] = await Promise.all([
    git(root, ["ls-files", "-z", "--stage", "--debug"]),
    git(root, ["ls-files", "-z", "--others", "--exclude-standard"]),
    git(root, ["rev-parse", "--git-path", "index"]),
  ]);
  if (staged === null || others === null || index === null) return null;
  const tracked = await parseIndex(staged);
  const written = await stat(resolve(root, index.trimEnd()), { bigint: true }).catch(() => null);
  const [first] = tracked.values();
  return {
    tracked,
    untracked: others.split("\0").filter((path) => path !== ""),
    hashName: first?.hash.length === 64 ? "sha256" : "sha1",
    indexedAt: written?.mtimeNs ?? 0n,
  };
}

/** Whether the index vouches for the file's content: it looked at this very file, well before the index was written. */
export function isVouchedFor(entry: IndexEntry, mark: FileMark, indexedAt: bigint): boolean {
  if (mark.kind === "other" || entry.mtime === null || entry.mtime >= indexedAt) return false;
  const size = mark.size % 2n ** 32n;
  return entry.size === size && entry.mtime === mark.mtime && entry.inode === mark.inode % 2n ** 32n;
}

/** `mode hash stage<TAB>path<NUL>`, each followed by lines of details, whose form git does not promise. */
export async function parseIndex(output: string): Promise<Map<BytePath, IndexEntry>> {
  const entries = new Map<BytePath, IndexEntry>();
  const rest = pacer();
  let part = "";
  for (let from = 0, to = output.indexOf("\0"); from < output.length; from = to + 1, to = output.indexOf("\0", from)) {
    if (to === -1) to = output.length;
    const next = output.slice(from, to);
    addEntry(entries, part, next);
    part = next;
    await rest();
  }
  addEntry(entries, part, "");
  return entries;
}

function addEntry(entries: Map<BytePath, IndexEntry>, part: string, details: string): void {
  const match = /^(?: {2}[^\n]*\n)*(\d{6}) ([0-9a-f]+) \d\t([\s\S]+)$/.exec(part);
  if (match === null) return;
  const [, mode, hash, path] = match;
  const [, seconds, nanoseconds, inode, size] = detailed.exec(details) ?? [];
  entries.set(path!, {
    hash: mode === submodule ? "" : hash!,
    mtime: seconds === undefined ? null : BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds!),
    inode: inode === undefined ? null : BigInt(inode),
    size: size === undefined ? null : BigInt(size),
  });
}

const detailed =
  /^ {2}ctime: [\d:]+\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: [^\n]*\n {2}size: (\d+)\t/;

/** The output as bytes in a string; null when it failed. */
async function git(root: string, args: readonly string[]): Promise<string | null> {
  const place = { directory: root, environment: ownEnvironment(root), timeoutMs: 30_000 };
  const { code, bytes, isCut } = await askGit(args, place);
  return code === 0 && !isCut ? bytes.toString("latin1") : null;
}

const submodule = "160000";
