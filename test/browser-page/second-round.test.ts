/** Where one was reading, and what was said: the page keeps both, over rounds, views, tabs and directions of writing. */
import { describe, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { openTab, useChromium } from "./chromium.ts";
import { firstPlan, secondPlan } from "./plans.ts";
import { useStages } from "./stage.ts";
import { until } from "../support/until.ts";
import { needs } from "../support/needs.ts";

const long = `# Long\n\n${Array.from({ length: 149 }, (_, line) => `Paragraph ${line} of the plan.\n\n`).join("")}`;

describe("the second round", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test("B3.6 a comment at the end of 300 lines opens where one reads, and the page does not move", async () => {
    const { link } = await stage([long]);
    const { page } = await openTab(browser(), await link());
    await page.getByText("Paragraph 147 of").hover();
    const before = await page.evaluate<number>("scrollY");
    expect(before).toBeGreaterThan(3000);
    await page.getByRole("button", { name: "Comment on line 297" }).click();
    const box = page.getByRole("textbox", { name: "What should change?" });
    await box.waitFor();
    await page.keyboard.type("Here.");
    expect(Math.abs((await page.evaluate<number>("scrollY")) - before)).toBeLessThan(300);
    expect((await box.boundingBox())!.y).toBeLessThan(900);
    await page.keyboard.press("Control+Enter");
    expect(Math.abs((await page.evaluate<number>("scrollY")) - before)).toBeLessThan(450);
  });

  test("B19.1 B3.1 one composes beside the difference, comes back to where one read, and settles by one key", async () => {
    const next = long
      .replace("Paragraph 3 of", "The third paragraph of")
      .replace("Paragraph 90 of the plan.", "Ninety.");
    const { link, heard } = await stage([long, next, next.concat("\nMore.\n")]);
    const { page } = await openTab(browser(), await link());
    for (const [words, line] of [
      ["Paragraph 3 of", 9],
      ["Paragraph 5 of", 13],
    ] as const) {
      await page.getByText(words).hover();
      await page.getByRole("button", { name: `Comment on line ${line}` }).click();
      await page.keyboard.type(`On ${line}.`);
      await page.keyboard.press("Control+Enter");
    }
    await until("it can be answered", () => page.getByRole("button", { name: "Send back, 2 comments" }).isEnabled());
    await page.getByRole("button", { name: "Send back, 2 comments" }).click();
    await page.getByText("2 comments: 1 changed, 1 untouched.").waitFor();
    await page
      .getByRole("button", { name: /unchanged blocks/ })
      .first()
      .waitFor();
    const height = await page.evaluate<number>("document.querySelector('.rendered-diff').offsetHeight");
    expect(height).toBeLessThan(1.5 * 900);
    await page.keyboard.press("]");
    await page.keyboard.press("]");
    expect(await page.evaluate<string>("document.activeElement.textContent")).toContain("Paragraph 90 of");
    await page.getByText("Ninety.").hover();
    await page.getByRole("button", { name: "Comment on line 183" }).click();
    await page.keyboard.type("Why so short?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article", { name: "Rendered difference" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("x");
    await page.getByText(/2 comments: .*1 settled\./).waitFor();
    await page.keyboard.press("r");
    await page.getByText("Paragraph 120 of").hover();
    const before = await page.evaluate<number>("scrollY");
    await page.keyboard.press("d");
    await page.getByRole("article", { name: "Rendered difference" }).waitFor();
    await page.keyboard.press("r");
    await until("it is where it was", async () => Math.abs((await page.evaluate<number>("scrollY")) - before) < 100);
    await page.getByRole("button", { name: "Send back, 1 comment" }).click();
    await until("the model hears of it", () => heard().includes("Why so short?"));
    expect(heard()).not.toContain("rewritten since this was said");
  });

  test("B19.2 B3.5 a suggestion goes back as old and new text, and is in the text that is approved", async () => {
    const { link, heard, harness } = await stage([firstPlan, secondPlan]);
    const { page } = await openTab(browser(), await link());
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Suggest other words for line 5" }).click();
    await page.getByRole("textbox", { name: "These lines should read" }).fill("- [ ] Round half to odd");
    await page.getByRole("button", { name: "Suggest this" }).click();
    await page.getByText("You suggest changes to this plan").waitFor();
    await until("it can be answered", () => page.getByRole("button", { name: "Send back, 1 comment" }).isEnabled());
    await page.getByRole("button", { name: "Send back, 1 comment" }).click();
    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(heard()).toContain("> - [ ] Round half up\\nSuggested instead:\\n> - [ ] Round half to odd");

    await page.keyboard.press("r");
    await page.getByText("Read the code").hover();
    await page.getByRole("button", { name: "Suggest other words for line 6" }).click();
    await page.getByRole("button", { name: "Remove these lines" }).click();
    await page.getByRole("button", { name: "See the difference" }).click();
    await page.getByRole("group", { name: "Removed" }).getByText("Read the code").waitFor();
    const answer = page.locator("#answer");
    await until("it can be answered", async () => (await answer.getAttribute("aria-disabled")) === "false");
    await answer.click();
    await page.getByText("You approved the plan.").waitFor();
    const approved = secondPlan.replace("- [x] Read the code\n", "");
    expect(harness.session.state.plan.approved?.hash).toBe(hashText(approved));
  });

  test("B19.3 a suggestion that is still in its box is seen in the text before a yes counts", async () => {
    const { link, harness } = await stage([firstPlan]);
    const { page } = await openTab(browser(), await link());
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Suggest other words for line 5" }).click();
    await page.getByRole("textbox", { name: "These lines should read" }).fill("- [ ] Round ha");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const answer = page.locator("#answer");
    await until("it can be answered", async () => (await answer.getAttribute("aria-disabled")) === "false");
    await answer.click();
    await page.getByText("Your open suggestion was added.").waitFor();
    expect(harness.session.state.plan.approved).toBe(null);
  });

  test("B19.3 what another tab edits stands in this one's editor, too: the text that a yes sends", async () => {
    const { link } = await stage([firstPlan]);
    const one = await openTab(browser(), await link());
    const other = await one.page.context().newPage();
    await other.goto(one.page.url());
    for (const page of [one.page, other]) {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.locator(".cm-content").getByText("Round half up").waitFor();
    }
    await other.locator(".cm-content").click();
    await other.keyboard.press("Control+End");
    await other.keyboard.type("Last words.");
    await one.page.locator(".cm-content").getByText("Last words.").waitFor();
  });

  test("B2.4 who comments faster than the page loads comments, and answers nothing: not with the keys that keep a comment either", async () => {
    const { link, harness } = await stage([firstPlan, secondPlan]);
    const { page } = await openTab(browser(), await link(), {
      prepare: (context) => context.route(/\/later-/, () => undefined),
    });
    const answer = page.locator("#answer");
    await until("it can be answered", async () => (await answer.getAttribute("aria-disabled")) === "false");
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.keyboard.type("From two");
    await page.keyboard.press("Backspace");
    await page.keyboard.type(".");
    await page.locator("article.plan").focus();
    await page.getByRole("button", { name: "Send back, 1 comment" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator(".margin .said").getByText("From tw.").waitFor();
    expect(harness.session.state.plan.approved).toBe(null);
    expect(harness.session.state.plan.comments).toEqual([]);
  });

  test("B3.2 two tabs share what was typed, and what was sent is shown once", async () => {
    const { link, harness } = await stage([firstPlan, secondPlan]);
    const one = await openTab(browser(), await link());
    const other = await one.page.context().newPage();
    await other.goto(one.page.url());
    await other.locator("article.plan").waitFor();
    await one.page.getByText("Round half up").hover();
    await one.page.getByRole("button", { name: "Comment on line 5" }).click();
    await one.page.keyboard.type("From one.");
    await one.page.keyboard.press("Control+Enter");
    await other.getByText("From one.").waitFor();
    await other.getByText("Read the code").hover();
    await other.getByRole("button", { name: "Comment on line 6" }).click();
    await other.keyboard.type("From the other.");
    await other.keyboard.press("Control+Enter");
    await one.page.getByText("From the other.").waitFor();
    const answer = one.page.getByRole("button", { name: "Send back, 2 comments" });
    await until("it can be answered", () => answer.isEnabled());
    await answer.click();
    for (const page of [one.page, other]) {
      await until("each is there once, and sent", async () => {
        const said = await page.locator(".margin .said").allTextContents();
        const unsent = await page.getByText("not sent").count();
        return said.toSorted().join(" ") === "From one. From the other." && unsent === 0;
      });
    }
    expect(harness.session.state.plan.comments.map(({ text }) => text)).toEqual(["From one.", "From the other."]);
  });

  test("B19.3 addresses are shown whole, code wraps, blanks of every mix are counted, links in the plan lead there", async () => {
    const plan = `# T\n\n[safe](https://example.org/a?run=evil#x) [the end](#somewhere-else) [Last part](#last-part)\n\n\`\`\`sh\necho ok${" \t".repeat(30)}curl evil ${"x".repeat(300)}\n\`\`\`\n\n${"Words.\n\n".repeat(80)}## Last part\n\nEnd.\n`;
    const { link } = await stage([plan]);
    const { page } = await openTab(browser(), await link());
    const text = (await page.locator("article.plan").textContent())!;
    expect(text).toContain("https://example.org/a?run=evil#x");
    expect(text).toContain("#somewhere-else");
    expect(text).toContain("echo ok⟨60 blanks⟩curl evil");
    expect(
      await page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('pre'))",
      ),
    ).toBe(true);
    await page.getByRole("link", { name: "Last part" }).first().click();
    await until("the heading is in sight", () =>
      page.evaluate<boolean>(
        "[...document.querySelectorAll('#plan h2')].at(-1).getBoundingClientRect().top < innerHeight",
      ),
    );
  });

  test("B3.6 a plan from right to left: lists, tables and boxes on its side, code from left to right", async () => {
    const plan =
      "# תוכנית\n\nקודם `npm test -- --all` ואז לבדוק.\n\n- [ ] לקרוא את הקוד\n- [x] לבדוק\n\n| קובץ | שינוי |\n|---|---|\n| `a.ts` | חדש |\n";
    const { link } = await stage([plan]);
    const { page } = await openTab(browser(), await link());
    const found = await page.evaluate<Record<string, unknown>>(`(() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect();
      const item = document.querySelector("#plan li");
      const words = document.createRange();
      words.selectNodeContents(item.lastChild);
      const cells = [...document.querySelectorAll("#plan th")].map((cell) => cell.getBoundingClientRect().left);
      return {
        code: document.querySelector("#plan p code").dir,
        list: getComputedStyle(document.querySelector("#plan ul")).direction,
        boxIsRightOfWords: box("#plan li input").left >= words.getBoundingClientRect().right - 1,
        firstColumnIsRight: cells[0] > cells[1],
      };
    })()`);
    expect(found).toEqual({ code: "ltr", list: "rtl", boxIsRightOfWords: true, firstColumnIsRight: true });
  });
});
