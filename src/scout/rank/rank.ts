/** Ranks the files of a repository by how likely a task is to change them. */
import { relative, sep } from "node:path";
import { commandsOf } from "../look/commands.ts";
import { gather, judge } from "./evidence.ts";
import { reasonFor } from "./reason.ts";
import { survey, type Repository, type Survey } from "../look/survey.ts";
import { readTask } from "./task.ts";
import { weights } from "./weights.ts";

export interface RankedFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  /** Between 0 and 1; the best file has 1. */
  readonly score: number;
  readonly why: string;
  /** Where the passage begins that has most of the task's words, from 1. */
  readonly line: number;
}

export interface Ranking {
  readonly root: string;
  readonly files: readonly RankedFile[];
  /** The project's own commands to verify a change. */
  readonly commands: readonly string[];
  /** The project's own instructions for whoever works where it was looked from. */
  readonly rules: readonly string[];
  /** What could not be used, a line each. */
  readonly notes: readonly string[];
}

/** Makes the scores easier to read apart; the order stays. */
const calm = 3;

export async function rank(task: string, repository: Repository, limit = 20): Promise<Ranking> {
  const surveyed = await survey(repository);
  const evidence = gather(readTask(task), surveyed);
  const judgement = judge(evidence, weights);
  const { scores } = judgement;
  const order = [...scores.keys()].toSorted(
    (left, right) => scores[right]! - scores[left]! || (surveyed.paths[left]! < surveyed.paths[right]! ? -1 : 1),
  );
  const best = scores[order[0] ?? 0] ?? 0;
  const files = order.slice(0, limit).map((file) => ({
    path: surveyed.paths[file]!,
    score: Math.round(Math.exp((scores[file]! - best) / calm) * 1000) / 1000,
    why: reasonFor(file, evidence, judgement),
    line: evidence.passageIn(file).line,
  }));
  const { root, paths, notes } = surveyed;
  return { root, files, commands: commandsOf(root, paths), rules: rulesFor(repository.cwd, surveyed), notes };
}

function rulesFor(directory: string, { root, paths }: Pick<Survey, "root" | "paths">): readonly string[] {
  const known = new Set(paths);
  const steps = relative(root, directory).split(sep);
  const folders = ["", ...steps.map((_, at) => `${steps.slice(0, at + 1).join("/")}/`)];
  return folders.flatMap((folder) => {
    const name = ["AGENTS.md", "CLAUDE.md"].find((one) => known.has(folder + one));
    return name === undefined ? [] : [folder + name];
  });
}
