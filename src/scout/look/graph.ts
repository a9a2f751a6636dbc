/** The import graph: each file's targets looked up among the repository's files. */
import { posix } from "node:path";
import { groupBy } from "./keyed.ts";
import { folderOf, isIndex, withoutEnding } from "./paths.ts";

export interface Graph {
  /** For each file, the files it imports. */
  readonly uses: readonly (readonly number[])[];
  /** For each file, the files that import it. */
  readonly usedBy: readonly (readonly number[])[];
}

const mostPerTarget = 3;

export function graphOf(paths: readonly string[], imports: readonly (readonly string[])[]): Graph {
  const places = placesOf(paths);
  const uses: number[][] = paths.map(() => []);
  const usedBy: number[][] = paths.map(() => []);
  const known = new Map<string, readonly number[]>();
  for (const [from, targets] of imports.entries()) {
    const found = new Set<number>();
    for (const target of targets) {
      const key = target.startsWith("/") ? target : `${languageOf(paths[from]!)} ${target}`;
      const hits = known.get(key) ?? lookUp(target, { places, paths, from });
      known.set(key, hits);
      for (const hit of hits) if (hit !== from) found.add(hit);
    }
    for (const to of found) {
      uses[from]!.push(to);
      usedBy[to]!.push(from);
    }
  }
  return { uses, usedBy };
}

interface Places {
  /** Path without its ending (and without `/index`) → files. */
  readonly exact: ReadonlyMap<string, readonly number[]>;
  /** Last step of such a path → files. */
  readonly byLast: ReadonlyMap<string, readonly number[]>;
  /** Last step of a folder → folders. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  readonly inFolder: ReadonlyMap<string, readonly number[]>;
}

interface Where {
  readonly places: Places;
  readonly paths: readonly string[];
  readonly from: number;
}

function lookUp(target: string, { places, paths, from }: Where): readonly number[] {
  const language = languageOf(paths[from]!);
  const spoken = (file: number): boolean => languageOf(paths[file]!) === language;
  if (target.startsWith("/"))
    return (places.exact.get(withoutIndex(target.slice(1))) ?? []).filter(spoken).slice(0, mostPerTarget);
  if (target.endsWith("/")) return folderHits(target.slice(0, -1), places).filter(spoken).slice(0, 40);
  const steps = target.split("/");
  const last = steps.at(-1)!;
  const hits = (places.byLast.get(last) ?? []).filter((file) => spoken(file) && endsLike(bare(paths[file]!), target));
  if (steps.length === 1 && hits.length > mostPerTarget) return [];
  return hits.slice(0, mostPerTarget);
}

/** A Go import names the module first, so the folder is the longest one that the import ends with. */
function folderHits(target: string, places: Places): readonly number[] {
  const fits = (places.folders.get(posix.basename(target)) ?? []).filter(
    (folder) => endsLike(target, folder) || endsLike(folder, target),
  );
  const best = fits.toSorted((left, right) => right.length - left.length)[0];
  return best === undefined ? [] : (places.inFolder.get(best) ?? []);
}

function placesOf(paths: readonly string[]): Places {
  const names = paths.map(bare);
  const inFolder = groupBy(paths.keys(), (file) => folderOf(paths[file]!));
  return {
    exact: groupBy(paths.keys(), (file) => names[file]!),
    byLast: groupBy(paths.keys(), (file) => posix.basename(names[file]!)),
    folders: groupBy(inFolder.keys(), (folder) => posix.basename(folder)),
    inFolder,
  };
}

/** The path without its ending; a folder's index file stands for the folder. */
function bare(path: string): string {
  return withoutIndex(withoutEnding(path));
}

function withoutIndex(plain: string): string {
  const folder = folderOf(plain);
  return folder !== "" && isIndex(posix.basename(plain)) ? folder : plain;
}

function endsLike(whole: string, end: string): boolean {
  return whole === end || whole.endsWith(`/${end}`);
}

function languageOf(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^(?:[cm]?[jt]sx?|svelte|vue|astro)$/.test(ending)) return "script";
  if (/^(?:java|kts?|scala|groovy)$/.test(ending)) return "java";
  if (/^(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm)$/.test(ending)) return "c";
  return ending.startsWith("py") ? "python" : ending;
}
