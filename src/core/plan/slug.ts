/** Names of plan files: three words, or the task's own words with a date (R3.2, R3.3, B5.2). */
import { actions, adjectives, nouns } from "./words.ts";

/** Numbers in [0, 1): the host's randomness comes in as an argument. */
export type Random = () => number;

export function wordsSlug(random: Random): string {
  return `${pick(adjectives, random)}-${pick(actions, random)}-${pick(nouns, random)}`;
}

/** `2026-11-15-add-oauth-login-bright`: Unicode kept, safe on every file system. */
export function taskSlug(task: string, date: string, random: Random): string {
  const words = (
    task
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  ).filter((word) => !fillers.has(word));
  const kept = words.slice(0, 6).filter((_, index) => bytes(words.slice(0, index + 1)) <= 180);
  return [date, ...(kept.length === 0 ? ["plan"] : kept), pick(adjectives, random)].join("-");
}

/** Up to ten tries for a name with no file; then a suffix makes it unique for certain. */
export const slugTries = 10;

export function withSuffix(slug: string, random: Random): string {
  return `${slug}-${Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, "0")}`;
}

/** An upper bound in UTF-8: with the date and one word more, names stay below every file system's limit. */
function bytes(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + 3 * word.length + 1, 0);
}

function pick(words: readonly string[], random: Random): string {
  return words[Math.min(words.length - 1, Math.floor(random() * words.length))]!;
}

const fillers = new Set(
  "a an the to of in on for and or with please can could would you we i it is that this my our".split(" "),
);
