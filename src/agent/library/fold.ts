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

/** Where it stands in a folded text: at the beginning of a word, which scripts without blanks do not mark; `isWhole`: it is all of the word. */
export function* placesOf(text: string, { folded, isPhrase }: Term): Generator<{ readonly isWhole: boolean }> {
  const isBounded = isWordCharacter(folded);
  for (let at = text.indexOf(folded); at !== -1;) {
    const end = at + folded.length;
    const isHere = !isBounded || !isWordCharacter(/.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? "");
    if (isHere) yield { isWhole: isPhrase || !isWordCharacter(text.slice(end, end + 2)) };
    at = text.indexOf(folded, isHere ? end : at + 1);
  }
}

/** Whether a text begins with a letter or digit of a script that has blanks between its words. */
function isWordCharacter(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && !unspaced.test(text);
}

const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
