/** How much each signal counts: fitted offline on real commits (`bench/scout.mjs`), stored here as plain numbers. */

export type Signal =
  | "content"
  | "contentNames"
  | "defined"
  | "definedNames"
  | "fused"
  | "path"
  | "base"
  | "cover"
  | "mention"
  | "breadth"
  | "alike"
  | "said"
  | "often"
  | "lately"
  | "justNow"
  | "imported"
  | "importing"
  | "together"
  | "tested"
  | "twin"
  | "folder"
  | "isTest"
  | "isExample"
  | "isDocument"
  | "isSettings"
  | "isStyle"
  | "isLocale"
  | "isNoise"
  | "isOther"
  | "isMachineMade"
  | "isTiny"
  | "isRoot"
  | "isTyping"
  | "size";

export type Weights = Readonly<Partial<Record<Signal, number>>>;

export const first: Weights = {
  content: 1,
  fused: 1.5,
  path: 0.7,
  cover: 0.5,
  defined: 0.5,
  definedNames: 0.6,
  mention: 2,
  alike: 0.6,
  said: 0.8,
  often: 0.2,
  lately: 0.4,
  isTest: -0.8,
  isExample: -0.7,
  isDocument: -1,
  isSettings: -0.7,
  isStyle: -0.4,
  isLocale: -0.8,
  isNoise: -1.5,
  isOther: -0.5,
  isMachineMade: -0.5,
};

export const last: Weights = {
  ...first,
  imported: 0.2,
  importing: 0.1,
  together: 0.4,
  tested: 0.3,
  twin: 0.1,
  folder: 0.1,
};
