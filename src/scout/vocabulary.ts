/** Numbers for terms, so that files are stored as numbers. */
import { termsOfName } from "./words.ts";

export interface Vocabulary {
  readonly words: readonly string[];
  /** The numbers of a name's terms; unknown terms get new numbers. */
  readonly idsOf: (name: string) => readonly number[];
}

const mostRemembered = 150_000;

export function makeVocabulary(known: readonly string[] = []): Vocabulary {
  const words = [...known];
  const ids = new Map(words.map((word, id) => [word, id]));
  const remembered = new Map<string, readonly number[]>();
  const idOf = (term: string): number => {
    const id = ids.get(term);
    if (id !== undefined) return id;
    ids.set(term, words.length);
    return words.push(term) - 1;
  };
  const idsOf = (name: string): readonly number[] => {
    const had = remembered.get(name);
    if (had !== undefined) return had;
    if (remembered.size >= mostRemembered) remembered.clear();
    const found = termsOfName(name).map(idOf);
    remembered.set(name, found);
    return found;
  };
  return { words, idsOf };
}
