/** What a terminal sends, in whatever pieces, is the same keys. */
import { expect, test } from "vitest";
import { takenApart } from "./key-stream.ts";

const paste = "\u001B[200~one\r\n\u001B[A two\u001B[201~";

test.each<[string, string, readonly string[], string]>([
  ["letters", "aé漢😀", ["a", "é", "漢", "😀"], ""],
  ["arrows and letters", "\u001B[Aq\u001B[1;2B", ["\u001B[A", "q", "\u001B[1;2B"], ""],
  ["application mode", "\u001BOAx", ["\u001BOA", "x"], ""],
  ["alt and a letter", "\u001Bbc", ["\u001Bb", "c"], ""],
  ["a paste is one key", `a${paste}b`, ["a", paste, "b"], ""],
  ["a paste without its end", "a\u001B[200~one", ["a"], "\u001B[200~one"],
  ["half a sequence", "a\u001B[1;", ["a"], "\u001B[1;"],
  ["Esc alone", "\u001B", [], "\u001B"],
  ["Esc, then a sequence", "\u001B\u001B[27;1:3u", ["\u001B", "\u001B[27;1:3u"], ""],
  ["Esc twice", "\u001B\u001B", ["\u001B\u001B"], ""],
  ["an answer of the terminal", "\u001B]11;rgb:0/0/0\u0007x", ["\u001B]11;rgb:0/0/0\u0007", "x"], ""],
  ["an answer with another end", "\u001BP>|term\u001B\\x", ["\u001BP>|term\u001B\\", "x"], ""],
  ["a report of a mode", "\u001B[?2026;1$yx", ["\u001B[?2026;1$y", "x"], ""],
  ["shift in rxvt", "\u001B[5$x", ["\u001B[5$", "x"], ""],
  ["the Linux console", "\u001B[[Ax", ["\u001B[[A", "x"], ""],
  ["an old mouse report", "\u001B[M !!x", ["\u001B[M !!", "x"], ""],
  ["a letter that is echoed", "\u001B[97ua", ["\u001B[97u"], ""],
])("%s", (_, text, keys, rest) => {
  expect(takenApart(text)).toEqual({ keys, rest });
});

test("wherever it is cut, the keys are the same", () => {
  const text = `ab\u001B[A\u001B[1;2B${paste}\u001BOQ\u001B]11;rgb:0/0/0\u0007\u001B[97;5uz`;
  const { keys } = takenApart(text);
  for (let cut = 0; cut <= text.length; cut += 1) {
    const first = takenApart(text.slice(0, cut));
    const second = takenApart(first.rest + text.slice(cut));
    expect([...first.keys, ...second.keys, second.rest], `cut at ${cut}`).toEqual([...keys, ""]);
  }
});

test("nothing that is sent makes it stand still: a sequence without an end is let go", () => {
  const { keys, rest } = takenApart(`\u001B[${"1;".repeat(10_000)}`);
  expect(keys[0]).toHaveLength(256);
  expect(rest).toBe("");
});
