import { expect, test } from "vitest";
import { makeFinder, pairsOf } from "./passage.ts";

const terms = new Map([
  ["lantern", 3],
  ["window", 2],
  ["curtain", 1],
]);

test("the stretch of lines with most of the words is found, with its first line", () => {
  const find = makeFinder({ terms, pairs: new Map(), phrases: [] });
  const text = `lantern\n${"\n".repeat(40)}const lanternWindow = 1;\ncurtain();\n${"\n".repeat(40)}window\n`;
  expect(find(text)).toEqual({ window: 6, line: 29, pairs: 0, phrases: 0 });
});

test("neighbouring words and quoted texts count where they stand together", () => {
  const pairs = pairsOf("Close the lantern window, then the curtain", terms);
  expect([...pairs]).toEqual([["lantern window", 2]]);
  const find = makeFinder({ terms, pairs, phrases: ["cannot close"] });
  expect(find("lantern_window // Cannot close it").pairs).toBe(2);
  expect(find("window lantern // Cannot close it")).toMatchObject({ pairs: 0, phrases: 1 });
});

test("an empty file has no passage", () => {
  expect(makeFinder({ terms, pairs: new Map(), phrases: [] })("")).toEqual({
    window: 0,
    line: 1,
    pairs: 0,
    phrases: 0,
  });
});
