/** What is approved can be seen, whatever shows it: dialog, lines, library, plain text, file to send, page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Parser } from "htmlparser2";
import { describe, expect, onTestFinished, test } from "vitest";
import { programs, startReview } from "../browser/programs.ts";
import { openTab, useChromium } from "../browser-page/chromium.ts";
import { setTerminalStage } from "../terminal/stage.ts";
import { needs } from "../support/needs.ts";
import { patience } from "../support/until.ts";
import { libraryStage } from "./stage.ts";

/** Each number stands where something could swallow, shorten, push away or turn round what is before it. */
const plan = `# Ship title1

[page2](https://example.org/path3?query4=x#frag5 "tip6"), <https://example.org/auto7>, [here8](#target9).

[ref10]: https://example.org/ref11 'swallowed12'

See [the13][ref10] and ![picture14](https://example.org/picture15.png).

<!-- comment16 --> <b title="attr17">bold18</b> [script](javascript:call19)

| head20 | head21 |
|---|---|
| cell22 | cell23 | lost24 |

\`\`\`sh info25
echo near26${" ".repeat(300)}far27
\`\`\`

    indented28

near29${" \t".repeat(40)}far30 zero\u200bwidth31 turned\u202eround32 \u001b[8mconcealed33 \\*escaped34\\*

<details><summary>summary35</summary>folded36</details>

- [ ] step37
  > quoted38

[^note39]: note40
last41
`;
const wanted = [...plan.matchAll(/[a-z]+\d+/g)].map(([word]) => word);
const counted = [
  "⟨300 blanks⟩",
  "⟨80 blanks⟩",
  "zero\\u{200b}width31",
  "turned\\u{202e}round32",
  "\\u{1b}[8mconcealed33",
];

/** However its lines were broken. */
function missingIn(shown: string): readonly string[] {
  const text = shown.replaceAll(/[\s│|]+/g, "");
  return [...wanted, ...counted].filter((words) => !text.includes(words.replaceAll(" ", "")));
}

describe("B19.3 every byte that is approved can be seen", () => {
  test.each([
    ["the dialog on a terminal", {}, 140],
    ["the dialog on a narrow one", {}, 50],
    ["lines that are said once", { TERM: "dumb" }, 140],
    ["lines for a screen reader", { GROUNDPLAN_SCREEN_READER: "1" }, 140],
  ] as const)("B19.3 %s", needs("script"), async (_, environment, columns) => {
    const stage = await setTerminalStage({
      script: ({ turn, planFile }) => {
        if (turn > 1) return { text: "Done." };
        const write = { tool: "Write", input: { file_path: planFile(), content: plan } };
        return { calls: [write, { tool: "ExitPlanMode", input: {} }] };
      },
    });
    const terminal = await stage.open(["--permission-mode", "plan", "ship it"], { columns, rows: 160, environment });
    await terminal.until(/Approve this plan\?|Your choice:/);
    expect(missingIn(await terminal.still())).toEqual([]);
    const library = await stage.open(["plans", "show"], {
      columns,
      rows: 160,
      environment: { ...environment, PAGER: "" },
    });
    expect(await library.exited).toBe(0);
    expect(missingIn(library.everything())).toEqual([]);
  });

  test("B19.3 plain text through a pipe, the very bytes of an export, and a file to send", async () => {
    const stage = await libraryStage();
    onTestFinished(() => stage.close());
    await stage.approve(await stage.submit(plan));
    expect(missingIn((await stage.run(["plans", "show"])).stdout)).toEqual([]);
    expect((await stage.run(["plans", "export"])).stdout).toBe(plan);
    const { stdout } = await stage.run(["plans", "export", "--html"]);
    expect(missingIn(textOf(stdout, { source: false }))).toEqual([]);
    expect(missingIn(textOf(stdout, { source: true }))).toEqual([]);
  });
});

describe("B19.3 in Chromium", needs("chromium"), () => {
  const browser = useChromium();

  test("B19.3 the page, and the file to send, with nothing folded away", async () => {
    const all = programs();
    onTestFinished(() => all.end());
    const stage = await libraryStage();
    onTestFinished(() => stage.close());
    await stage.submit(plan);
    const { link } = await startReview(all, stage, []);
    const { page } = await openTab(browser(), link);
    await page.getByText("last41").waitFor();
    expect(missingIn(await page.locator("article.plan").innerText())).toEqual([]);

    const file = join(stage.home, "..", "plan.html");
    expect((await stage.run(["plans", "export", "--html", "--output", file])).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("\u202e");
    const context = await browser().newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    const sent = await context.newPage();
    await sent.goto(pathToFileURL(file).href);
    expect(missingIn(await sent.locator("article.plan").innerText())).toEqual([]);
  });
});

/** What is read of a document: as it is drawn, or in its folded source. */
function textOf(html: string, { source }: { readonly source: boolean }): string {
  const texts: string[] = [];
  const open: string[] = [];
  const parser = new Parser({
    onopentag: (name, { class: classes = "" }) => void open.push(`${name}.${classes}`),
    onclosetag: () => void open.pop(),
    ontext(words) {
      if (open.some((one) => one.startsWith("style"))) return;
      if (open.includes("details.source") === source) texts.push(words);
    },
  });
  parser.end(html);
  return texts.join("");
}
