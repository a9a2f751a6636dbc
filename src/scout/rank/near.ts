/** Lifts the neighbours of files that already score: imports, files changed together, tests and their subjects, folders. */
import type { Graph } from "../look/graph.ts";
import { groupBy } from "./group.ts";
import type { Commit } from "../look/history.ts";
import { subjectsOf } from "./subjects.ts";
import type { Column } from "../look/text.ts";

export interface NearColumns {
  readonly imported: Column;
  readonly importing: Column;
  readonly together: Column;
  readonly tested: Column;
  readonly folder: Column;
}

export interface Surroundings {
  readonly paths: readonly string[];
  readonly graph: Graph;
  readonly commits: readonly Commit[];
}

const mostSeeds = 25;

export function matchNear(scores: Column, { paths, graph, commits }: Surroundings): NearColumns {
  const size = paths.length;
  const columns: NearColumns = {
    imported: new Float64Array(size),
    importing: new Float64Array(size),
    together: new Float64Array(size),
    tested: new Float64Array(size),
    folder: new Float64Array(size),
  };
  const seeds = seedsOf(scores);
  for (const [seed, strength] of seeds) {
    const { uses, usedBy } = { uses: graph.uses[seed]!, usedBy: graph.usedBy[seed]! };
    for (const file of uses) columns.imported[file]! += strength / Math.sqrt(usedByCount(graph, file));
    for (const file of usedBy) columns.importing[file]! += strength / Math.sqrt(usedBy.length);
  }
  for (const [test, subject] of subjectsOf(paths, [...seeds.keys()])) columns.tested[subject]! += seeds.get(test)!;
  addTogether(seeds, commits, columns.together);
  addFolders(seeds, paths, columns.folder);
  return columns;
}

function usedByCount(graph: Graph, file: number): number {
  return Math.max(1, graph.usedBy[file]!.length);
}

/** The best files so far, each by its odds against the best one. */
function seedsOf(scores: Column): ReadonlyMap<number, number> {
  const order = [...scores.keys()].toSorted((left, right) => scores[right]! - scores[left]!);
  const top = scores[order[0] ?? 0] ?? 0;
  return new Map(order.slice(0, mostSeeds).map((file) => [file, Math.exp(scores[file]! - top)]));
}

function addTogether(seeds: ReadonlyMap<number, number>, commits: readonly Commit[], together: Column): void {
  const changes = new Map<number, number>();
  const pairs = new Map<number, Map<number, number>>();
  for (const [at, { files }] of commits.entries()) {
    if (files.length > 20) continue;
    const share = 1 / (1 + at / 1500);
    for (const seed of files) {
      if (!seeds.has(seed)) continue;
      changes.set(seed, (changes.get(seed) ?? 0) + share);
      const others = pairs.get(seed) ?? new Map<number, number>();
      pairs.set(seed, others);
      for (const file of files)
        if (file !== seed) others.set(file, (others.get(file) ?? 0) + share / Math.log2(files.length + 1));
    }
  }
  for (const [seed, others] of pairs) {
    for (const [file, count] of others) together[file]! += (seeds.get(seed)! * count) / (changes.get(seed)! + 2);
  }
}

/** The mean of the three best scores among a file's neighbours in its folder. */
function addFolders(seeds: ReadonlyMap<number, number>, paths: readonly string[], column: Column): void {
  const folders = groupBy(paths.keys(), (file) => paths[file]!.slice(0, Math.max(0, paths[file]!.lastIndexOf("/"))));
  for (const files of folders.values()) {
    const best = files
      .filter((file) => seeds.has(file))
      .toSorted((left, right) => seeds.get(right)! - seeds.get(left)!)
      .slice(0, 4);
    for (const file of files) {
      const others = best.filter((other) => other !== file).slice(0, 3);
      column[file] = others.reduce((sum, other) => sum + (seeds.get(other) ?? 0), 0) / 3;
    }
  }
}
