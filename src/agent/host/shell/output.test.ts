import { expect, test } from "vitest";
import { keepOutput } from "./output.ts";

const keep = (limit: number, ...chunks: readonly string[]) => {
  const keeper = keepOutput(limit);
  chunks.forEach((chunk) => keeper.take(Buffer.from(chunk)));
  return keeper.end();
};

test("output below the limit stays whole", () => {
  expect(keep(10, "abc", "defg", "hij")).toEqual({ text: "abcdefghij", bytes: 10, truncated: false });
});

test("of longer output the beginning and the end stay, and the gap is counted in bytes", () => {
  expect(keep(10, "abcdefghijklmnopqrstuvwxyz")).toEqual({
    text: "abcde\n[… 16 of 26 bytes left out …]\nvwxyz",
    bytes: 26,
    truncated: true,
  });
  expect(keep(10, ..."abcdefghijklmnopqrstuvwxyz".split(""))).toEqual(keep(10, "abcdefghijklmnopqrstuvwxyz"));
  expect(keep(10, "abc", "defghijklmnop", "q", "rstuvwx", "yz")).toEqual(keep(10, "abcdefghijklmnopqrstuvwxyz"));
});

test("no character is cut in half", () => {
  const { text } = keep(11, "ä".repeat(50));
  expect(text).toBe("ää\n[… 92 of 100 bytes left out …]\nää");
});
