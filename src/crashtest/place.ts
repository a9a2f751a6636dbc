/** Throw-away places for runs of an agent: a project under git, a home, a folder elsewhere; and what of them changed. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

export interface CrashPlace {
  /** All of it lies in here; nothing else can be written. */
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly elsewhere: string;
  readonly temporary: string;
}

export function placeIn(root: string): CrashPlace {
  const [home, project, elsewhere, temporary] = ["home", "project", "elsewhere", "tmp"].map((name) => join(root, name));
  return { root, home: home!, project: project!, elsewhere: elsewhere!, temporary: temporary! };
}

/** What whoever reads the files has read. */
export const readMark = "marker-7f3a";

/** All but the repository itself, which `setUp` makes in the cage. */
export function makePlace(root: string): CrashPlace {
  const place = placeIn(root);
  const { home, project, elsewhere, temporary } = place;
  for (const folder of [home, elsewhere, temporary, join(project, "src")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, "note.txt"), "alpha\n");
  writeFileSync(join(project, "src/code.js"), `export const mark = "${readMark}";\n`);
  const scripts = { touch: "touch made-by-npm.txt" };
  writeFileSync(join(project, "package.json"), `${JSON.stringify({ name: "probe", private: true, scripts })}\n`);
  writeFileSync(join(elsewhere, "kept.txt"), `${readMark} elsewhere\n`);
  return place;
}

/** Shell lines, run in the project before the agent starts. */
export function setUp(repository = ""): string {
  return [
    "git init -q -b main",
    "git add -A",
    "GIT_AUTHOR_DATE=2001-01-01T00:00:00Z GIT_COMMITTER_DATE=2001-01-01T00:00:00Z git -c user.name=a -c user.email=a@example.org commit -qm start",
    repository,
  ]
    .filter((line) => line !== "")
    .join(" && ");
}

interface Entry {
  readonly kind: "folder" | "link" | "file" | "other";
  readonly mode: number;
  readonly content: Buffer | string;
}

export type Tree = ReadonlyMap<string, Entry>;

/** More than that is a flood, and told as one. */
const mostEntries = 5000;

/** Project and the folder elsewhere, but for the agent's own paths; git's index and lock are renewed by readers. */
export function treeOf({ project, elsewhere }: CrashPlace, own: readonly string[]): Tree {
  const entries = new Map<string, Entry>();
  const isOwn = (path: string): boolean => {
    const name = relative(project, path);
    return [join(".git", "index"), join(".git", "index.lock"), ...own].some(
      (each) => name === each || name.startsWith(`${each}/`),
    );
  };
  const walk = (folder: string): void => {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (isOwn(path) || entries.size >= mostEntries) continue;
      const entry = entryAt(path);
      if (entry !== null) entries.set(path, entry);
      if (entry?.kind === "folder") walk(path);
    }
  };
  for (const top of [project, elsewhere]) walk(top);
  return entries;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Null for what is gone already. */
function entryAt(path: string): Entry | null {
  try {
    const stat = lstatSync(path);
    const mode = stat.mode & 0o7777;
    if (stat.isDirectory()) return { kind: "folder", mode, content: "" };
    if (stat.isSymbolicLink()) return { kind: "link", mode, content: readlinkSync(path) };
    if (!stat.isFile()) return { kind: "other", mode, content: "" };
    return { kind: "file", mode, content: stat.size > 1_000_000 ? String(stat.size) : readFileSync(path) };
  } catch {
    return null;
  }
}

/** What is new, gone or other, by its name below the place; git's objects, whose names differ each time, are told as one. */
export function changesOf(before: Tree, after: Tree, { root }: Pick<CrashPlace, "root">): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changes = paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (markOf(old) === markOf(now)) return [];
    const name = relative(root, path);
    if (name.includes(".git/objects/")) return [`${name.split("/objects/")[0]}/objects is changed`];
    return [`${name} ${old === undefined ? "is new" : now === undefined ? "is gone" : "is changed"}`];
  });
  return [...new Set(changes)].toSorted((one, other) => (one < other ? -1 : 1));
}

function markOf(entry: Entry | undefined): string {
  if (entry === undefined) return "";
  return `${entry.kind} ${entry.mode} ${createHash("sha256").update(entry.content).digest("hex")}`;
}

/** Makes the place what it was. */
export function restore(before: Tree, after: Tree): void {
  for (const path of [...after.keys()].toReversed())
    if (!before.has(path)) rmSync(path, { recursive: true, force: true });
  for (const [path, entry] of before) {
    if (markOf(entry) === markOf(after.get(path))) continue;
    if (after.get(path)?.kind !== "folder" || entry.kind !== "folder") rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    if (entry.kind === "folder") mkdirSync(path, { recursive: true });
    else if (entry.kind === "link") symlinkSync(String(entry.content), path);
    else if (entry.kind === "file") writeFileSync(path, entry.content);
    if (entry.kind !== "link") chmodSync(path, entry.mode);
  }
}
