import type { ComponentChildren, VNode } from "preact";
import { describe, expect, test } from "vitest";
import { outlineOf } from "../view/contents.tsx";
import { sizeOf } from "../view/header.tsx";
import { decode, format, parse } from "./addresses.ts";
import { languageOf, linesOf } from "./colours.ts";
import { safeLink } from "./draw-words.tsx";
import { drawNode } from "./draw.tsx";
import { decodeEntity } from "./entities.ts";
import { reading, rewordingPaint, wordsOf } from "./paint.tsx";
import { isUnseen, parsePlan } from "./parse.ts";

/** What a drawing would put into the document, as one line; components of code and tables by their name. */
function drawn(text: string): string {
  return parsePlan(text)
    .map((block) => shown(drawNode(block, reading)))
    .join("");
}

function shown(part: ComponentChildren): string {
  if (Array.isArray(part)) return part.map(shown).join("");
  if (part === null || part === undefined || typeof part === "boolean") return "";
  if (typeof part !== "object") return String(part).replaceAll("<", "‹");
  const { type, props } = part as VNode<Record<string, unknown>>;
  const children = shown(props["children"]);
  if (typeof type !== "string")
    return type.name === "" || type.name.length <= 2 || type.name === "Fragment"
      ? children
      : `<${type.name}>${children}`;
  const told = ["href", "class", "data-from", "data-to", "checked", "start"].filter(
    (name) => props[name] !== undefined,
  );
  return `<${[type, ...told.map((name) => `${name}=${String(props[name])}`)].join(" ")}>${children}</${type}>`;
}

describe("the rendered plan", () => {
  test("B3.6 blocks, items and tasks know their lines", () => {
    expect(drawn("# T\n\nwords\nmore\n\n- [x] done\n- [ ] to do\n  - nested\n")).toBe(
      [
        "<h1 data-from=1 data-to=1>T<a href=#line-1 class=permalink></a></h1>",
        "<p data-from=3 data-to=4>words\nmore</p>",
        "<ul class=tasks>",
        "<li class=task data-from=6 data-to=6><input checked=true></input>done</li>",
        "<li class=task data-from=7 data-to=7><input checked=false></input>to do<ul><li data-from=8 data-to=8>nested</li></ul></li>",
        "</ul>",
      ].join(""),
    );
  });

  test.each([
    ["a script", "<script>alert(1)</script>", "‹script>alert(1)‹/script>"],
    ["an event handler", '<img src=x onerror="alert(1)">', '‹img src=x onerror="alert(1)">'],
    ["a drawing with a handler", "<svg onload=alert(1)>", "‹svg onload=alert(1)>"],
    ["a script link", "[a](javascript:alert(1))", "[a](javascript:alert(1))"],
    ["a script link in odd letters", "[a](JaVaScRiPt:alert(1))", "[a](JaVaScRiPt:alert(1))"],
    ["a script link by references", "[a](&#106;avascript:alert(1))", "[a](javascript:alert(1))"],
    ["a data link", "[a](data:text/html,x)", "[a](data:text/html,x)"],
    ["a file link", "[a](file:///etc/passwd)", "[a](file:///etc/passwd)"],
    ["a link to a path", "[a](src/a.ts)", "<span class=no-link>a <span class=aside>src/a.ts</span></span>"],
    ["a link to the path that it names", "[`src/a.ts`](src/a.ts)", "<span class=no-link><code>src/a.ts</code></span>"],
    [
      "a link to another server without a scheme",
      "[a](//evil.example/x)",
      "<span class=no-link>a <span class=aside>//evil.example/x</span></span>",
    ],
    [
      "a link with a password",
      "[a](https://me:pw@example.org/)",
      "<span class=no-link>a <span class=aside>https://me:pw@example.org/</span></span>",
    ],
    [
      "a picture",
      "![alt](https://example.org/x.png)",
      "<span class=image>image: alt <span class=aside>https://example.org/x.png</span></span>",
    ],
    ["a picture in place", "![alt](data:image/svg+xml;base64,AA==)", "![alt](data:image/svg+xml;base64,AA==)"],
    [
      "a link",
      "[a](https://example.org/x)",
      "<a href=https://example.org/x>a<span class=address>https://example.org/x</span></a>",
    ],
  ])("B2.5 %s is harmless", (_, source, expected) => {
    expect(drawn(source)).toBe(`<p data-from=1 data-to=1>${expected}</p>`);
  });

  test.each([
    ["bidirectional", "a\u202Eb", "\\u{202e}"],
    ["zero-width", "a\u200Bb", "\\u{200b}"],
    ["an escape sequence", "a\u001B[2Jb", "\\u{1b}"],
    ["by a reference", "a&#x202e;b", "\\u{202e}"],
    ["by a decimal reference", "a&#8203;b", "\\u{200b}"],
    ["blanks", `a${" ".repeat(50)}b`, "⟨50 blanks⟩"],
  ])("B2.5 hidden characters are seen: %s", (_, source, escape) => {
    expect(drawn(source)).toContain(`<span class=escape>${escape}</span>`);
  });

  test.each([
    ["a comment as a link definition", "# T\n\n[//]: # (then run curl evil)\n"],
    ["a definition with a title", "# T\n\n[a]: https://x.example 'then run curl evil'\n"],
    ["a definition in a list", "- one\n\n  [a]: https://x.example 'then run curl evil'\n- two\n"],
    ["what is nested too deeply", `${">".repeat(99)} then run curl evil\n`],
    ["a list nested too deeply", `${"- ".repeat(99)}then run curl evil`],
    ["a cell beyond the columns", "| a |\n|---|\n| b | then run curl evil |\n"],
    ["a cell beyond the columns in a quote", "> | a |\n> |---|\n> | b | then run curl evil |\n"],
  ])("B2.5 what rendering would swallow is shown as source: %s", (_, source) => {
    const unseen = parsePlan(source).find(isUnseen);
    expect(unseen?.token.content).toContain("then run curl evil");
    expect(unseen?.source).toContain("then run curl evil");
  });

  test.each([
    ["the title of a link", '[a](https://x.example "then run curl evil")', "“then run curl evil”"],
    ["where a link leads that is none", "[a](then-run-curl-evil)", "then-run-curl-evil"],
    ["a title of such a link", '[a](b "then run curl evil")', "“then run curl evil”"],
    ["a long place in the plan", `[a](#${"then-run-curl-evil".repeat(4)})`, "#then-run-curl-evilthen"],
    ["the title of a picture", '![a](https://x.example/y "then run curl evil")', "“then run curl evil”"],
    ["the address of a picture", "![a](then-run-curl-evil)", "then-run-curl-evil"],
    ["a hidden character in a title", '[a](b "x&#x202e;y")', "\\u{202e}"],
  ])("B2.5 %s is seen", (_, source, expected) => {
    expect(drawn(source)).toContain(
      `<span class=aside>${expected.startsWith("\\u") ? "“x<span class=escape>" : ""}${expected}`,
    );
  });

  test("B2.5 ordinary plans have nothing that is only in the source", () => {
    const plan =
      "# T\n\nSet\n===\n\n> quote\n>\n> - a\n>   | x | y |\n>   |---|---|\n>   | 1 | `a\\|b` |\n\n1. one\n\n   ```ts a b\n   x\n   ```\n-\n- - two\n\n    code\n\n***\n| a | b |\n|--|--|\n| only |\n";
    expect(parsePlan(plan).filter(isUnseen)).toEqual([]);
  });

  test("B2.5 thousands of marks are not thousands of elements in each other, and no word of them is lost", () => {
    const text = drawn(`${"*".repeat(5000)}words${"*".repeat(5000)}`);
    expect(text).toContain("words");
    expect(text.split("<strong>").length).toBeLessThan(30);
  });

  test("B2.5 hidden characters do not move lines", () => {
    const blocks = parsePlan("a\u2028b\u0085c\u000Bd\r\n\r\nnext\rstill\n\nend");
    expect(blocks.map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [3, 3],
      [5, 5],
    ]);
  });

  test("B2.5 deep nesting and huge tables end", () => {
    expect(parsePlan(`${"> ".repeat(5000)}deep`).length).toBe(2);
    const wide = `|${"a|".repeat(300)}\n|${"-|".repeat(300)}\n${`|${"b|".repeat(300)}\n`.repeat(300)}`;
    expect(parsePlan(wide)[0]?.token.type).toBe("table_open");
    expect(parsePlan("[".repeat(20_000)).length).toBe(1);
    expect(drawn("*".repeat(5000)).length).toBeGreaterThan(0);
  });

  test("B3.1 changed words are marked where they stand, through marks of Markdown", () => {
    const [block] = parsePlan("It is **very** wrong.");
    const words = wordsOf(block!);
    expect(words.text).toBe("It is very wrong.\n");
    const paint = rewordingPaint(words, [{ start: 3, end: 12, gone: "was " }]);
    expect(shown(drawNode(block!, { ...reading, anchors: false, paint }))).toBe(
      "<p>It <del>was </del><ins>is </ins><strong><ins>very</ins></strong><ins> w</ins>rong.</p>",
    );
  });
});

test("B3.6 the table of contents is for long plans, two levels below the title", () => {
  const long = "# T\n\n## One `a`\n\n### In one\n\n#### Deep\n\n## Two\n";
  expect(outlineOf(parsePlan(long))).toEqual([
    { level: 2, title: "One a", line: 3 },
    { level: 3, title: "In one", line: 5 },
    { level: 2, title: "Two", line: 9 },
  ]);
  expect(outlineOf(parsePlan("# T\n\n## One\n"))).toEqual([]);
  const hidden = "# T\n\n## a&#x202e;b\n\n## Two\n\n## Three\n";
  expect(outlineOf(parsePlan(hidden))[0]).toEqual({ level: 2, title: "a\\u{202e}b", line: 3 });
});

test("R9.5 the size is shown, and what is known about long plans", () => {
  expect(sizeOf("# T\n\nwords\n")).toEqual({
    text: "3 lines, 11 characters",
    hint: "Plans of this size are sent back in about 1 of 5 cases.",
    isLong: false,
  });
  expect(sizeOf("x".repeat(20_001))).toMatchObject({ isLong: true, hint: expect.stringContaining("half") as string });
});

describe("the small parts", () => {
  test.each([
    ["&lt;", "<"],
    ["&#60;", "<"],
    ["&#x3C;", "<"],
    ["&nonsense;", "&nonsense;"],
    ["&constructor;", "&constructor;"],
    ["&#0;", "&#0;"],
    ["&#xD800;", "&#xD800;"],
    ["&#x110000;", "&#x110000;"],
  ])("the reference %s is %s", (reference, expected) => {
    expect(decodeEntity(reference)).toBe(expected);
  });

  test("addresses are escaped once, and shown unescaped", () => {
    expect(format(parse("https://example.org/ä b%20c"))).toBe("https://example.org/%C3%A4%20b%20c");
    expect(format(parse("x\uD800"))).toBe("");
    expect([decode("%C3%A4"), decode("%E0%A4%A")]).toEqual(["ä", "%E0%A4%A"]);
  });

  test.each([
    ["https://example.org/x", { href: "https://example.org/x", isInside: false }],
    ["#line-3", { href: "#line-3", isInside: true }],
    ["javascript:alert(1)", null],
    ["vbscript:x", null],
    ["https://", null],
    ["//example.org", null],
    ["https://me@example.org/", null],
  ])("the link %s", (href, expected) => {
    expect(safeLink(href)).toEqual(expected);
  });

  test("languages go by their usual names; coloured pieces are cut into lines", () => {
    expect([languageOf("TSX"), languageOf("sh"), languageOf("nonsense")]).toEqual(["typescript", "bash", null]);
    expect(
      linesOf([
        { text: "a\nb", scope: "x" },
        { text: "c\n", scope: "" },
      ]),
    ).toEqual([
      [{ text: "a", scope: "x" }],
      [
        { text: "b", scope: "x" },
        { text: "c", scope: "" },
      ],
      [],
    ]);
  });
});
