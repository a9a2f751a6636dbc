/** Reads a task in words: what it names, quotes and mentions, each with the weight it deserves. */
import { isAction, isStopWord, joinName, splitName, termsOfName } from "../look/words.ts";

export interface Task {
  readonly text: string;
  /** Index term → weight. */
  readonly terms: ReadonlyMap<string, number>;
  /** Names that the task writes as one identifier: joined (`readrawbody`) → as written. */
  readonly names: ReadonlyMap<string, string>;
  /** Paths or file names that the task spells out, in lower case. */
  readonly paths: readonly string[];
  /** Quoted texts of several words, such as messages of errors. */
  readonly phrases: readonly string[];
  readonly mentionsTests: boolean;
  readonly mentionsDocuments: boolean;
  readonly mentionsSettings: boolean;
}

const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*(?:[-.][\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const quotePattern =
  /`([^`\n]{1,200})`|"([^"\n]{1,200})"|“([^”\n]{1,200})”|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}])/gu;
const pathPattern = /(?:[\w@.-]+\/)+[\w@.[\]-]+|[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{1,4}|svelte|scala|swift|properties)\b/gi;

const longest = 8000;
const weight = { action: 0.25, body: 0.5, compound: 1.6, pair: 0.5, quoted: 1.5, scope: 1.5 };

export function readTask(whole: string): Task {
  const text = whole.slice(0, longest);
  const [subject = "", ...rest] = text.trim().split("\n");
  const terms = new Map<string, number>();
  const names = new Map<string, string>();
  const scope = /^\s*\w+\(([^)]+)\)!?:/.exec(subject)?.[1] ?? /^\s*([\w./,\s-]{2,40}):\s/.exec(subject)?.[1];
  const plain = subject.replace(/^\s*(?:feat|fix|chore|docs|refactor|perf|test|style|build|ci)(?=[(:!])/i, "");
  addWords(plain, 1, { terms, names });
  addWords(rest.join("\n"), weight.body, { terms, names });
  if (scope !== undefined) addWords(scope, weight.scope, { terms, names });
  for (const quote of quotesOf(text)) addWords(quote, weight.quoted, { terms, names });
  const lower = text.toLowerCase();
  return {
    text,
    terms,
    names,
    paths: [...text.matchAll(pathPattern)].map(([path]) => path.toLowerCase().replace(/^\.?\//, "")),
    phrases: quotesOf(text).filter((quote) => /\S\s+\S/.test(quote) && quote.length >= 8),
    mentionsTests: /\btests?\b|\btesting\b|\bspecs?\b|\bcoverage\b|\bflaky\b/.test(lower),
    mentionsDocuments: /\bdocs?\b|\bdocument(?:s|ation)?\b|\breadme\b|\bchangelog\b|\bguide\b/.test(lower),
    mentionsSettings:
      /\bci\b|\bworkflows?\b|\bdependenc(?:y|ies)\b|\bpackage\.json\b|\bdocker\b|\blint(?:er|ing)?\b/.test(lower),
  };
}

function quotesOf(text: string): string[] {
  return [...text.matchAll(quotePattern)].map((match) => (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").trim());
}

interface Found {
  readonly terms: Map<string, number>;
  readonly names: Map<string, string>;
}

/** A term counts by its best place, and a little more for each further one. */
function addWords(text: string, scale: number, { terms, names }: Found): void {
  const add = (term: string, amount: number): void => {
    const had = terms.get(term) ?? 0;
    terms.set(term, Math.max(had, amount) + 0.15 * Math.min(had, amount));
  };
  let before = "";
  for (const [word] of text.matchAll(wordPattern)) {
    const parts = splitName(word);
    const joined = joinName(word);
    if (parts.length > 1) {
      add(joined, scale * weight.compound);
      if (/[a-z][A-Z]|_|\./.test(word)) names.set(joined, word);
      for (const piece of word.split(/[-.]/))
        if (splitName(piece).length > 1) add(joinName(piece), scale * weight.compound);
    }
    for (const term of parts.length > 0 ? termsOfName(parts.join(" ")) : []) {
      if (term === joined && parts.length > 1) continue;
      if (isStopWord(term) || term.length < 2) continue;
      add(term, scale * (isAction(parts.length === 1 ? parts[0]! : term) ? weight.action : 1));
    }
    if (before !== "" && parts.length === 1 && !isStopWord(joined)) add(before + joined, scale * weight.pair);
    before = parts.length === 1 && !isStopWord(joined) ? joined : "";
  }
}
