/** Foreign text on a terminal: visible, harmless, never too wide. */
import { describe, expect, test } from "vitest";
import { xtermColumns } from "../../../../test/support/xterm-columns.ts";
import { clampLine, columnsOf, cursorMark, padded, safeLine, safePath, safeText } from "./safe-text.ts";
import { wrapSpans, wrapText } from "./spans.ts";

const family = "👨‍👩‍👧‍👦";

describe("safeText", () => {
  test.each([
    ["\u001B[2Jgone", "\\u{1b}[2Jgone"],
    ["\u001B]0;title\u0007", "\\u{1b}]0;title\\u{7}"],
    ["a\u202Eb", "a\\u{202e}b"],
    ["a\u200Bb", "a\\u{200b}b"],
    ["\u009B2J", "\\u{9b}2J"],
    ["a\rb", "a\\u{d}b"],
    ["a\r\nb", "a\nb"],
    ["\tx", "    x"],
    ["\uD800", "\\u{d800}"],
    [" ".repeat(400), "⟨400 blanks⟩"],
    ["\u0301x", "\\u{301}x"],
    ["é", "é"],
    ["\uFFF5", "\\u{fff5}"],
    [`e${"\u0301".repeat(8)}`, `e${"\u0301".repeat(6)}\\u{301}\\u{301}`],
    [family, family],
    ["日本", "日本"],
  ])("B2.5 %j is shown as %j", (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });
});

describe("safeLine", () => {
  test("cuts at the width and shows the cut", () => {
    expect(safeLine("hello world", 8)).toBe("hello w…");
    expect(safeLine("hello", 5)).toBe("hello");
    expect(safeLine("日本語", 5)).toBe("日本…");
    expect(safeLine("日本語", 4)).toBe("日…");
    expect(safeLine("one\ntwo", 20)).toBe("one ⏎ two");
    expect(safeLine("x", 0)).toBe("");
  });

  test("looks only at the beginning of a line of 10 MB", () => {
    const line = `\u001B[2J${"x\u0301".repeat(5_000_000)}`;
    expect(columnsOf(safeLine(line, 80))).toBe(80);
  });
});

test("safePath keeps the end of a path", () => {
  expect(safePath("/home/ada/plans/otter.md", 12)).toBe("…ns/otter.md");
  expect(safePath("/a/日本", 4)).toBe("…本");
  expect(safePath("/a", 10)).toBe("/a");
});

describe("clampLine", () => {
  test("keeps styles and the end of a style, and drops what moves the cursor", () => {
    expect(clampLine("\u001B[1mbold\u001B[22m", 10)).toBe("\u001B[1mbold\u001B[22m");
    expect(clampLine("\u001B[1mbold\u001B[22m", 3)).toBe("\u001B[1mbo\u001B[0m…");
    expect(clampLine("a\u001B[2Jb\u0007", 10)).toBe("a[2Jb");
    expect(clampLine(`a${cursorMark}b`, 10)).toBe(`a${cursorMark}b`);
  });

  test("never gives more than the width, whatever is in the line", async () => {
    const all: { readonly shown: string; readonly width: number }[] = [];
    for (const seed of seeds(400)) {
      const width = seed % 90;
      const line = randomText(seed);
      for (const shown of [clampLine(line, width), safeLine(line, width), clampLine(safeText(line), width)]) {
        expect(columnsOf(shown)).toBeLessThanOrEqual(width);
      }
      all.push({ shown: safeLine(line, width), width }, { shown: clampLine(safeText(line), width), width });
      expect(columnsOf(padded(line, width))).toBe(width);
    }
    const columns = await xtermColumns(all.map(({ shown }) => shown));
    expect(all.filter(({ width }, index) => columns[index]! > width)).toEqual([]);
  });
});

describe("wrapping", () => {
  test("breaks at blanks, then within words, and keeps an indentation", () => {
    expect(wrapText("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrapText("abcdefghijkl", 5)).toEqual(["abcde", "fghij", "kl"]);
    expect(wrapText("    code that is long", 12)).toEqual(["    code", "that is long"]);
    expect(wrapSpans([{ text: "- an item of a list" }], { width: 10, hanging: 2 })).toEqual([
      "- an item",
      "  of a",
      "  list",
    ]);
    expect(wrapText("日本語日本語", 5)).toEqual(["日本", "語日", "本語"]);
    expect(wrapText("", 5)).toEqual([""]);
  });

  test("a style goes on in the next row", () => {
    expect(wrapSpans([{ text: "one " }, { text: "two three", style: loud }], { width: 8 })).toEqual([
      "one <two>",
      "<three>",
    ]);
  });

  test("loses nothing but blanks, and no row is too wide, whatever the text", () => {
    for (const seed of seeds(400)) {
      const width = 2 + (seed % 60);
      const text = safeText(randomText(seed));
      const rows = wrapText(text, width);
      for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(width);
      if (width >= 14) expect(bare(rows.join(""))).toBe(bare(text));
    }
  });
});

function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index * 7919 + 13);
}

function randomText(seed: number): string {
  const pieces = [
    "a",
    "word ",
    "  ",
    "日",
    "é",
    "e\u0301",
    family,
    "❤️",
    "🇩🇪",
    "\u001B[31m",
    "\u001B[2J",
    "\u202E",
    "\t",
    "1️⃣",
    "👍🏽",
  ];
  const more = [
    "\u200B",
    "\uD83D",
    "\n",
    "ำ",
    "각",
    "नि",
    "ﷺ",
    "\u0600",
    "…",
    "│",
    "x".repeat(30),
    "\u009B",
    "𝔘",
    "\u0007",
  ];
  const all = [...pieces, ...more];
  let state = seed;
  const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648);
  return Array.from({ length: next() % 40 }, () => all[next() % all.length]!).join("");
}

function loud(text: string): string {
  return `<${text}>`;
}

function bare(text: string): string {
  return text.replaceAll(/\s/g, "");
}
