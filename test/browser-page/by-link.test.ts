/** `groundplan review` and its page in a real browser: the link is used once, and a program that was ended says so. */
import { afterEach, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { patience } from "../support/until.ts";
import { headless, planned, programs, startReview } from "../browser/programs.ts";
import { openTab, useChromium } from "./chromium.ts";

const all = programs();
afterEach(() => all.end());

describe("the review page of the program", needs("chromium"), () => {
  const browser = useChromium();

  test.each(["light", "dark"] as const)(
    "B3.6 a used link gives a page that can be read, in %s",
    async (colorScheme) => {
      const stage = await planned(all);
      await headless(stage);
      const { link } = await startReview(all, stage, []);
      await openTab(browser(), link);
      const context = await browser().newContext({ colorScheme, viewport: { width: 420, height: 600 } });
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      const refused: string[] = [];
      page.on("console", (line) => refused.push(line.text()));
      await page.goto(link);
      await page.getByText("This link was used already").waitFor();
      expect(refused.filter((line) => line.includes("Content Security Policy"))).toEqual([]);
      const { left, font, ground } = await page.locator("main").evaluate((main) => ({
        left: main.querySelector("p")!.getBoundingClientRect().left,
        font: getComputedStyle(main).fontFamily,
        ground: matchMedia("(prefers-color-scheme: dark)").matches,
      }));
      expect({ isInset: left >= 16, font, ground }).toEqual({
        isInset: true,
        font: "system-ui, sans-serif",
        ground: colorScheme === "dark",
      });
      await context.close();
    },
  );

  test("B2.2 Ctrl+C ends the program: its page says so, keeps what was written, and does not try again", async () => {
    const stage = await planned(all);
    await headless(stage);
    const { link, child, ended } = await startReview(all, stage, []);
    const { page } = await openTab(browser(), link);
    await page.locator("footer.decision textarea").fill("My words.");
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    await page.getByText("The program has ended; nothing was decided by that.").waitFor();
    expect(await page.getByText(/trying again/i).count()).toBe(0);
    expect(await page.locator("footer.decision textarea").inputValue()).toBe("My words.");
    expect(await page.getByRole("button", { name: "Approve, ask before each edit" }).isEnabled()).toBe(false);
  });
});
