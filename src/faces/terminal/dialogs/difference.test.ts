/** The difference of two texts, as lines with their numbers. */
import { expect, test } from "vitest";
import { changedParts, countDifference, differenceLines, unified } from "./difference.ts";

test("shows what went and what came, with the lines around it and their numbers", () => {
  const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n");
  const after = before.replace("line 6", "line six\nand more");
  const lines = differenceLines(before, after, { around: 1 });
  expect(lines).toEqual([
    { kind: "gap", count: 4 },
    { kind: "same", text: "line 5", before: 5, after: 5 },
    { kind: "removed", text: "line 6", before: 6 },
    { kind: "added", text: "line six", after: 6 },
    { kind: "added", text: "and more", after: 7 },
    { kind: "same", text: "line 7", before: 7, after: 8 },
    { kind: "gap", count: 5 },
  ]);
  expect(countDifference(lines)).toEqual({ added: 2, removed: 1 });
  expect(unified(lines)).toBe("@@ … @@\n line 5\n-line 6\n+line six\n+and more\n line 7\n@@ … @@");
});

test("the end of a text counts as a line only where it differs", () => {
  expect(differenceLines("a\n", "b\n").map(({ kind }) => kind)).toEqual(["removed", "added"]);
  expect(differenceLines("a\n", "a")).toEqual([
    { kind: "same", text: "a", before: 1, after: 1 },
    { kind: "removed", text: "", before: 2 },
  ]);
  expect(differenceLines("a", "a")).toEqual([]);
});

test("texts too different to be compared are shown as all old, then all new", () => {
  const { added, removed } = countDifference(differenceLines(text("a"), text("b")));
  expect({ added, removed }).toEqual({ added: 3_000, removed: 3_000 });
});

test("lines that replace each other show which words differ, lines that have little in common do not", () => {
  const alike = differenceLines("return sum;", "return sum * 2;");
  expect([...changedParts(alike)]).toEqual([
    [0, { from: 10, to: 10 }],
    [1, { from: 10, to: 14 }],
  ]);
  expect([...changedParts(differenceLines("return sum;", "throw new Error()"))]).toEqual([]);
  expect([...changedParts(differenceLines("a\nb", "a"))]).toEqual([]);
});

function text(word: string): string {
  return Array.from({ length: 3_000 }, (_, index) => `${word} ${(index * 7919) % 3_001}`).join("\n");
}
