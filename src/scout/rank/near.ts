/** Lifts the neighbours of files that already score: imports, files changed together, tests and their subjects, folders. */
import type { Graph } from "../look/graph.ts";
import { groupBy } from "../look/keyed.ts";
import type { Commit } from "../look/history.ts";
import type { Survey } from "../look/survey.ts";
import { folderOf } from "../look/paths.ts";
import { subjectsOf } from "./subjects.ts";
import { blankColumns, type Column, type Columns } from "./weights.ts";

const nearSignals = ["imported", "importing", "together", "tested", "folder"] as const;
const mostSeeds = 25;

export function matchNear(
  scores: Column,
  { paths, commits }: Survey,
  graph: Graph,
): Columns<(typeof nearSignals)[number]> {
  const columns = blankColumns(paths.length, nearSignals);
  const seeds = seedsOf(scores);
  for (const [seed, strength] of seeds) {
    for (const file of graph.uses[seed]!) columns.imported[file]! += strength / Math.sqrt(graph.usedBy[file]!.length);
    for (const file of graph.usedBy[seed]!)
      columns.importing[file]! += strength / Math.sqrt(graph.usedBy[seed]!.length);
  }
  for (const [test, subject] of subjectsOf(paths, [...seeds.keys()])) columns.tested[subject]! += seeds.get(test)!;
  addTogether(seeds, commits, columns.together);
  addFolders(seeds, paths, columns.folder);
  return columns;
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
  const folders = groupBy(paths.keys(), (file) => folderOf(paths[file]!));
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
