import { describe, expect, test } from "vitest";
import { firstText, secondText, serverState } from "../page-fixtures.ts";
import { opening } from "../state.ts";
import { diffBlocks, foldBlocks } from "./blocks.ts";
import { countChanges, diffLines, foldLines, rewordings, wordSpans } from "./lines.ts";
import { sidesOf } from "./sides.ts";

describe("the difference by lines", () => {
  test("B3.1 removed lines stand before the added ones, with numbers and changed words", () => {
    expect(diffLines("a\nround half up\nz", "a\nround half to even\nz")).toEqual([
      { kind: "same", text: "a", old: 1, new: 1, spans: [] },
      { kind: "del", text: "round half up", old: 2, new: null, spans: [{ start: 11, end: 13 }] },
      { kind: "add", text: "round half to even", old: null, new: 2, spans: [{ start: 11, end: 18 }] },
      { kind: "same", text: "z", old: 3, new: 3, spans: [] },
    ]);
    expect(countChanges("a\nb\nc", "a\nc\nd\ne")).toEqual({ added: 2, removed: 1 });
  });

  test("B3.1 another line is not marked word by word", () => {
    expect(wordSpans(["entirely other words", "nothing in common here"])).toEqual({ del: [], add: [] });
  });

  test("B3.1 the two texts can be put together again from the lines", () => {
    const [before, after] = ["a\nb\n\nc\nd", "x\nb\nc\n\ny\nd\n"];
    const lines = diffLines(before, after);
    expect(lines.flatMap(({ kind, text }) => (kind === "add" ? [] : [text])).join("\n")).toBe(before);
    expect(lines.flatMap(({ kind, text }) => (kind === "del" ? [] : [text])).join("\n")).toBe(after);
  });

  test("long stretches without a change are folded, nothing is left out", () => {
    const many = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const lines = diffLines(many.join("\n"), many.with(20, "changed").join("\n"));
    const folds = foldLines(lines);
    expect(folds.map(({ kind, parts }) => [kind, parts.length])).toEqual([
      ["fold", 17],
      ["shown", 8],
      ["fold", 16],
    ]);
    expect(folds.flatMap(({ parts }) => parts)).toEqual(lines);
  });
});

describe("the difference by blocks", () => {
  test("B3.1 a list is compared item by item", () => {
    const units = diffBlocks(firstText, secondText).map(({ kind, block }) => [kind, block.source]);
    expect(units).toEqual([
      ["same", "# Plan"],
      ["add", "- zero"],
      ["same", "- one"],
      ["same", "- two"],
    ]);
  });

  test("B3.1 changed words inside of a block are marked, marks of Markdown aside", () => {
    const changed = diffBlocks("It is **very** wrong here.", "It is **rather** wrong here.");
    expect(changed.map(({ kind }) => kind)).toEqual(["reworded"]);
    expect(rewordings("It is very wrong.", "It is rather wrong now.")).toEqual([
      { start: 6, end: 12, gone: "very" },
      { start: 18, end: 22, gone: "" },
    ]);
  });

  test("B3.1 B19.3 what only the old text said beside its words is not lost in one drawing: both are shown", () => {
    expect(kinds("See [the page](https://a.example/) here.", "See [the page](https://b.example/) there.")).toEqual([
      "del",
      "add",
    ]);
    expect(kinds("- [ ] test it well", "- [x] test it very well")).toEqual(["del", "add"]);
    expect(kinds("It is **very** wrong.", "It is very wrong.")).toEqual(["del", "add"]);
  });

  test("blocks far from a change are folded, the heading above it stays", () => {
    const words = Array.from({ length: 9 }, (_, index) => `paragraph ${index}`);
    const before = ["# One", ...words, "# Two", "end"].join("\n\n");
    const folds = foldBlocks(diffBlocks(before, before.replace("end", "other end")));
    expect(folds.map(({ kind, parts }) => [kind, parts.length])).toEqual([
      ["fold", 10],
      ["shown", 2],
    ]);
  });
});

test("B3.1 any two texts can be compared: revisions, the one seen last, and the own edit", () => {
  const revisions = [firstText, "# Between\n", secondText].map((text, index) => {
    return { number: index + 1, hash: text, text, at: index, by: index === 1 ? "person" : "model" } as const;
  });
  const server = serverState(secondText, { revisions, previous: firstText });
  const shown = { facts: server, text: secondText, hash: "h", requestId: null, revision: 3, asked: true, armed: true };
  const sides = sidesOf(server, { ...opening, shown, words: { ...opening.words, edit: "mine" } });
  expect(sides.map(({ key, name }) => `${key}: ${name}`)).toEqual([
    "2: revision 2, edited by a person",
    "previous: revision 1 (seen last)",
    "now: revision 3 (shown)",
    "edit: with your changes",
  ]);
});

function kinds(before: string, after: string): readonly string[] {
  return diffBlocks(before, after).map(({ kind }) => kind);
}
