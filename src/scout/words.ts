/** Words as the index knows them: names split into parts, lightly stemmed, and common words set apart. */

const stopWords = new Set(
  (
    "a an and any are as at be been but by can could did do does doing done for from had has have how i if in into is it " +
    "its just let like may might more most much must no nor not now of off on once only onto or our out over own per " +
    "same shall she should so some such than that the their them then there these they this those through to too under " +
    "until up upon us very was we were what when where which while who whom why will with within without would you your"
  ).split(" "),
);

/** Words of commit messages that say what is done, not where. */
const actions = new Set(
  (
    "add added adds adding allow allows avoid avoids better bug bugfix bugs bump change changed changes chore clean cleanup " +
    "correct correctly docs ensure ensures feat feature fix fixed fixes fixing handle handling implement implemented " +
    "implements improve improved improvement improvements improves introduce issue issues make makes minor missing move " +
    "moved new old perf prevent properly refactor refactored refactoring remove removed removes removing rename renamed " +
    "replace replaced simplify small support supports tweak tweaks typo typos unused update updated updates use used " +
    "uses using wip work working wrong"
  ).split(" "),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

export function isAction(word: string): boolean {
  return actions.has(word);
}

/** The parts of a name, in lower case: `readRawBody`, `read_raw_body` and `read-raw-body` all give read, raw, body. */
export function splitName(name: string): string[] {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/([A-Za-z])(\d{2,})/g, "$1 $2");
  return spaced
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
}

/** The whole name as one word: lower case, separators dropped. */
export function joinName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}

/** A light stem: plurals, -ing, -ed, -er, -ion and a last -e go, so that parse, parser, parsing and parsed meet. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const singular = dropPlural(word);
  for (const suffix of ["ing", "ed", "er", "or", "ion"]) {
    const rest = singular.slice(0, -suffix.length);
    if (singular.endsWith(suffix) && rest.length >= 3 && /[aeiouy]/.test(rest)) return dropLast(undouble(rest));
  }
  return dropLast(singular);
}

function dropPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function undouble(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

function dropLast(word: string): string {
  return word.endsWith("e") && word.length > 3 ? word.slice(0, -1) : word;
}

/** The index terms of one name: the stems of its parts and, when it has several, the joined name. */
export function termsOfName(name: string): string[] {
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(name)) return pairsOf(name);
  const parts = splitName(name).filter((part) => part.length > 1 && !/^\d+$/.test(part));
  const terms = parts.map(stem);
  if (parts.length > 1) terms.push(joinName(name));
  return terms;
}

/** Scripts without spaces between words are indexed by pairs of letters. */
function pairsOf(run: string): string[] {
  const letters = [...run];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}
