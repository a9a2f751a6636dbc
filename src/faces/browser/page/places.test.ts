import { describe, expect, test } from "vitest";
import { placeComments } from "../../../core/plan/anchors.ts";
import { followText, linesText, placeOf } from "./places.ts";

const text = "# Plan\n\nTotals are **wrong** by cents.\n\n- one\n- two\n  - three\n\nThe end.\n";

describe("a selection becomes a place in the source", () => {
  test.each([
    ["a block", { from: 3, to: 3 }, "", { from: 3, to: 3, quote: "Totals are **wrong** by cents." }],
    ["words of a block", { from: 3, to: 3 }, "wrong", { from: 3, to: 3, quote: "wrong" }],
    [
      "words across marks",
      { from: 3, to: 3 },
      "are wrong by",
      { from: 3, to: 3, quote: "Totals are **wrong** by cents." },
    ],
    ["words of a longer block", { from: 5, to: 7 }, "three", { from: 7, to: 7, quote: "three" }],
    ["several lines", { from: 5, to: 7 }, "one\ntwo\nthree", { from: 5, to: 7, quote: "- one\n- two\n  - three" }],
    [
      "too few letters to find again",
      { from: 3, to: 3 },
      "by",
      { from: 3, to: 3, quote: "Totals are **wrong** by cents." },
    ],
    ["blank ends", { from: 4, to: 8 }, "", { from: 5, to: 7, quote: "- one\n- two\n  - three" }],
    ["lines that are not there", { from: 90, to: 99 }, "", { from: 10, to: 10, quote: "" }],
  ])("B3.2 %s", (_, lines, selected, place) => {
    expect(placeOf(text, lines, selected)).toEqual(place);
  });

  test("B3.2 every place is found again in the text it was taken from, with Windows line ends too", () => {
    for (const source of [text, text.replaceAll("\n", "\r\n")]) {
      for (const lines of [
        { from: 3, to: 3 },
        { from: 5, to: 7 },
        { from: 9, to: 9 },
      ]) {
        const place = placeOf(source, lines);
        const [placed] = placeComments([{ id: "c", kind: "note", text: "x", ...place }], source);
        expect(placed).toMatchObject({ anchor: "kept", from: lines.from, to: lines.to });
      }
    }
  });
});

test("B3.2 comments follow their words to another text", () => {
  const comment = { id: "c", kind: "change", text: "x", ...placeOf(text, { from: 5, to: 6 }) } as const;
  expect(followText([comment], `New first line\n${text}`, text)).toEqual([{ ...comment, from: 6, to: 7 }]);
  expect(followText([comment], "# Nothing of it\n", null)).toEqual([comment]);
});

test("B3.2 lines are named as people count them", () => {
  expect([linesText({ from: 3, to: 3 }), linesText({ from: 3, to: 5 })]).toEqual(["line 3", "lines 3–5"]);
});
