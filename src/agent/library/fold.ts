/** Texts made comparable: without case, accents, width and kinds of blanks; and where words begin in them. */

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\S ]|[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** What is looked for: single words match beginnings of words, phrases match as they stand. */
export interface Term {
  readonly folded: string;
  readonly isPhrase: boolean;
}

/** Words, and phrases in quotes; what has no letter or digit is left out. */
export function termsOf(query: string): readonly Term[] {
  const parts = [...query.matchAll(/["“„”]([^"“„”]*)["“„”]?|(\S+)/gu)];
  const terms = parts.map(([, phrase, word]): Term => {
    const folded = fold(phrase ?? word ?? "");
    return {
      folded: phrase === undefined ? folded.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") : folded,
      isPhrase: phrase !== undefined,
    };
  });
  const known = new Map(terms.filter(({ folded }) => /[\p{L}\p{N}]/u.test(folded)).map((term) => [term.folded, term]));
  return [...known.values()];
}

/** The folded text, and for each unit of it, and for its end, where in the text it comes from. */
export interface FoldedPlaces {
  readonly folded: string;
  readonly origins: readonly number[];
}

/** The same as `fold`, character by character. */
export function foldPlaces(text: string): FoldedPlaces {
  let folded = "";
  const origins: number[] = [];
  let at = 0;
  for (const character of text) {
    const part = fold(`x${character}x`).slice(1, -1);
    const isBlank = part === " ";
    if (!isBlank || (folded !== "" && !folded.endsWith(" "))) {
      folded += part;
      for (let unit = 0; unit < part.length; unit += 1) origins.push(at);
    }
    at += character.length;
  }
  const end = folded.trimEnd().length;
  return { folded: folded.slice(0, end), origins: [...origins.slice(0, end), text.length] };
}

/** Where it stands in a folded text: at the beginning of a word, which scripts without blanks do not mark; `isWhole`: it is all of the word. */
export function* placesOf(text: string, { folded, isPhrase }: Term): Generator<TermPlace> {
  const isBounded = isWordCharacter(folded);
  for (let at = text.indexOf(folded); at !== -1;) {
    const end = at + folded.length;
    const isHere = !isBounded || !isWordCharacter(/.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? "");
    if (isHere) yield { at, end, isWhole: isPhrase || !isWordCharacter(text.slice(end, end + 2)) };
    at = text.indexOf(folded, isHere ? end : at + 1);
  }
}

export interface TermPlace {
  readonly at: number;
  readonly end: number;
  readonly isWhole: boolean;
}

/** Whether a text begins with a letter or digit of a script that has blanks between its words. */
function isWordCharacter(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && !unspaced.test(text);
}

const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
