/** The page for everyone: axe-core finds nothing serious in any view, light, dark and narrow. */
import { describe, expect, test } from "vitest";
import { issuesOf } from "./axe.ts";
import { openTab, useChromium } from "./chromium.ts";
import { useStages } from "./stage.ts";
import { until } from "../support/until.ts";
import { needs } from "../support/needs.ts";

const plan = `# Plan for everyone

Some *words* about \`src/a.ts\`, and [a link](https://example.org/page).

## Steps

- [ ] One
- [x] Two
  1. nested

## Code

\`\`\`ts
/** A comment. */
export const a: number = 1; // "text"
\`\`\`

## Table

| a | b |
|---|--:|
| 1 | 2 |

> A quote with a hid\u200Bden character.
`;

describe("the review page is usable by everyone", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["narrow", { viewport: { width: 360, height: 740 }, hasTouch: true }],
  ] as const)("B3.6 %s: no serious or critical issue in any view", async (_, options) => {
    const { link } = await stage([plan, plan.replace("- [ ] One", "- [ ] One more").concat("\nThe end.\n")]);
    const { page } = await openTab(browser(), await link(), options);
    const found: Record<string, readonly string[]> = {};
    const look = async (view: string): Promise<void> => {
      found[view] = await issuesOf(page);
    };
    await page.locator(".hl-comment").first().waitFor();
    await look("read");
    await page.getByText("One", { exact: true }).click();
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "What should change?" }).fill("More.");
    await look("composer");
    await page.keyboard.press("Control+Enter");
    await look("comment");
    await page.keyboard.press("a");
    await page.getByRole("radio", { name: /ask before each edit/ }).waitFor();
    await look("choices");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await look("shortcuts");
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Source of the plan" }).waitFor();
    await look("edit");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByRole("button", { name: "Send back" }).click();
    await page.getByRole("combobox", { name: "From" }).waitFor();
    await look("changes");
    await page.getByRole("button", { name: "Source" }).click();
    await look("source changes");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.getByRole("button", { name: "Approve, ask before each edit" }).click();
    await page.getByText("You approved the plan.").waitFor();
    await look("approved");
    expect(Object.entries(found).filter(([, issues]) => issues.length > 0)).toEqual([]);
    const isWiderThanWindow = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(isWiderThanWindow).toBe(false);
  });
});
