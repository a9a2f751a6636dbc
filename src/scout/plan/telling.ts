/** The telling words of a task, and how well a name or a line fits them. */
import { readTask } from "../rank/task.ts";
import { isTelling, oneOfEach, splitName, stem, termsOfName, wordsIn } from "../look/words.ts";

/** Words that stand in tasks of every kind, and say neither where nor what. */
const common = new Set(
  (
    "able about after again all also always another because before both come each else even every file files first get " +
    "give given gives good instead keep kept know last later least less line many matter need needed needs never nothing " +
    "one other part please put really run said same say says second see set show simply since something still stop take " +
    "taken task tell tells thing things time two user want wanted way well whatever whether why without code project"
  ).split(" "),
);

/** Each once, as written, those of the first line first. */
export function tellingWords(task: string): string[] {
  const telling = wordsIn(task).filter((word) => {
    const lower = word.toLowerCase();
    return isTelling(lower) && !/^[a-z]{1,3}\d+$/.test(lower) && !common.has(lower);
  });
  return oneOfEach(telling);
}

/** The stems in a text, names split into their parts. */
export function stemsIn(text: string): Set<string> {
  const stems = new Set<string>();
  for (const name of new Set(wordsIn(text))) {
    for (const part of splitName(name)) stems.add(stem(part));
    for (const term of termsOfName(name)) stems.add(term);
  }
  return stems;
}

/** How much of a task a text says, from 0 on. */
export type Fit = (text: string) => number;

/** Words that stand in most of the passages say little; nothing counts for everyday ones. */
export function fitOf(task: string, passages: readonly string[]): Fit {
  const { terms } = readTask(task);
  const telling = new Set(tellingWords(task).flatMap((word) => termsOfName(word).concat(stem(word.toLowerCase()))));
  const counts = new Map<string, number>();
  for (const passage of passages) {
    for (const term of stemsIn(passage)) if (telling.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const worth = (term: string): number =>
    (terms.get(term) ?? 0.5) * Math.log(1 + (passages.length + 1) / (1 + (counts.get(term) ?? 0)));
  const worths = new Map([...telling].map((term) => [term, worth(term)]));
  return (text) => {
    let sum = 0;
    for (const term of stemsIn(text)) sum += worths.get(term) ?? 0;
    return sum;
  };
}

/** How many of the task's telling words a text has. */
export function countOf(task: string): Fit {
  const telling = new Set(tellingWords(task).flatMap((word) => splitName(word).map(stem)));
  return (text) => [...stemsIn(text)].filter((term) => telling.has(term)).length;
}

/** Whether a text has every telling word of the task. */
export function hasAll(task: string): (text: string) => boolean {
  const words = tellingWords(task).map((word) => splitName(word).map(stem));
  return (text) => {
    const stems = stemsIn(text);
    return words.every((parts) => parts.every((part) => stems.has(part)));
  };
}

const repair =
  /\b(?:fix(?:es|ed)?|bugs?|crash(?:es|ed)?|broken|wrong(?:ly)?|fails?|failing|regression|traceback|exceptions?|panics?|throws?|leaks?)\b/i;

/** Whether the task speaks of something that is wrong now. */
export function isRepair(task: string): boolean {
  return repair.test(task);
}
