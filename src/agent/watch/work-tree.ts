/** The record of what changed in the work tree between two moments, for the proof that planning changed nothing (B1.6). */
import { isInside } from "../../core/decide/access.ts";
import {
  hashFile,
  hashWithPlainLineEnds,
  isSameMark,
  markFiles,
  pacer,
  walk,
  type BytePath,
  type FileMark,
  type HashName,
  type Walked,
} from "./work-tree-files.ts";
import { isVouchedFor, listWithGit, type GitListing } from "./work-tree-git.ts";

export interface WorkTreeSnapshot {
  readonly kind: "git" | "folder";
  readonly files: ReadonlyMap<BytePath, KeptMark>;
  readonly hashName: HashName;
  /** Whether every file was looked at. */
  readonly isWhole: boolean;
  readonly takenAt: number;
  /** How many files outside of git's index are looked at. */
  readonly limit: number;
}

export interface KeptMark {
  readonly mark: FileMark;
  /** What the content was: by the index, by reading it, or not known. */
  readonly hash: string | null;
  readonly byIndex: boolean;
}

export type WorkTreeWatch = ReturnType<typeof watchWorkTree>;

/** What changed while planning: begun at entry, asked at submission, ended at exit. `exclude` as for the comparison: the plans. */
export function watchWorkTree(root: string, exclude: readonly string[]) {
  let begun: Promise<WorkTreeSnapshot | null> | null = null;
  /** What differs from the first picture; empty while nothing was begun. */
  const changed = async (): Promise<readonly string[]> =>
    begun === null ? [] : compareWorkTree(await begun, root, exclude);
  return {
    /** Takes the first picture in the background. */
    begin: (): void => void (begun ??= snapshotWorkTree(root)),
    changed,
    /** What begins while the pictures are compared is another one. */
    end: (): Promise<readonly string[]> => {
      const result = changed();
      begun = null;
      return result;
    },
  };
}

/** Never throws, and rests often: it may run beside a turn. Null when the folder cannot be looked at. */
export async function snapshotWorkTree(root: string, limit = 20_000): Promise<WorkTreeSnapshot | null> {
  try {
    const taking = { takenAt: Date.now(), limit };
    const listing = await listWithGit(root);
    return listing === null ? await folderSnapshot(root, taking) : await gitSnapshot(root, listing, taking);
  } catch {
    return null;
  }
}

/** Relative to the root, with slashes, sorted; `exclude`: absolute paths that do not count, with all below them. Never throws. */
export async function compareWorkTree(
  before: WorkTreeSnapshot | null,
  root: string,
  exclude: readonly string[] = [],
): Promise<readonly string[]> {
  return before === null ? [] : changesSince(before, root, exclude).catch(() => []);
}

async function changesSince(
  before: WorkTreeSnapshot,
  root: string,
  exclude: readonly string[],
): Promise<readonly string[]> {
  const listing = before.kind === "git" ? await listWithGit(root) : null;
  const listed = await listedNow(root, before, listing);
  const marks = await markFiles(root, new Set([...before.files.keys(), ...listed.paths]));
  const changed: string[] = [];
  const rest = pacer();
  for (const path of new Set([...before.files.keys(), ...marks.keys()])) {
    await rest();
    const now = marks.get(path);
    const was = before.files.get(path);
    const differs =
      was === undefined ? isNew(now!, before) : await isChanged({ root, path, was, now }, before.hashName);
    if (!differs) continue;
    const shown = Buffer.from(path, "latin1").toString("utf8");
    if (!exclude.some((excluded) => isInside(`${root}/${shown}`, excluded))) changed.push(shown);
  }
  return changed.toSorted().slice(0, shownLimit);
}

/** Where git has gone meanwhile, only what it told before is looked at: it can no longer say what is ignored. */
async function listedNow(root: string, before: WorkTreeSnapshot, listing: GitListing | null): Promise<Walked> {
  if (listing !== null) return pathsOf(root, listing, before.limit);
  return before.kind === "git" ? { paths: [], isWhole: true } : walk(root, "", before.limit);
}

interface Comparison {
  readonly root: string;
  readonly path: BytePath;
  readonly was: KeptMark;
  readonly now: FileMark | undefined;
}

/** Times first; the content only where they differ. */
async function isChanged({ root, path, was, now }: Comparison, name: HashName): Promise<boolean> {
  if (now === undefined) return true;
  if (isSameMark(was.mark, now)) return false;
  if (was.mark.kind === "other" && now.kind === "other") return false;
  const { kind, size, executable } = was.mark;
  if (was.hash === null || now.kind !== kind || now.size !== size || now.executable !== executable) return true;
  if ((await hashFile(root, path, name)) === was.hash) return false;
  return !was.byIndex || (await hashWithPlainLineEnds(root, path, name)) !== was.hash;
}

/** A file that was not there; where not all had been looked at, only one that is young for certain. */
function isNew(now: FileMark, before: WorkTreeSnapshot): boolean {
  return before.isWhole || Number(now.ctime / 1_000_000n) >= before.takenAt - 1000;
}

type Taking = Pick<WorkTreeSnapshot, "takenAt" | "limit">;

async function gitSnapshot(root: string, listing: GitListing, taking: Taking): Promise<WorkTreeSnapshot> {
  const { paths, isWhole } = await pathsOf(root, listing, taking.limit);
  const marks = await markFiles(root, paths);
  const files = new Map<BytePath, KeptMark>();
  const rest = pacer();
  let budget = hashBudget;
  for (const [path, mark] of marks) {
    await rest();
    const entry = listing.tracked.get(path);
    if (entry !== undefined && isVouchedFor(entry, mark, listing.indexedAt)) {
      files.set(path, { mark, hash: entry.hash, byIndex: true });
      continue;
    }
    const isWorthIt = mark.kind !== "other" && mark.size <= budget;
    if (isWorthIt) budget -= mark.size;
    const hash = isWorthIt ? await hashFile(root, path, listing.hashName) : null;
    files.set(path, { mark, hash, byIndex: false });
  }
  return { kind: "git", files, hashName: listing.hashName, isWhole, ...taking };
}

async function folderSnapshot(root: string, taking: Taking): Promise<WorkTreeSnapshot> {
  const { paths, isWhole } = await walk(root, "", taking.limit);
  const marks = await markFiles(root, paths);
  const files = new Map([...marks].map(([path, mark]) => [path, { mark, hash: null, byIndex: false }]));
  return { kind: "folder", files, hashName: "sha1", isWhole, ...taking };
}

/** Tracked files, untracked ones, and what lies in repositories inside. */
async function pathsOf(root: string, { tracked, untracked }: GitListing, limit: number): Promise<Walked> {
  const inner = [
    ...[...tracked].flatMap(([path, { hash }]) => (hash === "" ? [path] : [])),
    ...untracked.flatMap((path) => (path.endsWith("/") ? [path.slice(0, -1)] : [])),
  ];
  const loose = untracked.filter((path) => !path.endsWith("/"));
  const paths = [...[...tracked.keys()].filter((path) => tracked.get(path)!.hash !== ""), ...loose.slice(0, limit)];
  let isWhole = loose.length <= limit;
  for (const folder of inner) {
    const found = await walk(root, folder, limit);
    for (const path of found.paths) paths.push(path);
    isWhole &&= found.isWhole;
  }
  return { paths, isWhole };
}

const shownLimit = 1000;
const hashBudget = 128n * 1024n * 1024n;
