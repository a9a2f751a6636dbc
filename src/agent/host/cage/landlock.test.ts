import { expect, test } from "vitest";
import { handledRights, rulesetAttribute } from "./landlock.ts";

const words = (abi: number, network: "none" | "tcp") =>
  Array.from(new BigUint64Array(new Uint8Array(rulesetAttribute(abi, network)).buffer));

test.each([
  [1, 0x1ff6n],
  [2, 0x3ff6n],
  [3, 0x7ff6n],
  [4, 0x7ff6n],
  [5, 0xfff6n],
  [7, 0xfff6n],
])("B1.11 Landlock of version %i is asked to refuse all that it knows", (abi, rights) => {
  expect(handledRights(abi)).toBe(rights);
});

test("B1.11 the ruleset is as long as the version knows it, with ports from 4 and scopes from 6", () => {
  expect(words(3, "none")).toEqual([0x7ff6n]);
  expect(words(4, "none")).toEqual([0x7ff6n, 3n]);
  expect(words(4, "tcp")).toEqual([0x7ff6n, 1n]);
  expect(words(6, "none")).toEqual([0xfff6n, 3n, 3n]);
});
