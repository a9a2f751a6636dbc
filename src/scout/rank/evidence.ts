/** Gathers all that speaks for each file and weighs it: first what the file itself says, then what its neighbours lend it. */
import { join } from "node:path";
import { graphOf, type Graph } from "../look/graph.ts";
import { remember } from "../look/keyed.ts";
import { kindOf, type Kind } from "../look/kinds.ts";
import { matchNear } from "./near.ts";
import { makeFinder, pairsOf, type Passage } from "./passage.ts";
import { matchPast } from "./past.ts";
import { bytesOf, type Survey } from "../look/survey.ts";
import type { Task } from "./task.ts";
import { matchText, type Matches } from "../look/text.ts";
import { blankColumns, signals, type Column, type Columns, type Signal, type Weights } from "./weights.ts";

type SomeColumns = Partial<Columns>;

export interface RankEvidence {
  readonly task: Task;
  readonly survey: Survey;
  readonly graph: Graph;
  readonly matches: Matches;
  /** For each commit, how much it sounds like the task. */
  readonly likeness: Float64Array;
  readonly direct: SomeColumns;
  readonly passageIn: (file: number) => Passage;
}

export interface RankJudgement {
  readonly scores: Column;
  readonly columns: SomeColumns;
}

export function gather(task: Task, survey: Survey): RankEvidence {
  const { paths, extracts, commits } = survey;
  const matches = matchText(task, survey);
  const past = matchPast(task, commits, paths.length);
  const { cover, mention } = matches.columns;
  const shares = sharesOf({ ...matches.columns, ...past.columns });
  const graph = graphOf(
    paths,
    extracts.map(({ imports }) => (imports === "" ? [] : imports.split("\n"))),
  );
  return {
    task,
    survey,
    graph,
    matches,
    likeness: past.likeness,
    direct: { ...kindsOf(task, survey), ...shares, cover, mention },
    passageIn: passagesOf(task, survey, matches),
  };
}

const nowhere: Passage = { window: 0, pairs: 0, phrases: 0, line: 1 };
const mostPassages = 50;

function passagesOf(task: Task, { root, paths, extracts }: Survey, { worths }: Matches): (file: number) => Passage {
  const find = makeFinder({ terms: worths, pairs: pairsOf(task.text, worths), phrases: task.phrases });
  return remember((file) => {
    const bytes = extracts[file]!.length === 0 ? undefined : bytesOf(join(root, paths[file]!));
    return bytes === undefined ? nowhere : find(bytes.toString("utf8"));
  });
}

export function judge({ survey, graph, direct, passageIn }: RankEvidence, weights: Weights): RankJudgement {
  const size = survey.paths.length;
  const weigh = (columns: SomeColumns, round: "first" | "last"): Column => {
    const scores = new Float64Array(size);
    for (const signal of signals) {
      const column = columns[signal];
      const weight = weights[signal]?.[round] ?? 0;
      if (column === undefined || weight === 0) continue;
      for (let file = 0; file < size; file += 1) scores[file]! += weight * column[file]!;
    }
    return scores;
  };
  const before = weigh(direct, "first");
  const passages = blankColumns(size, ["window", "pairs", "phrases"]);
  const promising = [...before.keys()].toSorted((left, right) => before[right]! - before[left]!);
  for (const file of promising.slice(0, mostPassages)) {
    const { window, pairs, phrases } = passageIn(file);
    passages.window[file] = window;
    passages.pairs[file] = pairs;
    passages.phrases[file] = phrases;
  }
  const columns = { ...direct, ...sharesOf({ ...matchNear(before, survey, graph), ...passages }) };
  return { scores: weigh(columns, "last"), columns };
}

/** Each column as shares of its best value. */
function sharesOf(columns: SomeColumns): SomeColumns {
  const shares: SomeColumns = {};
  for (const signal of signals) {
    const column = columns[signal];
    if (column === undefined) continue;
    const best = column.reduce((most, value) => Math.max(most, value), 0);
    shares[signal] = best === 0 ? column : column.map((value) => value / best);
  }
  return shares;
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
function kindsOf(task: Task, { paths, extracts }: Survey): SomeColumns {
  const columns: SomeColumns = {};
  const mark = (signal: Signal, file: number, amount: number): void => {
    columns[signal] ??= new Float64Array(paths.length);
    columns[signal][file] = amount;
  };
  for (const [file, path] of paths.entries()) {
    const signal = kindSignals[kindOf(path)];
    if (signal !== undefined) mark(signal, file, isMeant(signal, task) ? 0.4 : 1);
    const extract = extracts[file]!;
    if (extract.isMachineMade) mark("isMachineMade", file, 1);
    if (extract.length < 40) mark("isTiny", file, 1);
  }
  return columns;
}

function isMeant(signal: Signal, task: Task): boolean {
  if (signal === "isTest") return task.mentionsTests;
  if (signal === "isDocument") return task.mentionsDocuments;
  return signal === "isSettings" && task.mentionsSettings;
}
