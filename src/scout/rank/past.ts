/** Scores files by the repository's past: commits that sound like the task, and how often and lately each file changed. */
import type { Commit } from "../look/history.ts";
import { remember } from "../look/keyed.ts";
import type { Task } from "./task.ts";
import { rarity, saturate } from "../look/text.ts";
import { isStopWord, termsOfName, wordsIn } from "../look/words.ts";
import { blankColumns, type Column, type Columns } from "./weights.ts";

export interface Past {
  readonly columns: Columns<"alike" | "said" | "lately" | "justNow">;
  /** For each commit, how much it sounds like the task. */
  readonly likeness: Float64Array;
}

const mostFiles = 30;
const mostAlike = 40;

export function matchPast(task: Task, commits: readonly Commit[], size: number): Past {
  const columns = blankColumns(size, ["alike", "said", "lately", "justNow"]);
  const heard = hearTerms(task, commits);
  const likeness = likenessOf(heard, commits);
  const best = [...likeness.keys()]
    .filter((at) => likeness[at]! > 0)
    .toSorted((left, right) => likeness[right]! - likeness[left]!);
  for (const at of best.slice(0, mostAlike)) {
    const { files } = commits[at]!;
    const share = likeness[at]! ** 2 / Math.sqrt(files.length || 1) / (1 + at / 4000);
    for (const file of files) columns.alike[file]! += share;
  }
  countChanges(commits, columns);
  tellOfFiles(heard, commits, columns.said);
  return { columns, likeness };
}

interface Heard {
  readonly weight: number;
  /** The commits whose message has the term. */
  readonly commits: readonly number[];
}

function hearTerms(task: Task, commits: readonly Commit[]): readonly Heard[] {
  const heard = new Map([...task.terms].map(([term, weight]) => [term, { weight, commits: [] as number[] }]));
  const termsOf = remember((name: string) => termsOfName(name).filter((term) => !isStopWord(term) && heard.has(term)));
  for (const [at, { message }] of commits.entries()) {
    for (const name of wordsIn(message.slice(0, 400))) {
      for (const term of termsOf(name)) {
        const list = heard.get(term)!.commits;
        if (list.at(-1) !== at) list.push(at);
      }
    }
  }
  return [...heard.values()];
}

function likenessOf(heard: readonly Heard[], commits: readonly Commit[]): Float64Array {
  const likeness = new Float64Array(commits.length);
  for (const term of heard) {
    const worth = term.weight * rarity(term.commits.length, commits.length);
    for (const at of term.commits) {
      const { files, message } = commits[at]!;
      if (files.length === 0 || files.length > mostFiles) continue;
      likeness[at]! += worth / (0.6 + 0.4 * Math.min(4, message.length / 80));
    }
  }
  return likeness;
}

function countChanges(commits: readonly Commit[], { lately, justNow }: Past["columns"]): void {
  for (const [at, { files }] of commits.entries()) {
    if (files.length > mostFiles) continue;
    const share = 1 / Math.sqrt(files.length || 1);
    for (const file of files) {
      lately[file]! += share * Math.exp(-at / 150);
      justNow[file]! += share * Math.exp(-at / 12);
    }
  }
  for (const column of [lately, justNow]) {
    for (let file = 0; file < column.length; file += 1) column[file] = Math.log1p(column[file]!);
  }
}

/** All that was ever said of a file counts as one text. */
function tellOfFiles(heard: readonly Heard[], commits: readonly Commit[], said: Column): void {
  const lengths = new Float64Array(said.length);
  for (const { files } of commits)
    if (files.length <= mostFiles) for (const file of files) lengths[file]! += 1 / Math.sqrt(files.length);
  const filled = lengths.filter((length) => length > 0);
  const mean = filled.reduce((sum, length) => sum + length, 0) / (filled.length || 1) || 1;
  for (const term of heard) {
    const counts = new Map<number, number>();
    for (const at of term.commits) {
      const { files } = commits[at]!;
      if (files.length > mostFiles) continue;
      const share = 1 / Math.sqrt(files.length || 1) / (1 + at / 3000);
      for (const file of files) counts.set(file, (counts.get(file) ?? 0) + share);
    }
    const worth = term.weight * rarity(counts.size, filled.length);
    for (const [file, count] of counts) said[file]! += worth * saturate(count, 0.5 + (0.7 * lengths[file]!) / mean);
  }
}
