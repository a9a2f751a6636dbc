/** The page beside other surfaces, with texts that change meanwhile, and with plans that mean harm. */
import { describe, expect, test } from "vitest";
import { nobody } from "../../src/agent/answers/persons.ts";
import type { Person, ReviewAnswer } from "../../src/agent/ports/ports.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { openTab, useChromium } from "./chromium.ts";
import { firstPlan, secondPlan } from "./plans.ts";
import { useStages } from "./stage.ts";
import { patience, until } from "../support/until.ts";
import { needs } from "../support/needs.ts";

describe("the review page among others", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test("B2.6 two tabs and a terminal at once: the first answer wins, the others say who it was", async () => {
    const terminal = answering();
    const { link, harness } = await stage([firstPlan], { others: [terminal.person] });
    const [one, other] = [await openTab(browser(), await link()), await openTab(browser(), await link())];
    terminal.answer({ verdict: { kind: "save" }, by: { user: "grace", surface: "terminal" } });
    for (const { page } of [one, other]) {
      await page.getByText("grace (terminal) saved the plan for later.").waitFor();
      expect(await page.getByRole("button", { name: "Send back" }).count()).toBe(0);
    }
    expect(harness.session.state.plan.approved).toBe(null);
  });

  test("B2.6 of two tabs that answer within a millisecond, one wins and the other is told", async () => {
    const { link, harness } = await stage([firstPlan]);
    const tabs = [await openTab(browser(), await link()), await openTab(browser(), await link())];
    const approve = tabs.map(({ page }) => page.getByRole("button", { name: "Approve, ask before each edit" }));
    for (const button of approve) await until("it can be answered", () => button.isEnabled());
    const moment = Date.now() + 700;
    const click = `setTimeout(() => document.getElementById("answer")?.click(), ${moment} - Date.now())`;
    await Promise.all(tabs.map(({ page }) => page.evaluate(click)));
    for (const { page } of tabs) await page.getByText(/approved the plan\./).waitFor();
    const { decisions } = harness.session.state.plans[0]!;
    expect(decisions.map(({ kind, hash, by }) => ({ kind, hash, by }))).toEqual([
      { kind: "approve", hash: hashText(firstPlan), by: { user: "ada", surface: "browser" } },
    ]);
  });

  test("B2.4 a click in the moment in which the question appears answers nothing", async () => {
    const { link, harness } = await stage([firstPlan]);
    const context = await browser().newContext();
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    await page.addInitScript(() => {
      let since = 0;
      const click = (): void => {
        const answer = document.getElementById("answer");
        if (answer !== null && since === 0) since = performance.now();
        if (answer !== null && performance.now() - since < 300) answer.click();
      };
      new MutationObserver(click).observe(document, { childList: true, subtree: true });
      setInterval(click, 20);
    });
    await page.goto(await link());
    await page.locator("#answer").waitFor();
    await page.waitForTimeout(400);
    expect(harness.session.state.plans[0]!.decisions).toEqual([]);
    expect(await page.getByText("approved the plan").count()).toBe(0);
    await context.close();
  });

  test("B2.1 a text that comes while another is read takes its place only when it is wanted; the old one cannot be approved", async () => {
    const { link, harness } = await stage([firstPlan]);
    const { page } = await openTab(browser(), await link());
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.keyboard.type("half written");
    await page.keyboard.press("Escape");
    await harness.files.writeText(harness.session.state.plan.file!, secondPlan);
    await page.getByRole("button", { name: "Approve, ask before each edit" }).click();
    await page.getByText("A newer revision is here (+5 −1 lines).").waitFor();
    await expect.poll(() => page.locator("article.plan").getByText("Round half up").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Approve, ask before each edit" }).isEnabled()).toBe(false);
    expect(harness.session.state.plan.approved).toBe(null);

    await page.getByRole("button", { name: "Show the newer one" }).click();
    await page.getByRole("combobox", { name: "From" }).waitFor();
    await expect
      .poll(() => page.getByRole("group", { name: "Reworded" }).locator("ins, del").allTextContents())
      .toEqual(["up", "to even"]);
    await page.keyboard.press("r");
    await page.getByText("half written").waitFor();
    await page.getByRole("button", { name: "Approve, ask before each edit" }).click();
    await page.getByText("You approved the plan.").waitFor();
    expect(harness.session.state.plan.approved?.hash).toBe(hashText(secondPlan));
  });

  test("B2.5 a huge table shows its first rows at once, and all of them when asked", async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => `| ${row} | ${"x | ".repeat(9)}`);
    const { link } = await stage([`# Table\n\n|${" a |".repeat(10)}\n|${"---|".repeat(10)}\n${rows.join("\n")}\n`]);
    const { page } = await openTab(browser(), await link());
    await expect.poll(() => page.locator(".plan tbody tr").count()).toBe(300);
    await page.getByRole("button", { name: "Show 2700 more rows" }).click();
    await until("all rows are there", async () => (await page.locator(".plan tbody tr").count()) === 3000);
  });

  test("B2.5 what Markdown would not show is on the screen, and a tower of marks does not break the page", async () => {
    const tower = `${"*".repeat(6000)}tower${"*".repeat(6000)}`;
    const { link } = await stage([`# T\n\n[//]: # (curl one)\n\n${">".repeat(99)} curl two\n\n${tower}\n`]);
    const { page, complaints } = await openTab(browser(), await link());
    for (const words of ["curl one", "curl two", "tower"]) {
      const box = await page.locator("article.plan").getByText(words).boundingBox();
      expect(box!.height).toBeGreaterThan(8);
      expect(box!.width).toBeGreaterThan(20);
    }
    expect(complaints).toEqual([]);
  });

  test("B2.5 scripts, dangerous links, pictures and hidden characters of a plan are shown and harmless", async () => {
    const { link } = await stage([hostile]);
    const { page, complaints, asked } = await openTab(browser(), await link());
    await page.getByText("This plan holds hidden characters.").waitFor();
    const text = (await page.locator("article.plan").textContent())!;
    for (const shown of ["<script>", "<img src=x onerror=", "<svg onload=", "\\u{202e}", "\\u{200b}", "⟨60 blanks⟩"])
      expect(text).toContain(shown);
    expect(await page.locator("article.plan :is(script, img, svg, iframe, object, form, style, link)").count()).toBe(0);
    expect(
      await page
        .locator("article.plan a:not(.permalink)")
        .evaluateAll((links) => links.map((each) => each.getAttribute("href"))),
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
