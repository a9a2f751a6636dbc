import { expect, test } from "vitest";
import { differenceOf } from "./difference.ts";

test.each([
  ["a line in the middle", "a\nb\nc\nd\ne", "a\nb\nX\nd\ne", "@@ line 3 @@\n a\n b\n-c\n+X\n d\n e"],
  ["lines at the end", "a\n", "a\nb\n", "@@ line 2 @@\n a\n+b\n "],
  ["everything gone", "a\nb", "", "@@ line 1 @@\n-a\n-b\n+"],
  ["two places", "a\nb\nc\nd", "A\nb\nc\nD", "@@ line 1 @@\n-a\n+A\n b\n c\n-d\n+D"],
])("B3.5 the difference shows %s", async (_, before, after, shown) => {
  expect(await differenceOf(before, after)).toBe(shown);
});

test("B3.5 a difference that is too long is not told in part, and is found in time", async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  expect(await differenceOf(lines.join("\n"), lines.toReversed().join("\n"))).toBe(null);
});
