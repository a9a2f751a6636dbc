/** Where programs are looked for: never in the project, in a work tree above it, or in a folder of packages (B1.12). */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import { linkOf } from "../files/entries.ts";

export interface SearchPlaces {
  /** The PATH of the person. */
  readonly path: string | undefined;
  /** The project and the added directories, or the folder that a program would run in. */
  readonly directories: readonly string[];
  readonly home: string | undefined;
}

/** The PATH on which programs are found here; links into the project do not count either. */
export function searchPath({ path, directories, home }: SearchPlaces): string {
  const roots = foreignFolders(directories, home);
  const clean = cleanPath(path, roots)
    .split(":")
    .filter((entry) => !roots.some((root) => isInside(realOf(entry), root)));
  return clean.length > 0 ? clean.join(":") : usual;
}

/** PATH without relative entries, entries inside of the project, and package folders' `.bin` (pure). */
export function cleanPath(path: string | undefined, projectRoots: readonly string[]): string {
  const entries = (path ?? "").split(":").filter((entry) => isAbsolute(entry));
  const clean = entries
    .map((entry) => resolve(entry))
    .filter((entry) => !projectRoots.some((root) => isInside(entry, resolve(root))))
    .filter((entry) => !packageFolder.test(entry));
  return clean.length > 0 ? [...new Set(clean)].join(":") : usual;
}

/** What a person's own PATH is without what npm and npx put before it, and without relative entries (pure). */
export function personalPath(path: string | undefined): string {
  const entries = (path ?? "").split(":").filter((entry) => isAbsolute(entry) && !packageFolder.test(resolve(entry)));
  return entries.length > 0 ? entries.join(":") : usual;
}

/** Folders whose programs are not ours to run: the given ones and the work trees around them, as written and as they really are. */
export function foreignFolders(directories: readonly string[], home: string | undefined): string[] {
  const given = directories.flatMap((directory) => [resolve(directory), realOf(resolve(directory))]);
  const parents = new Set(given.flatMap(withParents));
  const around = [...parents].filter((folder) => hasRepository(folder) && !holds(folder, home));
  return [...new Set([...given, ...around])];
}

const usual = "/usr/local/bin:/usr/bin:/bin";
const packageFolder = /(^|\/)(node_modules\/\.bin|node-gyp-bin)$/;

/** A home that is kept in git has the person's own programs beneath it. */
function holds(folder: string, home: string | undefined): boolean {
  return home !== undefined && (isInside(resolve(home), folder) || isInside(realOf(home), folder));
}

function hasRepository(folder: string): boolean {
  return linkOf(join(folder, ".git")) !== null;
}

/** The folder and those above it, nearest first. */
export function withParents(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...withParents(parent)];
}

/** The path itself where nothing is there. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
