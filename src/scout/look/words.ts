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

/** As written; names are not split. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}

/** Whether a word, in lower case, may say where. */
export function isTelling(word: string): boolean {
  return word.length > 2 && !isStopWord(word) && !isAction(word);
}

/** One word of each stem, as it was written last. */
export function oneOfEach(words: readonly string[]): string[] {
  return [...new Map(words.map((word) => [stem(word.toLowerCase()), word])).values()];
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

export function isAction(word: string): boolean {
  return actions.has(word);
}

const ascii = /^[\u0000-\u007f]*$/;
const namePart = /[A-Z]{2,}(?![a-z])(?:\d(?!\d))?|[A-Z]?[a-z]+(?:\d(?!\d))?|[A-Z](?:\d(?!\d))?|\d+/g;

/** The parts of a name, in lower case: `readRawBody`, `read_raw_body` and `read-raw-body` all give read, raw, body. */
export function splitName(name: string): string[] {
  if (ascii.test(name)) return (name.match(namePart) ?? []).map((part) => part.toLowerCase());
  const spaced = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
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

/** Long forms that code writes short; both meet in the short one. */
const shortForms = new Map(
  (
    "administrator:admin allocate:alloc allocation:alloc application:app argument:arg asynchronous:async attribute:attr " +
    "authentication:auth authenticate:auth authorization:auth authorize:auth buffer:buf button:btn certificate:cert " +
    "character:char column:col command:cmd configuration:config configure:config connection:conn context:ctx " +
    "database:db definition:def dependency:dep description:desc destination:dst development:dev directory:dir " +
    "documentation:doc document:doc element:elem environment:env execute:exec execution:exec expression:expr " +
    "extension:ext function:func fn:func identifier:id image:img implementation:impl implement:impl index:idx information:info " +
    "initialise:init initialize:init initialization:init integer:int iterator:iter javascript:js language:lang library:lib markdown:md " +
    "maximum:max memory:mem message:msg minimum:min module:mod namespace:ns navigation:nav notification:notif number:num " +
    "object:obj operation:op operator:op organization:org package:pkg parameter:param password:pwd pointer:ptr position:pos " +
    "preference:pref previous:prev production:prod property:prop python:py reference:ref regexp:regex repository:repo " +
    "request:req response:resp res:resp separator:sep sequence:seq signature:sig source:src specification:spec " +
    "statement:stmt statistic:stat string:str synchronization:sync synchronize:sync synchronous:sync temporary:tmp " +
    "temp:tmp transaction:tx typescript:ts utility:util value:val variable:var vector:vec version:ver"
  )
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]),
);

/** A light stem: plurals, -ing, -ed, -er, -ion, -ate, -ment and a last -e go, so that parse, parser and parsed meet. */
export function stem(word: string): string {
  if (word.length < 2 || !/^[a-z]+$/.test(word)) return word;
  const singular = word.length < 4 ? word : dropPlural(word);
  const short = shortForms.get(singular);
  if (short !== undefined) return short;
  if (singular.length < 4) return singular;
  for (const suffix of ["ation", "ating", "ated", "ator", "ate", "ment", "ing", "ed", "er", "or", "ion"]) {
    const rest = singular.slice(0, -suffix.length);
    if (!singular.endsWith(suffix) || rest.length < 3 || !/[aeiouy]/.test(rest)) continue;
    const base = undouble(rest);
    return shortForms.get(base) ?? shortForms.get(`${base}e`) ?? dropLast(base);
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

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g;

/** The index terms of one name: the stems of its parts and, when it has several, the joined name. */
export function termsOfName(name: string): string[] {
  if (!ascii.test(name) && name.search(unspaced) >= 0) {
    return [...(name.match(unspaced) ?? []).flatMap(pairsOf), ...name.split(unspaced).flatMap(termsOfName)];
  }
  const terms: string[] = [];
  const parts = splitName(name);
  for (const part of parts) {
    if (part.length > 1 && !/^\d+$/.test(part)) terms.push(stem(part), ...withoutNumber(part));
  }
  if (parts.length > 1 && terms.length > 1) terms.push(joinName(name));
  return terms;
}

/** `boto3` is also boto, `http2` also http. */
function withoutNumber(part: string): string[] {
  const letters = /^([a-z]{3,})\d+$/.exec(part)?.[1];
  return letters === undefined ? [] : [stem(letters)];
}

/** Scripts without spaces between words are indexed by pairs of letters. */
function pairsOf(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}
