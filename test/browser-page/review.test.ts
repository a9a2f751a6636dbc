/** The review in a real browser, against the real server: reading, commenting, sending back, comparing, editing, approving. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import type { Person, ReviewAnswer } from "../../src/agent/ports.ts";
import { nobody } from "../../src/agent/persons.ts";
import { isWithoutChromium, openTab, startChromium } from "./chromium.ts";
import { stagePlans, until, type PageStage, type StageOptions, type Submission } from "./stage.ts";

const first = `# Round the discount

Totals are **wrong** by fractions of a cent in \`src/a.ts\`.

- [ ] Round half up
- [x] Read the code

\`\`\`ts
export const round = (amount: number) => Math.round(amount * 100) / 100;
\`\`\`
`;
const second = first.replace("Round half up", "Round half to even").concat("\n## Tests\n\nA table of halves.\n");

describe.skipIf(isWithoutChromium)("the review page in Chromium", () => {
  let browser: Browser;
  const stages: PageStage[] = [];
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });
  afterAll(() => browser.close());

  async function stage(texts: readonly Submission[], options: StageOptions = {}): Promise<PageStage> {
    const made = await stagePlans(texts, options);
    stages.push(made);
    return made;
  }

  test("B3.6 B3.1 B3.2 a plan is read, commented, sent back, seen again with its difference, edited and approved", async () => {
    const { link, harness, heard } = await stage([first, { says: "Half up is what `a.ts` does today.", plan: second }]);
    const { page, complaints, asked } = await openTab(browser, await link());
    await page.getByRole("heading", { name: "Round the discount" }).waitFor();
    expect(
      await page.getByRole("checkbox").evaluateAll((boxes) => boxes.map((box) => "checked" in box && box.checked)),
    ).toEqual([false, true]);
    await page.locator(".hl-keyword", { hasText: "export" }).waitFor();

    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.getByRole("textbox", { name: "What should change?" }).fill("Half to even, please.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByText("wrong", { exact: true }).dblclick();
    await page.getByRole("button", { name: "Comment on the selection" }).click();
    await page.getByRole("radio", { name: "Question" }).check();
    await page.getByRole("textbox", { name: /What do you want to know/ }).fill("By how much?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("textbox", { name: "Notes or feedback" }).fill("Nearly there.");
    await page.getByText("Goes along: 2 comments").waitFor();
    await page.getByRole("button", { name: "Send back" }).click();

    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(heard()).toContain("Nearly there.");
    expect(heard()).toContain("Change, line 5:\\n> - [ ] Round half up\\nHalf to even, please.");
    expect(heard()).toMatch(/Question, line 3[^>]*> wrong/);
    const change = page.getByRole("group", { name: "Added" }).first();
    expect(await change.locator("ins").allTextContents()).toEqual(["to even"]);
    await page.getByRole("button", { name: "Source" }).click();
    expect(await page.locator(".source-diff tr.add").count()).toBe(5);

    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByRole("region", { name: "The model's answer" }).getByText("Half up is what").waitFor();
    const question = page.getByRole("article", { name: "Question on line 3" });
    await question.getByRole("button", { name: "Settle" }).click();
    await question.getByText("settled").waitFor();

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Source of the plan" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nAnd a *changelog* line.\n");
    await page.getByRole("region", { name: "Preview" }).getByText("And a changelog line.").waitFor();
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByText("You edited this plan (+2 −0 lines)").waitFor();
    await page.getByRole("button", { name: "Yes, approve each edit" }).click();
    await page.getByText("You approved the plan. Mode: default.").waitFor();

    const approved = harness.session.state.plan.approved;
    const edited = `${second}\nAnd a *changelog* line.\n`;
    expect(approved?.text).toBe(edited);
    expect(approved?.hash).toBe(hashText(edited));
    expect(harness.files.contents.get(approved!.file)).toBe(edited);
    expect(complaints).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(`${new URL(page.url()).origin}/`))).toEqual([]);
  });

  test("B3.4 B3.3 the choices stand in R7.4's order, the first is selected, and notes go with a yes", async () => {
    const { link, harness, heard } = await stage([first]);
    const { page } = await openTab(browser, await link());
    await page.locator("h1").focus();
    await page.keyboard.press("a");
    const choices = page.getByRole("group", { name: "Your decision" }).getByRole("radio");
    expect(
      await choices.evaluateAll((list) =>
        list.map(
          ({ parentElement }) =>
            parentElement?.querySelector("span")?.firstChild?.nextSibling?.nextSibling?.textContent,
        ),
      ),
    ).toEqual([
      "Yes, approve each edit",
      "Yes, and accept edits",
      "Yes, with fresh context",
      "Save for later",
      "No, keep planning",
      "Abandon",
    ]);
    expect(await choices.first().isChecked()).toBe(true);
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Notes or feedback" }).fill("Mind the yen.");
    const answer = page.getByRole("button", { name: "Yes, and accept edits" });
    await until("it can be answered", () => answer.isEnabled());
    await answer.press("Enter");
    await page.getByText("You approved the plan. Mode: accept edits.").waitFor();
    await until("the model goes on", () => heard().includes("Mind the yen."));
    expect(harness.session.state.permissions.mode.current).toBe("acceptEdits");
  });

  test("B2.6 two tabs and a terminal at once: the first answer wins, the others say who it was", async () => {
    const terminal = answering();
    const { link, harness } = await stage([first], { others: [terminal.person] });
    const [one, other] = [await openTab(browser, await link()), await openTab(browser, await link())];
    terminal.answer({ verdict: { kind: "save" }, by: { user: "grace", surface: "terminal" } });
    for (const { page } of [one, other]) {
      await page.getByText("grace (terminal) saved the plan for later.").waitFor();
      expect(await page.getByRole("button", { name: "Send back" }).count()).toBe(0);
    }
    expect(harness.session.state.plan.approved).toBe(null);
  });

  test("B2.6 of two tabs that answer within a millisecond, one wins and the other is told", async () => {
    const { link, harness } = await stage([first]);
    const tabs = [await openTab(browser, await link()), await openTab(browser, await link())];
    const approve = tabs.map(({ page }) => page.getByRole("button", { name: "Yes, approve each edit" }));
    for (const button of approve) await until("it can be answered", () => button.isEnabled());
    const moment = Date.now() + 700;
    const click = `setTimeout(() => document.getElementById("answer")?.click(), ${moment} - Date.now())`;
    await Promise.all(tabs.map(({ page }) => page.evaluate(click)));
    for (const { page } of tabs) await page.getByText(/approved the plan\./).waitFor();
    const { decisions } = harness.session.state.plans[0]!;
    expect(decisions.map(({ kind, hash, by }) => ({ kind, hash, by }))).toEqual([
      { kind: "approve", hash: hashText(first), by: { user: "ada", surface: "browser" } },
    ]);
  });

  test("B2.1 a text that comes while another is read takes its place only when it is wanted; the old one cannot be approved", async () => {
    const { link, harness } = await stage([first]);
    const { page } = await openTab(browser, await link());
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.keyboard.type("half written");
    await page.keyboard.press("Escape");
    await harness.files.writeText(harness.session.state.plan.file!, second);
    await page.getByRole("button", { name: "Yes, approve each edit" }).click();
    await page.getByText("A newer revision is here (+5 −1 lines).").waitFor();
    expect(await page.locator("article.plan").getByText("Round half up").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Yes, approve each edit" }).isEnabled()).toBe(false);
    expect(harness.session.state.plan.approved).toBe(null);

    await page.getByRole("button", { name: "Show the newer one" }).click();
    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(await page.getByRole("group", { name: "Added" }).locator("ins").allTextContents()).toEqual(["to even"]);
    await page.keyboard.press("r");
    await page.getByText("half written").waitFor();
    await page.getByRole("button", { name: "Yes, approve each edit" }).click();
    await page.getByText("You approved the plan.").waitFor();
    expect(harness.session.state.plan.approved?.hash).toBe(hashText(second));
  });

  test("B3.6 everything goes by keyboard alone", async () => {
    const { link, heard } = await stage([first, second]);
    const { page } = await openTab(browser, await link());
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    for (const key of ["j", "j", "j", "c"]) await page.keyboard.press(key);
    await page.keyboard.type("Why up?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article", { name: "Change on line 5" }).waitFor();
    await page.keyboard.press("m");
    await page.keyboard.type("By keys 123 rjk.");
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(heard()).toContain("By keys 123 rjk.");
    await page.keyboard.press("r");
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Source of the plan" }).waitFor();
  });

  test("B5.5 B1.6 what the plan rests on is beside it: files with their staleness, changes while planning, answered questions", async () => {
    const question = { question: "Which currency?", header: "Currency", options: [], multiSelect: false };
    const options = ["Euro", "Yen"].map((label) => ({ label, description: label }));
    const asks = { tool: "AskUserQuestion", input: { questions: [{ ...question, options }] } };
    const person: Person = {
      ...nobody(),
      answer: async () => ({ status: "answered", answers: { "Which currency?": "Euro" } }),
    };
    const { link, harness } = await stage([first], { others: [person], before: [asks] });
    harness.files.contents.set("/repo/src/a.ts", "export const other = 1;\n");
    const { page } = await openTab(browser, await link());
    await page.getByText("Changed since the plan was submitted: src/a.ts").waitFor();
    expect(await page.locator(".side .files li").first().textContent()).toBe("src/a.ts changed since");
    expect(await page.locator(".side dl").textContent()).toBe("Which currency?Euro");

    await page.route("**/api/state", async (route) => {
      const response = await route.fetch();
      const state = { ...((await response.json()) as object), changed: ["package-lock.json"] };
      await route.fulfill({ response, json: state });
    });
    await page.reload();
    await page.getByText("Changed in the work tree while planning: package-lock.json").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("B2.5 a huge table shows its first rows at once, and all of them when asked", async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => `| ${row} | ${"x | ".repeat(9)}`);
    const { link } = await stage([`# Table\n\n|${" a |".repeat(10)}\n|${"---|".repeat(10)}\n${rows.join("\n")}\n`]);
    const { page } = await openTab(browser, await link());
    expect(await page.locator(".plan tbody tr").count()).toBe(300);
    await page.getByRole("button", { name: "Show 2700 more rows" }).click();
    await until("all rows are there", async () => (await page.locator(".plan tbody tr").count()) === 3000);
  });

  test("B2.5 scripts, dangerous links, pictures and hidden characters of a plan are shown and harmless", async () => {
    const { link } = await stage([hostile]);
    const { page, complaints, asked } = await openTab(browser, await link());
    await page.getByText("This plan holds hidden characters.").waitFor();
    const text = (await page.locator("article.plan").textContent())!;
    for (const shown of ["<script>", "<img src=x onerror=", "<svg onload=", "\\u{202e}", "\\u{200b}", "⟨60 blanks⟩"])
      expect(text).toContain(shown);
    expect(await page.locator("article.plan :is(script, img, svg, iframe, object, form, style, link)").count()).toBe(0);
    expect(
      await page.locator("article.plan a").evaluateAll((links) => links.map((each) => each.getAttribute("href"))),
    ).toEqual(["https://example.org/ok"]);
    expect(complaints).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(`${new URL(page.url()).origin}/`))).toEqual([]);
  });
});

const hostile = `# Ok\u202Eevil

Zero\u200Bwidth <script>alert(1)</script> <img src=x onerror=alert(1)> <svg onload=alert(1)>

[a](javascript:alert(1)) [b](data:text/html,x) [c](JaVaScRiPt:alert(1)) [d](&#106;avascript:alert(1)) [e](https://example.org/ok)
![p](https://example.org/p.png) ![s](data:image/svg+xml;base64,PHN2Zz4=) <javascript:alert(1)> <https://me:pw@example.org/>

blanks:${" ".repeat(60)}end &#x202e;

<iframe src="https://example.org"></iframe><form action="https://example.org"><style>*{display:none}</style>
`;

/** A terminal whose person answers when the test says so. */
function answering(): { readonly person: Person; readonly answer: (answer: ReviewAnswer) => void } {
  const waiting: ((answer: ReviewAnswer) => void)[] = [];
  return {
    person: { ...nobody(), review: () => new Promise((resolve) => waiting.push(resolve)) },
    answer: (answer) => waiting.splice(0).forEach((resolve) => resolve(answer)),
  };
}
