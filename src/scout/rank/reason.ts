/** Says in a few words why a file is in the list. */
import type { RankEvidence, RankJudgement } from "./evidence.ts";
import { clipped } from "./names.ts";
import { weights, type Signal } from "./weights.ts";
import { isTelling, joinName, oneOfEach, stem, termsOfName, wordsIn } from "../look/words.ts";

type Teller = (file: number, evidence: RankEvidence, judgement: RankJudgement) => string;

const tellers: readonly (readonly [signals: readonly Signal[], teller: Teller])[] = [
  [["mention"], () => "named in the task"],
  [["definedNames", "defined"], tellNames],
  [["path", "cover", "base"], tellPath],
  [["content", "fused", "window", "pairs"], tellPassage],
  [["phrases"], () => "has the quoted text"],
  [["alike", "said"], tellPast],
  [["imported", "importing"], tellImports],
  [["together"], tellTogether],
  [["tested"], () => "its test matches"],
  [["folder"], () => "beside files that match"],
  [["justNow", "lately"], (file, _, { columns }) => ((columns.justNow?.[file] ?? 0) > 0.4 ? "changed lately" : "")],
];
const mostReasons = 3;
const least = 0.15;

export function reasonFor(file: number, evidence: RankEvidence, judgement: RankJudgement): string {
  const weighed = tellers.map(([signals, tell]) => ({ tell, weight: sumOf(signals, file, judgement) }));
  const told = weighed
    .filter(({ weight }) => weight >= least)
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ tell }) => tell(file, evidence, judgement))
    .filter((words) => words !== "");
  return told.length === 0 ? "little speaks for it" : told.slice(0, mostReasons).join("; ");
}

function sumOf(signals: readonly Signal[], file: number, { columns }: RankJudgement): number {
  return signals.reduce((sum, signal) => sum + weights[signal].last * (columns[signal]?.[file] ?? 0), 0);
}

function tellNames(file: number, { task, survey }: RankEvidence): string {
  const defined = new Set(Array.from(survey.extracts[file]!.defined, (id) => survey.words[id]!));
  const whole = [...task.names].filter(([joined]) => defined.has(joined)).map(([, name]) => name);
  if (whole.length > 0) return `defines ${listOf(whole)}`;
  const parts = wordsOf(task.text).filter((word) => defined.has(stem(word)));
  return parts.length === 0 ? "" : `names with ${listOf(parts)}`;
}

function tellPath(file: number, { task, survey }: RankEvidence): string {
  const inPath = new Set(survey.paths[file]!.split(/[/.]/).flatMap(termsOfName));
  const words = wordsOf(task.text).filter((word) => inPath.has(stem(word)) || inPath.has(joinName(word)));
  return words.length === 0 ? "" : `path says ${listOf(words)}`;
}

function tellPassage(file: number, { task, survey, matches, passageIn }: RankEvidence): string {
  const here = new Set(Array.from(survey.extracts[file]!.terms, (id) => survey.words[id]!));
  const words = wordsOf(task.text)
    .filter((word) => here.has(stem(word)))
    .toSorted((left, right) => (matches.worths.get(stem(right)) ?? 0) - (matches.worths.get(stem(left)) ?? 0));
  if (words.length === 0) return "";
  const { line, window } = passageIn(file);
  return `speaks of ${listOf(words)}${window > 0 ? ` (line ${line})` : ""}`;
}

function tellPast(file: number, { survey, likeness }: RankEvidence): string {
  let best = -1;
  for (const [at, { files }] of survey.commits.entries()) {
    if (likeness[at]! > (likeness[best] ?? 0) && files.includes(file)) best = at;
  }
  const subject = survey.commits[best]?.message.trim().split("\n")[0];
  return subject === undefined ? "" : `changed by “${shorten(subject)}”`;
}

function tellImports(file: number, { survey, graph }: RankEvidence, { scores }: RankJudgement): string {
  const best = (files: readonly number[]): number | undefined =>
    files.toSorted((left, right) => scores[right]! - scores[left]!)[0];
  const user = best(graph.usedBy[file]!);
  const used = best(graph.uses[file]!);
  if (user !== undefined && (used === undefined || scores[user]! >= scores[used]!))
    return `used by ${survey.paths[user]!}`;
  return used === undefined ? "" : `uses ${survey.paths[used]!}`;
}

function tellTogether(file: number, { survey }: RankEvidence, { scores }: RankJudgement): string {
  const counts = new Map<number, number>();
  for (const { files } of survey.commits) {
    if (files.length > 20 || !files.includes(file)) continue;
    for (const other of files)
      if (other !== file) counts.set(other, (counts.get(other) ?? 0) + Math.exp(scores[other]!));
  }
  const best = [...counts].toSorted((left, right) => right[1] - left[1])[0]?.[0];
  return best === undefined ? "" : `changes together with ${survey.paths[best]!}`;
}

function wordsOf(text: string): string[] {
  const words = wordsIn(text).map((word) => word.toLowerCase());
  return oneOfEach(words.filter(isTelling));
}

function listOf(words: readonly string[]): string {
  return words.slice(0, 3).join(", ");
}

function shorten(text: string): string {
  return clipped(text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " "), 60);
}
