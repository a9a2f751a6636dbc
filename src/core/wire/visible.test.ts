import { expect, test } from "vitest";
import { hasHidden, makeVisible, shownOn, visibleJson } from "./visible.ts";

test.each([
  ["a screen that is cleared", "a\u001B[2Jb", "a\\u{1b}[2Jb"],
  ["a line that is overwritten", "safe\rrm -rf", "safe\\u{d}rm -rf"],
  ["a backspace", "a\bb", "a\\u{8}b"],
  ["a C1 control", "a\u009Bb", "a\\u{9b}b"],
  ["text turned round", "a\u202Eb\u202C", "a\\u{202e}b\\u{202c}"],
  ["isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
  ["a zero-width space", "r\u200Bm", "r\\u{200b}m"],
  ["a joiner between letters", "r\u200Dm", "r\\u{200d}m"],
  ["a byte order mark inside", "a\uFEFFb", "a\\u{feff}b"],
  ["a variation selector", "a\u{E0100}b", "a\\u{e0100}b"],
  ["tag characters", "a\u{E0041}b", "a\\u{e0041}b"],
  ["a Hangul filler", "a\u3164b", "a\\u{3164}b"],
  ["a soft hyphen", "a\u00ADb", "a\\u{ad}b"],
  ["private use", "a\uE000b", "a\\u{e000}b"],
  ["a lone surrogate", "a\uD800b", "a\\u{d800}b"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["400 blanks", `a${" ".repeat(400)}b`, "a⟨400 blanks⟩b"],
  ["wide blanks", `a${"\u3000".repeat(50)}b`, "a⟨50 blanks⟩b"],
])("B2.5 %s becomes visible", (_, text, shown) => {
  expect(makeVisible(text)).toBe(shown);
  expect(hasHidden(text)).toBe(true);
});

test.each(["plain\n\ttext\r\nmore", "中文 العربية עברית ไทย", "👩‍💻 ❤️ 👍🏽 🏳️‍🌈", "  indented by some blanks", "é café"])(
  "B2.5 %j stays as it is",
  (text) => {
    expect(makeVisible(text)).toBe(text.replace(/\r\n/g, "\n"));
    expect(hasHidden(text)).toBe(false);
  },
);

test("B2.5 a terminal is shown what is hidden, a pipe or a file gets the bytes", () => {
  const text = "a\u001B[2Jb\n\tc";
  expect(shownOn({ isTTY: true }, text)).toBe("a\\u{1b}[2Jb\n\tc");
  expect([{}, { isTTY: false }].map((stream) => shownOn(stream, text))).toEqual([text, text]);
});

test("B2.5 JSON holds the same value, and nothing that a terminal obeys", () => {
  const value = { "a\u009B": "\u202Eb\u{E0041}\u007F\u001B", c: ["👩‍💻", 1] };
  const text = visibleJson(value);
  expect(text).toBe(String.raw`{"a\u009b":"\u202eb\udb40\udc41\u007f\u001b","c":["👩‍💻",1]}`);
  expect(JSON.parse(text)).toEqual(value);
  expect(visibleJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
});
