/** The box for typing, key by key. */
import { describe, expect, test } from "vitest";
import { readKey } from "./key-input.ts";
import { cursorMark } from "../view/safe-text.ts";
import { noColour } from "../view/theme.ts";
import { boxRows } from "./line-view.ts";
import { boxOf, emptyBox, typed, type TextBox } from "./text-box.ts";

const left = "\u001B[D";
const up = "\u001B[A";

test.each<[string, readonly string[], TextBox]>([
  ["digits and letters", ["1", "y", " ", "2"], { text: "1y 2", at: 4 }],
  ["in the middle", ["a", "c", left, "b"], { text: "abc", at: 2 }],
  ["removing a whole character", ["a", "👨‍👩‍👧", "\u007F"], { text: "a", at: 1 }],
  ["removing a word", ["one two", "\u0017"], { text: "one ", at: 4 }],
  ["removing a line", ["one two", "\u0015"], { text: "", at: 0 }],
  ["another line", ["a", "\u001B\r", "b"], { text: "a\nb", at: 3 }],
  ["to the beginning and the end", ["bc", "\u0001", "a", "\u0005", "d"], { text: "abcd", at: 4 }],
  ["up and down between lines", ["one", "\u001B\r", "two", up, "X"], { text: "oneX\ntwo", at: 4 }],
  ["a paste", ["\u001B[200~a\r\n1\u001B[201~"], { text: "a\n1", at: 3 }],
  ["both halves of an emoji", ["\uD83D", "\uDE00"], { text: "😀", at: 2 }],
])("%s", (_, inputs, box) => {
  expect(inputs.reduce<TextBox>((state, input) => typed(state, readKey(input)) ?? state, emptyBox)).toEqual(box);
});

test("keys that are not for the box are left to others", () => {
  expect(["\r", "\u001B", "\t", "\u001B[5~"].map((input) => typed(emptyBox, readKey(input)))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

describe("on the screen", () => {
  const look = { width: 12, rows: 3, theme: noColour(), hint: "Type" };

  test("a long text is broken and the rows around the cursor are shown", () => {
    const rows = boxRows(boxOf("abcdefghijklmnopqrstuvwxyz1234567890"), look).map((row) =>
      row.replaceAll(/\u001B\[\d+m/g, "").replaceAll(cursorMark, ""),
    );
    expect(rows).toEqual(["  jklmnopqr", "  stuvwxyz1", "  234567890 "]);
  });

  test("words are broken at blanks", () => {
    const rows = boxRows({ text: "four words in rows", at: 0 }, look).map((row) => row.trimEnd());
    expect(rows.slice(1)).toEqual(["  words in", "  rows"]);
  });

  test("what was pasted is shown harmless", () => {
    expect(boxRows(boxOf("\u001B[2J"), { ...look, width: 40 })[0]).toContain("\\u{1b}[2J");
  });

  test("the hint is shown while nothing is typed", () => {
    expect(boxRows(emptyBox, look)[0]).toContain("Type");
  });
});
