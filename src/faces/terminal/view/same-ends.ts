/** How much two lists have in common at their beginning, and behind it at their end. */
export function sameEnds(one: readonly string[], other: readonly string[]): Ends {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return { start, end };
}

export interface Ends {
  readonly start: number;
  readonly end: number;
}
