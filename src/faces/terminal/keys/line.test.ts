/** The line that is being written, key by key. */
import { describe, expect, test } from "vitest";
import { accepted, completable, offered } from "./completion.ts";
import { nearest } from "./complete.ts";
import { chooseKeys } from "./keys.ts";
import { rowsOfText } from "./line-rows.ts";
import { emptyLine, linePressed, lineText, remembered, withText, type WrittenLine } from "./line.ts";

const up = "\u001B[A";
const down = "\u001B[B";
const left = "\u001B[D";
const facts = { keys: chooseKeys().keys, width: 20, rows: 5, now: 1_000 };

function after(
  start: WrittenLine,
  ...inputs: readonly string[]
): { readonly line: WrittenLine; readonly sent: readonly string[] } {
  let line = start;
  const sent: string[] = [];
  for (const input of inputs) {
    const step = linePressed(line, input, facts);
    line = step.line;
    if (step.sent !== null) sent.push(step.sent);
  }
  return { line, sent };
}

/** The text with a bar at the cursor. */
function shown({ box: { text, at } }: WrittenLine): string {
  return `${text.slice(0, at)}|${text.slice(at)}`;
}

function pasteOf(text: string): string {
  return `\u001B[200~${text}\u001B[201~`;
}

const letters = (text: string): readonly string[] => Array.from(text);
const long = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");

describe("keys", () => {
  test.each<[string, readonly string[], string]>([
    ["letters", letters("hi you"), "hi you|"],
    ["a letter let go types nothing", ["a", "\u001B[97;1:3u"], "a|"],
    ["a new line", ["a", "\u001B[13;2u", "b"], "a\nb|"],
    ["ctrl+j", ["a", "\n", "b"], "a\nb|"],
    ["a backslash before Enter", ["a", "\\", "\r", "b"], "a\nb|"],
    [
      "cut to the end, and put back twice",
      [...letters("one two"), left, left, left, "\u000B", "\u0019", "\u0019"],
      "one twotwo|",
    ],
    [
      "words cut one after the other are put back as one",
      [...letters("one two"), "\u0017", "\u0017", "\u0019"],
      "one two|",
    ],
    ["an older one in its place", ["a", "\u0015", "b", "\u0015", "\u0019", "\u001By"], "a|"],
    ["undo takes a word", [...letters("one two"), "\u001F"], "one|"],
    ["undo again takes all", [...letters("one two"), "\u001F", "\u001F"], "|"],
    ["undo of a paste", ["a", pasteOf("b c"), "\u001F"], "a|"],
    ["cut at the end of a line joins the next", ["a", "\n", "b", up, "\u0005", "\u000B"], "a|b"],
    ["up goes to the beginning at last", ["a", "b", up], "|ab"],
    ["down to the end", ["a", "b", up, down], "ab|"],
  ])("%s", (_, inputs, text) => {
    expect(shown(after(emptyLine, ...inputs).line)).toBe(text);
  });

  test("rows that were broken at the width are gone through one by one", () => {
    const { line } = after(emptyLine, ...letters("one two three four five six"));
    expect(shown(after(line, up).line)).toBe("one two |three four five six");
    expect(shown(after(line, up, "X").line)).toBe("one two X|three four five six");
    expect(shown(after(line, up, down).line)).toBe("one two three four five six|");
  });
});

describe("sending", () => {
  test("Enter sends the words without blanks around them, and the line is empty", () => {
    const { line, sent } = after(emptyLine, ...letters(" hi "), "\r");
    expect(sent).toEqual(["hi"]);
    expect(line).toEqual(emptyLine);
  });

  test("another key sends where it is bound so, and Enter then is a new line", () => {
    const keys = chooseKeys({ submit: "ctrl+s" }).keys;
    const typed = linePressed(emptyLine, "a", { ...facts, keys }).line;
    expect(shown(linePressed(typed, "\r", { ...facts, keys }).line)).toBe("a\n|");
    expect(linePressed(typed, "\u0013", { ...facts, keys }).sent).toBe("a");
  });

  test("when words are taken away that were not sent, that is remembered", () => {
    expect(after(emptyLine, "a", "\u007F").line.clearedAt).toBe(1_000);
    expect(after(emptyLine, "a", "\r").line.clearedAt).toBeNull();
    expect(withText(after(emptyLine, "a").line, "", 7).clearedAt).toBe(7);
  });
});

describe("large pastes", () => {
  test("are one sign in the line and whole when sent", () => {
    const { line } = after(emptyLine, "a", pasteOf(long), "b");
    expect(line.box.text).toBe("a[paste #1 +12 lines]b");
    expect(lineText(line)).toBe(`a${long}b`);
    expect(after(line, "\r").sent).toEqual([`a${long}b`]);
    expect(shown(after(line, left, left).line)).toBe("a|[paste #1 +12 lines]b");
    expect(shown(after(line, left, "\u007F").line)).toBe("a|b");
  });

  test("many characters are one, too, and controls are left out", () => {
    expect(after(emptyLine, pasteOf("x".repeat(1_001))).line.box.text).toBe("[paste #1 1001 chars]");
    expect(lineText(after(emptyLine, pasteOf("a\u0007b\tc")).line)).toBe("ab    c");
  });

  test("what a person writes like a mark stays what it is", () => {
    expect(after(emptyLine, ...letters("[paste #7 +12 lines]"), "\r").sent).toEqual(["[paste #7 +12 lines]"]);
  });
});

describe("history", () => {
  const line = ["first", "second", "second", "third"].reduce(remembered, emptyLine);

  test.each<[string, readonly string[], string]>([
    ["up", [up], "third|"],
    ["up, up, up, up", [up, up, up, up], "first|"],
    ["up, up, down", [up, up, down], "third|"],
    ["up, down: empty again", [up, down], "|"],
    ["changed, it is a new line", [up, "!", up], "|third!"],
    ["words are not lost to it", ["a", up], "|a"],
  ])("%s", (_, inputs, text) => {
    expect(shown(after(line, ...inputs).line)).toBe(text);
  });
});

describe("completion", () => {
  test.each([
    ["/", { kind: "command", word: "" }],
    ["/pl", { kind: "command", word: "pl" }],
    ["say /pl", null],
    ["/plan a", null],
    ["see @src/c", { kind: "file", word: "src/c" }],
    ["a@b", null],
    ["one\n@x", { kind: "file", word: "x" }],
    ["one\n/pl", null],
  ])("of %j", (text, wanted) => {
    expect(completable({ text, at: text.length })).toEqual(wanted);
  });

  const items = ["/plan", "/plans"].map((value) => ({ value, label: value, note: "" }));
  const completing: WrittenLine = { ...withText(emptyLine, "/pl", 0), completion: offered({ items, prefix: "/pl" }) };

  test("arrows go round, Tab takes it, Enter takes and sends a command, Esc closes the list", () => {
    expect(after(completing, down, down, down).line.completion?.selected).toBe(1);
    expect(shown(after(completing, down, "\t").line)).toBe("/plans |");
    expect(after(completing, "\r").sent).toEqual(["/plan"]);
    expect(after(completing, "\u001B").line).toEqual({ ...completing, completion: null });
  });

  test("a file is taken by Enter, and nothing is sent", () => {
    const files = offered({ items: [{ value: "@src/a.ts", label: "src/a.ts", note: "" }], prefix: "@a" });
    const { line, sent } = after({ ...withText(emptyLine, "see @a", 0), completion: files }, "\r");
    expect([shown(line), sent]).toEqual(["see @src/a.ts |", []]);
  });

  test("what was made for other words is not put in", () => {
    expect(accepted(completing.completion!, { text: "/model", at: 6 })).toEqual({ text: "/model", at: 6 });
  });

  test("the nearest file comes first", () => {
    const paths = ["docs/cart-notes.md", "src/cart.js", "src/other.js"];
    expect(nearest(paths, "cart")).toEqual(["src/cart.js", "docs/cart-notes.md"]);
    expect(nearest(paths, "")).toBe(paths);
    expect(nearest(paths, "zz")).toEqual([]);
  });
});

test("rows break at blanks, wide characters count twice, and hidden ones are seen", () => {
  expect(rows("one two three", 8)).toEqual(["one two ", "three"]);
  expect(rows("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(rows("漢字漢字", 5)).toEqual(["漢字", "漢字"]);
  expect(rows("a\u202Eb", 20)).toEqual(["a\\u{202e}b"]);
  expect(rows("a\n\nb", 20)).toEqual(["a", "", "b"]);
});

function rows(text: string, width: number): readonly string[] {
  return rowsOfText({ text, at: 0 }, width).rows.map(({ shown }) => shown);
}
