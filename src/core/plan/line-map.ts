/** Which line of one text is which line of another: lines that are the only ones of their kind first, then the longest common run between them. */

/** Lines that differ, half open, counted from 0: the old ones were taken out where the new ones came in. */
export interface Hunk {
  readonly old: Stretch;
  readonly now: Stretch;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface LineMap {
  /** The new place of each old line, counted from 0; -1 where it is gone. */
  readonly places: Int32Array;
  readonly hunks: readonly Hunk[];
}

export function mapLines(before: readonly string[], after: readonly string[]): LineMap {
  const places = new Int32Array(before.length).fill(-1);
  const open: Hunk[] = [{ old: { from: 0, to: before.length }, now: { from: 0, to: after.length } }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = withoutSameEnds(before, after, next, places);
    if (inner.old.from === inner.old.to || inner.now.from === inner.now.to) continue;
    const anchors = uniquePairs(before, after, inner);
    if (anchors.length === 0) matchLongest(before, after, inner, places);
    else open.push(...between(anchors, inner));
  }
  return { places, hunks: hunksOf(places, after.length) };
}

function withoutSameEnds(before: readonly string[], after: readonly string[], hunk: Hunk, places: Int32Array): Hunk {
  const [old, now] = [{ ...hunk.old }, { ...hunk.now }];
  while (old.from < old.to && now.from < now.to && before[old.from] === after[now.from]) {
    places[old.from] = now.from;
    old.from += 1;
    now.from += 1;
  }
  while (old.from < old.to && now.from < now.to && before[old.to - 1] === after[now.to - 1]) {
    old.to -= 1;
    now.to -= 1;
    places[old.to] = now.to;
  }
  return { old, now };
}

interface Pair {
  readonly old: number;
  readonly now: number;
}

/** Lines that stand once on either side, as many of them as keep their order. */
function uniquePairs(before: readonly string[], after: readonly string[], { old, now }: Hunk): readonly Pair[] {
  const [once, onceNow] = [onlyOnes(before, old), onlyOnes(after, now)];
  const pairs = [...once].flatMap(([line, at]) => {
    const there = onceNow.get(line);
    return there === undefined ? [] : [{ old: at, now: there }];
  });
  return longestRising(pairs);
}

function onlyOnes(lines: readonly string[], { from, to }: Stretch): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (let at = from; at < to; at += 1) {
    if (found.has(lines[at]!)) twice.add(lines[at]!);
    found.set(lines[at]!, at);
  }
  for (const line of twice) found.delete(line);
  return found;
}

/** The pairs come in the order of the old lines. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [];
  const earlier: number[] = [];
  for (const [index, { now }] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]!.now < now) low = middle + 1;
      else high = middle;
    }
    earlier.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = index;
  }
  const rising: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = earlier[at]!) rising.unshift(pairs[at]!);
  return rising;
}

/** Each anchor is the first line of the stretch that follows it. */
function between(anchors: readonly Pair[], { old, now }: Hunk): readonly Hunk[] {
  const starts = [{ old: old.from, now: now.from }, ...anchors];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? { old: old.to, now: now.to };
    return { old: { from: start.old, to: end.old }, now: { from: start.now, to: end.now } };
  });
}

/** More than a plan's section, and all of it repeated lines: it is another text. */
const mostCells = 4_000_000;

function matchLongest(before: readonly string[], after: readonly string[], hunk: Hunk, places: Int32Array): void {
  const { old, now } = hunk;
  const [height, width] = [old.to - old.from, now.to - now.from + 1];
  if (height * width > mostCells) return;
  const lengths = new Uint16Array((height + 1) * width);
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let column = width - 2; column >= 0; column -= 1) {
      const isSame = before[old.from + row] === after[now.from + column];
      const below = lengths[(row + 1) * width + column]!;
      const right = lengths[row * width + column + 1]!;
      lengths[row * width + column] = isSame ? lengths[(row + 1) * width + column + 1]! + 1 : Math.max(below, right);
    }
  }
  for (let [row, column] = [0, 0]; row < height && column < width - 1;) {
    if (before[old.from + row] === after[now.from + column]) {
      places[old.from + row] = now.from + column;
      row += 1;
      column += 1;
    } else if (lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!) row += 1;
    else column += 1;
  }
}

function hunksOf(places: Int32Array, length: number): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [old, now] = [0, 0];
  for (let at = 0; at <= places.length; at += 1) {
    const place = at === places.length ? length : places[at]!;
    if (place < 0) continue;
    if (at > old || place > now) hunks.push({ old: { from: old, to: at }, now: { from: now, to: place } });
    [old, now] = [at + 1, place + 1];
  }
  return hunks;
}
