import { expect, test } from "vitest";
import { inlineTokens, parsePlan } from "./parse.ts";
import { noteLine } from "./marks.ts";

/** Each block as its lines, and its words by kind. */
function marked(text: string): readonly string[] {
  return parsePlan(text).map(({ token, children, from, to }) => {
    const words = inlineTokens((children[0] ?? { token }).token).map(({ type, content }) => `${type} ${content}`);
    return `${from}-${to}: ${words.join(" | ")}`;
  });
}

test("B19.3 footnotes: each a paragraph of its own, also one that looks like the definition of a link", () => {
  expect(marked("One[^a] and [^b].\n\n[^a]: word\n[^b]: more\n  of it\n\n[^c]: x\n- item\n")).toEqual([
    "1-1: text One | note_ref [^a] | text  and  | note_ref [^b] | text .",
    "3-3: note [^a]: | text  word",
    "4-5: note [^b]: | text  more | softbreak  | text of it",
    "7-7: note [^c]: | text  x",
    "8-8: ",
  ]);
});

test("B19.3 details: bare tags are signs; what has anything else in its tag, or is not closed, stays text", () => {
  expect(marked("<details>\n<summary>Why *so*?</summary>\n\nx\n\n</details>\n")).toEqual([
    "1-2: fold <details> | softbreak  | summary_open <summary> | text Why  | em_open  | text so | em_close  | text ? | summary_close </summary>",
    "4-4: text x",
    "6-6: fold </details>",
  ]);
  expect(marked('<details class="x">\n')).toEqual(['1-1: text <details class="x">']);
  expect(marked("<summary>open\n")).toEqual(["1-1: text <summary> | text open"]);
  expect(marked("*<summary>a* b</summary>\n")[0]).not.toContain("summary_");
  expect(marked("`[^a] <details>`\n")).toEqual(["1-1: code_inline [^a] <details>"]);
});

test("a note leads to its line, and back to the first that refers to it", () => {
  const text = "One[^a].\n\n[^a]: as in[^b]\n> [^b]: quoted\n";
  expect(["a", "b", "c"].map((name) => noteLine(text, name, "note"))).toEqual([3, 4, null]);
  expect(["a", "b"].map((name) => noteLine(text, name, "reference"))).toEqual([1, 3]);
});
