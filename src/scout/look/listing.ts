/** Lists the files of a repository: by git where it can, else by walking the folders. */
import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasBlockingIgnore } from "../../agent/host/files/ignore-files.ts";
import { runGit } from "./git.ts";
import { remember } from "./keyed.ts";
import { folderOf } from "./paths.ts";

export interface Listed {
  readonly path: string;
  readonly size: number;
  readonly changed: number;
}

export interface Listing {
  readonly root: string;
  readonly hasGit: boolean;
  readonly files: readonly Listed[];
  /** How long reading them may take. */
  readonly readMs: number;
  readonly notes: readonly string[];
}

const skipped = new Set(
  (
    ".git .hg .svn node_modules bower_components .venv venv __pycache__ .tox .mypy_cache .pytest_cache dist build out " +
    "target .next .nuxt .cache .idea .gradle coverage vendor .terraform"
  ).split(" "),
);
const mostFiles = 200_000;
/** Without git a folder may be anything: a whole home, or `/`. */
const withoutGit = { files: 20_000, walkMs: 3_000, readMs: 8_000 };
const withGit = { listMs: 20_000, readMs: 60_000 };
const notFiles = new Set(["/proc", "/sys", "/dev"]);

export async function list(cwd: string): Promise<Listing> {
  const start = tried(() => realpathSync(cwd));
  if (start === undefined)
    return { root: resolve(cwd), hasGit: false, files: [], readMs: 0, notes: [`${cwd} cannot be read`] };
  const root = rootOf(start);
  if (root === undefined) return fromFolders(start, "not a git repository: history is not used");
  const { listMs, readMs } = withGit;
  const own = ["ls-files", "-t", "-z", "--cached"];
  const isBlocked = await hasBlockingIgnore(root);
  const all = isBlocked ? blocked : await runGit(root, [...own, "--others", "--exclude-standard"], listMs);
  const listed = all.ok ? all : await runGit(root, own, listMs);
  if (!listed.ok) return fromFolders(root, `history is not used: ${listed.reason}`);
  const kept = listed.text.split("\0").filter((entry) => !entry.startsWith("? ") || !isSkipped(entry.slice(2)));
  const paths = [...new Set(kept.map((entry) => entry.slice(2)))].filter((path) => path !== "");
  const { files, notes } = measure(root, paths, mostFiles);
  const why = isBlocked ? blocked.reason : "there is too much beside them";
  const known = all.ok ? [] : [`only files that git knows are used: ${why}`];
  return { root, hasGit: true, files, readMs, notes: [...known, ...notes] };
}

const blocked = { ok: false, reason: "a file that says what to ignore is no file" } as const;

/** Whether a file that git does not know stands in a folder of packages or build results. */
function isSkipped(path: string): boolean {
  return path.split("/").some((step) => skipped.has(step));
}

/** The nearest folder upward that holds `.git`; what a repository's settings say about it is not asked. */
function rootOf(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (statOf(join(folder, ".git")) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** What is near comes first, so that of too much the deepest is left out. */
function fromFolders(root: string, note: string): Listing {
  const { files: most, walkMs, readMs } = withoutGit;
  const end = performance.now() + walkMs;
  const paths: string[] = [];
  const folders = [""];
  let at = 0;
  for (; at < folders.length && paths.length <= most && performance.now() < end; at += 1) {
    const folder = folders[at]!;
    for (const entry of tried(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? []) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name) && !notFiles.has(join(root, path))) folders.push(path);
      else if (entry.isFile()) paths.push(path);
    }
  }
  const { files, notes } = measure(root, paths.slice(0, most).toSorted(), most);
  const left = at < folders.length || paths.length > most ? [tooMuch(files.length)] : [];
  return { root, hasGit: false, files, readMs, notes: [note, ...left, ...notes] };
}

function tooMuch(count: number): string {
  return `too much to look at: only ${count} files, the nearest, are used; go to the project's own folder (cd, --cwd)`;
}

/** Keeps regular files; links, and what stands behind a linked folder, are left alone. */
function measure(
  root: string,
  paths: readonly string[],
  most: number,
): { files: readonly Listed[]; notes: readonly string[] } {
  const isInside: (folder: string) => boolean = remember(
    (folder) => folder === "" || (isInside(folderOf(folder)) && statOf(join(root, folder))?.isDirectory() === true),
  );
  const files: Listed[] = [];
  for (const path of paths) {
    if (!isInside(folderOf(path))) continue;
    const stat = statOf(join(root, path));
    if (stat?.isFile() === true) files.push({ path, size: stat.size, changed: Math.max(stat.mtimeMs, stat.ctimeMs) });
    if (files.length >= most && paths.length > most) return { files, notes: [`only the first ${most} files are used`] };
  }
  return { files, notes: files.length === 0 ? ["there are no files yet"] : [] };
}

function statOf(path: string): Stats | undefined {
  return tried(() => lstatSync(path));
}

/** Nothing where the disk refuses. */
function tried<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
