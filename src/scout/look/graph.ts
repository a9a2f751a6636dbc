/** The import graph: each file's targets looked up among the repository's files. */

export interface Graph {
  /** For each file, the files it imports. */
  readonly uses: readonly (readonly number[])[];
  /** For each file, the files that import it. */
  readonly usedBy: readonly (readonly number[])[];
}

const indexNames = /^(?:index|__init__|mod|lib|main|package)$/;
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
  const last = target.slice(target.lastIndexOf("/") + 1);
  const fits = (places.folders.get(last) ?? []).filter(
    (folder) => endsLike(target, folder) || endsLike(folder, target),
  );
  const best = fits.toSorted((left, right) => right.length - left.length)[0];
  return best === undefined ? [] : (places.inFolder.get(best) ?? []);
}

function placesOf(paths: readonly string[]): Places {
  const exact = new Map<string, number[]>();
  const byLast = new Map<string, number[]>();
  const inFolder = new Map<string, number[]>();
  const folders = new Map<string, string[]>();
  for (const [file, path] of paths.entries()) {
    const name = bare(path);
    push(exact, name, file);
    push(byLast, name.slice(name.lastIndexOf("/") + 1), file);
    push(inFolder, path.slice(0, Math.max(0, path.lastIndexOf("/"))), file);
  }
  for (const folder of inFolder.keys()) push(folders, folder.slice(folder.lastIndexOf("/") + 1), folder);
  return { exact, byLast, folders, inFolder };
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** The path without its ending; a folder's index file stands for the folder. */
function bare(path: string): string {
  return withoutIndex(path.replace(/(?:\.d)?\.\w+$/, ""));
}

function withoutIndex(plain: string): string {
  const cut = plain.lastIndexOf("/");
  return cut > 0 && indexNames.test(plain.slice(cut + 1)) ? plain.slice(0, cut) : plain;
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
