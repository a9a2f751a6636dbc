/** A plan as Markdown, line by line: rendered, and nothing left out. */
import { describe, expect, test } from "vitest";
import { columnsOf } from "./safe-text.ts";
import { coloured, noColour } from "./theme.ts";
import { linesOfPlan, planLines } from "./plan-lines.ts";

const tricky = `# Title ##
## Support C#
Text with **bold**, *soft*, \`code\`, ~~gone~~ and [a link](https://example.org/x).
[named]: https://example.org/hidden
<!-- a comment that a browser would hide -->
![picture](https://example.org/p.png) snake_case_name 2 * 3 * 4
- item one
  1. nested *unclosed
* * *
| a | b \\| c |
|---|:--:|
| one | two |
| broken row |
\`\`\`sh title="x"
rm -rf build # not a heading
\`\`\`
> quoted **words**
~~~
unclosed fence`;

describe("planLines", () => {
  test("B2.5 every letter and digit of the text is on the screen, in its order", () => {
    for (const theme of [coloured("dark"), noColour()]) {
      for (const width of [20, 40, 76, 200]) {
        const rows = planLines(tricky, { theme }).flatMap((line) => line.rows(width));
        expect(lettersOf(rows.join("\n"))).toBe(lettersOf(tricky));
        for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(width);
      }
    }
  });

  test("each line keeps its number, a very long one comes in pieces", () => {
    const lines = planLines(`one\n${"x".repeat(4_500)}\nthree\n`, { theme: noColour() });
    expect(lines.map(({ number, continues }) => [number, continues])).toEqual([
      [1, false],
      [2, true],
      [2, true],
      [2, false],
      [3, false],
    ]);
    expect(linesOfPlan("a\r\nb\n")).toEqual(["a", "b"]);
  });

  test("headings, lists, tables and rules are rendered", () => {
    const rows = planLines("# Top\n- [ ] item\n---\n| a | b |\n|---|---|\n| long cell | x |", {
      theme: noColour(),
    }).flatMap((line) => line.rows(60));
    expect(rows.map((row) => row.replaceAll(/\u001B\[\d+m/g, ""))).toEqual([
      "# Top",
      "• [ ] item",
      "─".repeat(40),
      "│ a         │ b   │",
      "├───────────┼─────┤",
      "│ long cell │ x   │",
    ]);
  });

  test("code is coloured by the highlighter, but only when it gives back the same text", () => {
    const plan = "```ts\nconst a = 1;\n```";
    const rows = (highlight: (code: string) => string[]) =>
      planLines(plan, { theme: coloured("dark"), highlight })[1]!.rows(40);
    expect(rows(red)).toEqual(["\u001B[31mconst a = 1;\u001B[0m"]);
    expect(rows(lying)).toEqual(["const a = 1;"]);
  });
});

function lettersOf(text: string): string {
  return text.replaceAll(/\u001B\[[\d;]*m/g, "").replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function red(code: string): string[] {
  return code.split("\n").map((line) => `\u001B[31m${line}\u001B[0m`);
}

function lying(): string[] {
  return ["rm -rf /"];
}
