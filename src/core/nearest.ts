/** What somebody may have meant by a name that is none. */

/** The name that a few slips of the finger lead from. */
export function nearest(name: string, known: readonly string[]): string | null {
  const plain = name.toLowerCase().slice(0, 60);
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(plain, candidate.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 4)) ? best.candidate : null;
}

/** Letters to put in, leave out, change, or swap with a neighbour. */
export function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swap = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, change, swap));
    }
    rows.push(row);
  }
  return rows.at(-1)!.at(-1)!;
}
