import { describe, expect, test } from "vitest";
import { filesNamedIn, headingsOf, missingHeadings, titleOf } from "./outline.ts";

describe("title", () => {
  test.each<[string, string]>([
    ["# Add login\n\ntext", "Add login"],
    ["intro\n## Plan: Add login ##\n", "Add login"],
    ["just words\nmore", "just words"],
    ["\n\n", ""],
    ["#no heading\n# Real", "Real"],
    ["```sh\n# install\n```\n# Real", "Real"],
    [`# ${"x".repeat(200)}`, "x".repeat(120)],
  ])("B5.3 the title of %j is %j", (text, title) => {
    expect(titleOf(text)).toBe(title);
  });
});

describe("headings", () => {
  test("B5.3 headings are read outside of code fences", () => {
    const text = "# A\n```\n# not\n```\n## B ##\n~~~~\n# no\n~~~\n# no\n~~~~\n### C";
    expect(headingsOf(text)).toEqual(["A", "B", "C"]);
  });

  test("B5.3 what a template asks for and the plan lacks, without case", () => {
    expect(missingHeadings("# plan\n## Rollback\n", "# Plan\n## Context\n## ROLLBACK\n## Verify")).toEqual([
      "Context",
      "Verify",
    ]);
  });
});

test.each<[string, readonly string[]]>([
  ["change `src/a.ts` and `./src/b.ts:12`", ["src/a.ts", "src/b.ts"]],
  ["see src/core/mode.ts:10-20, then src/x.tsx.", ["src/core/mode.ts", "src/x.tsx"]],
  ["`src/a.ts#L10-L20` twice `src/a.ts`", ["src/a.ts"]],
  ["- /etc/app/settings.json holds it", ["/etc/app/settings.json"]],
  ["`/etc/app/settings.json`", ["/etc/app/settings.json"]],
  ["`package.json`, `Makefile`, `docker/Dockerfile`", ["package.json", "Makefile", "docker/Dockerfile"]],
  ["https://example.org/a/b.html and `https://example.org/c.html`", []],
  ["`npm run build`, `src/*.ts`, `--flag`, `src/`, `a.b()`", []],
  ["and/or, 3/4, yes", []],
  ["app/[id]/page.tsx", ["app/[id]/page.tsx"]],
])("B5.5 the files named in %j", (text, files) => {
  expect(filesNamedIn(text)).toEqual(files);
});
