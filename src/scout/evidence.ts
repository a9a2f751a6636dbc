/** Gathers all that speaks for each file and weighs it: first what the file itself says, then what its neighbours lend it. */
import { graphOf, type Graph } from "./graph.ts";
import { kindOf, type Kind } from "./kinds.ts";
import { matchNear } from "./near.ts";
import { matchPast } from "./past.ts";
import type { Survey } from "./survey.ts";
import type { Task } from "./task.ts";
import { matchText, type Column, type Matches } from "./text.ts";
import type { Signal, Weights } from "./weights.ts";

export interface Evidence {
  readonly task: Task;
  readonly survey: Survey;
  readonly graph: Graph;
  readonly matches: Matches;
  readonly direct: Partial<Record<Signal, Column>>;
}

export interface Judgement {
  readonly scores: Column;
  readonly columns: Partial<Record<Signal, Column>>;
}

export function gather(task: Task, survey: Survey): Evidence {
  const { paths, extracts, commits } = survey;
  const matches = matchText(task, survey);
  const past = matchPast(task, commits, paths.length);
  const relative = { ...matches.columns, ...past.columns };
  const direct: Partial<Record<Signal, Column>> = { ...kindsOf(task, survey) };
  for (const [signal, column] of Object.entries(relative)) direct[signal as Signal] = shareOfBest(column);
  direct.cover = matches.columns.cover;
  direct.breadth = matches.columns.breadth;
  direct.mention = matches.columns.mention;
  const graph = graphOf(
    paths,
    extracts.map(({ imports }) => imports),
  );
  return { task, survey, graph, matches, direct };
}

export function judge({ survey, graph, direct }: Evidence, weights: { first: Weights; last: Weights }): Judgement {
  const size = survey.paths.length;
  const before = weigh(direct, weights.first, size);
  const near = matchNear(before, { paths: survey.paths, graph, commits: survey.commits });
  const columns = { ...direct };
  for (const [signal, column] of Object.entries(near)) columns[signal as Signal] = shareOfBest(column);
  return { scores: weigh(columns, weights.last, size), columns };
}

function weigh(columns: Partial<Record<Signal, Column>>, weights: Weights, size: number): Column {
  const scores = new Float64Array(size);
  for (const [signal, column] of Object.entries(columns)) {
    const weight = weights[signal as Signal] ?? 0;
    if (weight !== 0) for (let file = 0; file < size; file += 1) scores[file]! += weight * column[file]!;
  }
  return scores;
}

function shareOfBest(column: Column): Column {
  let best = 0;
  for (const value of column) best = Math.max(best, value);
  return best === 0 ? column : column.map((value) => value / best);
}

const kindSignals: Partial<Record<Kind, Signal>> = {
  test: "isTest",
  example: "isExample",
  document: "isDocument",
  settings: "isSettings",
  style: "isStyle",
  locale: "isLocale",
  changelog: "isNoise",
  lock: "isNoise",
  generated: "isNoise",
  vendored: "isNoise",
  snapshot: "isNoise",
  asset: "isNoise",
  other: "isOther",
};

/** Sorts of files that a task seldom means, told less loudly where the task speaks of them. */
function kindsOf(task: Task, { paths, extracts }: Survey): Partial<Record<Signal, Column>> {
  const columns: Partial<Record<Signal, Column>> = {};
  const mark = (signal: Signal, file: number, amount: number): void => {
    columns[signal] ??= new Float64Array(paths.length);
    columns[signal][file] = amount;
  };
  for (const [file, path] of paths.entries()) {
    const signal = kindSignals[kindOf(path)];
    if (signal !== undefined) mark(signal, file, isMeant(signal, task) ? 0.4 : 1);
    const extract = extracts[file]!;
    if (extract.isMachineMade) mark("isMachineMade", file, 1);
    mark("size", file, Math.min(1, Math.log1p(extract.length) / 10));
    mark("isTiny", file, extract.length < 40 ? 1 : 0);
    mark("isRoot", file, path.includes("/") ? 0 : 1);
    mark("isTyping", file, /\.(?:d\.[cm]?ts|pyi|h|hpp)$/.test(path) ? 1 : 0);
  }
  return columns;
}

function isMeant(signal: Signal, task: Task): boolean {
  if (signal === "isTest") return task.mentionsTests;
  if (signal === "isDocument") return task.mentionsDocuments;
  return signal === "isSettings" && task.mentionsSettings;
}
