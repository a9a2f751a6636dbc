/** The difference of two texts by lines, for a model to read: what went, what came, a little around it. */

/** Null when it is longer than `limit` characters: then half of it would mislead. */
export function differenceOf(before: string, after: string, limit = 4_000): string | null {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const start = commonStart(old, now);
  const end = commonEnd(old.slice(start), now.slice(start));
  const changes = compare(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const context = (from: number, to: number) => now.slice(Math.max(0, from), to).map((line) => ` ${line}`);
  const shown = [
    `@@ line ${start + 1} @@`,
    ...context(start - contextLines, start),
    ...changes,
    ...context(now.length - end, Math.min(now.length, now.length - end + contextLines)),
  ].join("\n");
  return shown.length > limit ? null : shown;
}

const contextLines = 2;
/** Above this many pairs of lines, all old lines go and all new ones come. */
const mostPairs = 1_000_000;

function commonStart(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at < 0 ? one.length : at;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[one.length - 1 - count] === other[other.length - 1 - count]) count += 1;
  return count;
}

/** By the longest common subsequence; unchanged lines in between are kept. */
function compare(old: readonly string[], now: readonly string[]): readonly string[] {
  const removed = old.map((line) => `-${line}`);
  const added = now.map((line) => `+${line}`);
  if (old.length * now.length > mostPairs) return [...removed, ...added];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column]!;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      lines.push(` ${old[row]}`);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push(removed[row++]!);
    else lines.push(added[column++]!);
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)];
}
