/** Texts made comparable: without case, accents, width and kinds of blanks; and where words begin in them. */

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
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

/** Whether such a word may begin only where no letter or digit is before it; scripts without blanks have no such places. */
export function needsBoundary(folded: string): boolean {
  return /^[\p{L}\p{N}]/u.test(folded) && !unspaced.test(folded);
}

export function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character) && !unspaced.test(character);
}

const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
