/** How much each signal counts: fitted offline on real commits (`bench/scout.mjs`), stored here as plain numbers. */

/** `first` weighs what a file itself says: the best by it lend to their neighbours. `last` weighs all. */
export const weights = {
  content: { first: 1.8, last: 0.9 },
  defined: { first: 1, last: 1 },
  definedNames: { first: 0.75, last: 0.7 },
  fused: { first: 2, last: 1.5 },
  path: { first: 1.8, last: 1.6 },
  base: { first: -1.3, last: -1.2 },
  cover: { first: 1.3, last: 1.25 },
  mention: { first: 4, last: 4 },
  alike: { first: 1.1, last: 1.1 },
  said: { first: 1.7, last: 1.5 },
  lately: { first: 0.4, last: 0.2 },
  justNow: { first: 1.5, last: 1.5 },
  imported: { first: 0, last: 0.8 },
  importing: { first: 0, last: 0.3 },
  together: { first: 0, last: 0.3 },
  tested: { first: 0, last: 0.55 },
  folder: { first: 0, last: 0.3 },
  window: { first: 0, last: 1.4 },
  pairs: { first: 0, last: 0.35 },
  phrases: { first: 0, last: 2 },
  isTest: { first: -2.4, last: -2.2 },
  isExample: { first: -2.4, last: -2.2 },
  isDocument: { first: -2.2, last: -2 },
  isSettings: { first: -1.6, last: -1.4 },
  isStyle: { first: -0.5, last: -0.5 },
  isLocale: { first: -0.7, last: -0.6 },
  isNoise: { first: -3.5, last: -3.5 },
  isOther: { first: -1, last: -0.9 },
  isMachineMade: { first: -0.3, last: -0.3 },
  isTiny: { first: -0.25, last: -0.2 },
};

export type Signal = keyof typeof weights;

export type Weights = Readonly<Partial<typeof weights>>;

export const signals = Object.keys(weights) as readonly Signal[];

/** One number for each file. */
export type Column = Float64Array;

export type Columns<Name extends Signal = Signal> = Record<Name, Column>;

export function blankColumns<Name extends Signal>(size: number, names: readonly Name[]): Columns<Name> {
  const columns: Partial<Record<Name, Column>> = {};
  for (const name of names) columns[name] = new Float64Array(size);
  return columns as Columns<Name>;
}
