import { describe, expect, test } from "vitest";
import { fold, foldPlaces, termsOf } from "./fold.ts";
import { foldPlan, rankPlans } from "./rank.ts";

const plan = (id: string, text: string, title = id) => foldPlan({ id, title }, text);
const ranking = (query: string, ...texts: ReturnType<typeof plan>[]): readonly string[] =>
  rankPlans(texts, termsOf(query))
    .toSorted((one, other) => other.terms - one.terms || other.score - one.score)
    .map(({ id }) => id);

describe("words", () => {
  test.each<[string, string]>([
    ["Größe ÄÖÜ", "grosse aou"],
    ["Naïve  Façade\n", "naive facade"],
    ["ＦＵＬＬ width", "full width"],
    ["a\u200bb\u0000c", "a b c"],
    ["Ⅳ ﬁne", "iv fine"],
  ])("B5.4 %j is the same as %j", (text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(foldPlaces(text).folded).toBe(folded);
  });

  test("B5.4 what is found folded is found where it stands in the text", () => {
    const texts = [
      "  Größe  ÄÖÜ ﬁne\t\u0301e\u0301 한국 x\u200b\u200by ",
      "",
      " \n",
      "İstanbul ǅ ½ 𝕏",
      "\u0301a",
      "ß\u00a0ß",
    ];
    for (const text of texts) {
      const { folded, origins } = foldPlaces(text);
      expect(folded).toBe(fold(text));
      expect(origins).toHaveLength(folded.length + 1);
      expect(origins).toEqual(origins.toSorted((one, other) => one - other));
    }
    const { folded, origins } = foldPlaces("Die Größe zählt");
    const at = folded.indexOf("grosse");
    expect("Die Größe zählt".slice(origins[at], origins[at + 6])).toBe("Größe");
  });

  test("B5.4 phrases in quotes, words without the marks around them, each once", () => {
    expect(termsOf('OAuth "log  in" (oauth), … -x')).toEqual([
      { folded: "oauth", isPhrase: false },
      { folded: "log in", isPhrase: true },
      { folded: "x", isPhrase: false },
    ]);
    expect(termsOf('"unclosed phrase')).toEqual([{ folded: "unclosed phrase", isPhrase: true }]);
  });
});

describe("ranking", () => {
  test("B5.4 title before heading before body; whole words before beginnings", () => {
    const texts = [
      plan("body", "# X\nlogin here\n"),
      plan("heading", "# X\n## Login\nnothing\n"),
      plan("title", "# Login\nnothing\n", "Login"),
      plan("prefix", "# X\nloginform here\n"),
      plan("none", "# X\nmylogin\n"),
    ];
    expect(ranking("login", ...texts)).toEqual(["title", "heading", "body", "prefix"]);
  });

  test("B5.4 a rare word counts more than a frequent one, and having both counts most", () => {
    const texts = [
      plan("rare", "zebra"),
      plan("both", "zebra common"),
      ...Array.from({ length: 20 }, (_, at) => plan(`common${at}`, "common word")),
    ];
    expect(ranking("zebra common", ...texts).slice(0, 2)).toEqual(["both", "rare"]);
  });

  test("B5.4 a match at the border of two plans belongs to neither", () => {
    expect(ranking('"end begin"', plan("a", "the end"), plan("b", "begin here"))).toEqual([]);
  });

  test("B5.4 letters beyond ASCII are letters: no match in the middle of a word, one where a script has no blanks", () => {
    expect(ranking("on", plan("a", "führeon ёon"), plan("b", "on"))).toEqual(["b"]);
    expect(ranking("页面", plan("a", "登录页面"))).toEqual(["a"]);
  });
});
