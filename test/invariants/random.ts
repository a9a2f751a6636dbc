/** Seeded chance: the same seed gives the same session. */

export interface Chance {
  next(): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  some<Item>(items: readonly Item[]): Item[];
  int(below: number): number;
}

export function createChance(seed: number): Chance {
  let state = (seed + 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
    some: (items) => items.filter(() => next() < 0.3),
    int: (below) => Math.floor(next() * below),
  };
}
