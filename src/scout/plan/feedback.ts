/** Reads what a reviewer wants changed: files to leave out or to add, a narrower scope, tests or none, and the rest as it was said. */
import { isStopWord, splitName } from "../look/words.ts";
import type { Said } from "./conversation.ts";

/** What was said, and on which lines of the plan. */
export type PlanFeedback = Pick<Said, "text" | "comments">;

export interface Wishes {
  /** Paths or folders, as they were named. */
  readonly without: readonly string[];
  readonly also: readonly string[];
  readonly only: readonly string[];
  readonly tests: "as usual" | "none";
  /** Words that may lead to other files. */
  readonly more: readonly string[];
  /** Each remark with what became of it. */
  readonly record: readonly { readonly said: string; readonly done: string }[];
}

export const noWishes: Wishes = { without: [], also: [], only: [], tests: "as usual", more: [], record: [] };

const out =
  /\b(?:leave|leaving)\b.*\b(?:out|alone|as (?:it|they)|untouched)\b|\b(?:drop|remove|skip|exclude|omit|ignore|except)\b|\bwithout\b|\bkeep out\b|\b(?:do not|don't|dont|never|not)\b.{0,20}\b(?:touch|change|edit|include|need|modify)\b|\bno need\b|\bnot (?:in|part of|about)\b|\bwrong file\b|\bout of scope\b|\bunrelated\b/i;
const into =
  /\b(?:add|include|also|too|as well|missing|forgot(?:ten)?|plus|consider|extend|take in|look at|change|should|needs?)\b/i;
const alone =
  /\b(?:only|just|solely|nothing (?:but|else)|limit(?:ed)? to|restrict(?:ed)? to|narrow(?:ed)? to|focus on)\b/i;
const noTests =
  /\b(?:no|without|skip|drop|leave out|omit|remove)\b(?: \w+){0,2} tests?\b|\btests? (?:are )?not (?:needed|necessary|wanted)\b/i;
const withTests = /\b(?:with|add|include|write|extend)\b(?: \w+){0,2} tests?\b/i;
const negation = /\b(?:not|no|never|don't|without|instead of|rather than)\b/i;

/** `known`: paths that a name may mean. */
export function readFeedback(all: readonly PlanFeedback[], known: readonly string[]): Wishes {
  return all.flatMap(remarksOf).reduce<Wishes>((wishes, remark) => heed(wishes, remark, known), noWishes);
}

/** Whether words said after a plan speak of that plan, and not of another task. */
export function isAboutPlan(text: string, known: readonly string[]): boolean {
  const { without, also, only, tests } = readFeedback([{ text }], known);
  if (without.length + also.length + only.length > 0 || tests === "none") return true;
  if (/\b(?:plan|step|steps|scope|section|feedback|revise|shorter|smaller)\b/i.test(text)) return true;
  return usableWords(text) < 4;
}

/** Whether the words only say to go on. */
export function isGoOn(text: string): boolean {
  return /^(?:please |ok(?:ay)?,? |yes,? )*(?:go on|continue|proceed|resume|carry on|go ahead|weiter|yes|ok(?:ay)?|go)[.! ]*$/i.test(
    text.trim(),
  );
}

export interface Remark {
  readonly said: string;
  /** Paths in the lines of the plan that it is about. */
  readonly about: readonly string[];
}

export function remarksOf({ text, comments = [] }: PlanFeedback): readonly Remark[] {
  const latest = new Map(comments.map((comment) => [comment.id, comment]));
  const placed = [...latest.values()].map((one) => ({ said: one.text.trim(), about: namesIn(one.quote) }));
  const clauses = text
    .trim()
    .split(
      /(?<=[.!?;])\s+|\n+|;\s*|,\s*(?=(?:but|and|also|only|please|leave|add|drop|skip|without|then)\b)|\s+but\s+|\s+and (?=(?:leave|add|drop|skip|include|remove|also|without)\b)/i,
    )
    .map((said) => said.trim().replace(/^(?:and|but|please)\s+/i, ""))
    .filter((said) => said !== "");
  return [...clauses.map((said) => ({ said, about: [] })), ...placed.filter(({ said }) => said !== "")];
}

function heed(wishes: Wishes, { said, about }: Remark, known: readonly string[]): Wishes {
  const spoken = meant(namesIn(said), known);
  const names = spoken.length > 0 ? spoken : meant(about, known);
  const record = (done: string): Wishes["record"] => [...wishes.record, { said, done }];
  const list = names.map((name) => `\`${name}\``).join(", ");
  if (isGoOn(said))
    return { ...wishes, record: record("approves nothing: approve the plan by its hash, or say what should change") };
  if (noTests.test(said)) return { ...wishes, tests: "none", record: record("no step for tests any more") };
  if (names.length > 0 && alone.test(said) && !out.test(said))
    return {
      ...wishes,
      only: names,
      also: [...wishes.also, ...names.filter((name) => /\.\w+$/.test(name))],
      record: record(`only ${list} is left`),
    };
  if (names.length > 0 && out.test(said))
    return {
      ...wishes,
      without: [...wishes.without, ...names],
      also: wishes.also.filter((name) => !names.includes(name)),
      record: record(`${list} left out`),
    };
  if (spoken.length > 0 && into.test(said))
    return {
      ...wishes,
      also: [...wishes.also, ...names],
      without: wishes.without.filter((name) => !names.includes(name)),
      record: record(`${list} taken in`),
    };
  if (withTests.test(said)) return { ...wishes, tests: "as usual", record: record("tests are in the steps") };
  if (said.endsWith("?")) return { ...wishes, record: record("a question, answered beside the plan") };
  const isLead = usableWords(said) >= 2 && !negation.test(said);
  const done = isLead
    ? "searched again with these words; what they ask for is not understood by scout and stays open"
    : "not understood by scout; it stays open for whoever carries the plan out";
  return { ...wishes, more: isLead ? [...wishes.more, said] : wishes.more, record: record(done) };
}

/** What looks like a path, a file or a folder. */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!);
  const bare =
    text.replace(/`[^`\n]*`/g, " ").match(/[\w@.-]*\/[\w@./-]+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,9}\b/g) ?? [];
  const names = [...quoted, ...bare].map((name) => name.replace(/:\d+(?:-\d+)?$/, "").replace(/^\.\/|[.,:;/]+$/g, ""));
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The paths or folders behind the names; a name with an ending that nobody knows may be a file further off. */
function meant(names: readonly string[], known: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const files = known.filter((path) => path === name || path.endsWith(`/${name}`));
    if (files.length > 0) return files;
    if (known.some((path) => path.startsWith(`${name}/`))) return [name];
    const named = known.filter((path) => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "") === name);
    if (named.length > 0) return named;
    return /\.[A-Za-z]\w{0,9}$/.test(name) ? [name] : [];
  });
}

function usableWords(text: string): number {
  return (text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []).filter(
    (word) => word.length > 2 && !isStopWord(word.toLowerCase()) && splitName(word).length > 0,
  ).length;
}
