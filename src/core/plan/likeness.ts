/** How much two texts have in common: twice the common words by all words, from 0 to 1. */
export function likeness(one: string, other: string): number {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of others) {
    const count = left.get(word) ?? 0;
    if (count > 0) common += 1;
    left.set(word, count - 1);
  }
  return (2 * common) / Math.max(1, words.length + others.length);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
