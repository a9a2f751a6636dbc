/** A plan's file in a real browser: it is read without a script, in light, dark and on paper, and nothing in it happens. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { drawDocument } from "../../src/faces/browser/export/draw-document.ts";
import { issuesOf } from "./axe.ts";
import { useChromium } from "./chromium.ts";
import { hostileParts, hostilePlan } from "./hostile-plan.ts";
import { needs } from "../support/needs.ts";
import { realFolder } from "../support/folder.ts";
import { patience } from "../support/until.ts";

describe("an exported plan in Chromium", needs("chromium"), () => {
  const browser = useChromium();

  async function opened(text: string, options: BrowserContextOptions = {}): Promise<Page & { happened: string[] }> {
    const file = join(realFolder("export"), "plan.html");
    const comment = { id: "c", kind: "change", from: 3, to: 3, quote: "words", text: "Say <b>more</b>." } as const;
    const suggestion = { ...comment, id: "d", quote: "Some words.", text: "", suggestion: "Other <i>words</i>.\nTwo." };
    const removal = { ...suggestion, id: "e", text: "Out.", suggestion: "" };
    const told = { kind: "bad", name: "sent back", made: "by ada", words: "No." } as const;
    const comments = [comment, suggestion, removal];
    const revision = { name: "Revision 1", made: "by the model", hash: hashText(text), decisions: [told] };
    const plan = { title: "A plan", facts: [["Status", "draft"]], warnings: ["Nobody approved this text."] } as const;
    writeFileSync(file, (await drawDocument({ ...plan, revisions: [{ ...revision, text, comments }] }))!);
    const context = await browser().newContext({ viewport: { width: 1200, height: 900 }, ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const happened: string[] = [];
    page.on("request", (request) => happened.push(request.url()));
    page.on("console", (line) => happened.push(line.text()));
    page.on("dialog", (dialog) => happened.push(dialog.message()));
    page.on("pageerror", (error) => happened.push(error.message));
    await page.goto(pathToFileURL(file).href);
    return Object.assign(page, { happened });
  }

  test("B2.5 nothing of a hostile plan runs, loads, styles or hides, and all of it can be read", async () => {
    const page = await opened(hostilePlan);
    expect(page.happened).toEqual([page.url()]);
    expect(await page.title()).toBe("A plan");
    await page.locator(".source > summary").click();
    const read = await page.locator("body").innerText();
    const plain = hostileParts.filter((one) => /^[ -~]+$/.test(one) && !one.includes(" ".repeat(40)));
    for (const part of plain) expect(read).toContain(part);
    expect(read).toContain("⟨300 blanks⟩");
    expect(read).toContain("\\u{202e}");
    const hidden = await page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter((one) => !one.closest("details:not([open])") && one.textContent?.trim() !== "")
        .filter((one) => one.getClientRects().length === 0 || getComputedStyle(one).visibility !== "visible")
        .map((one) => one.outerHTML),
    );
    expect(hidden).toEqual([]);
    expect(page.happened).toEqual([page.url()]);
  });

  test.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["narrow", { viewport: { width: 360, height: 740 } }],
  ] as const)(
    "B3.6 %s: no serious issue, nothing wider than the window, the comment beside its line",
    async (_, options) => {
      const page = await opened(
        `# A plan\n\nSome words.\n\n\`\`\`ts\n${"const long = 1; ".repeat(40)}\n\`\`\`\n`,
        options,
      );
      expect(await issuesOf(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
      await page.locator("p.commented", { hasText: "Some words." }).waitFor();
      const row = page.locator(".row", { has: page.locator(".card") });
      expect(await row.innerText()).toContain("Say <b>more</b>.");
      expect(await row.innerText()).toContain("Some words.");
      expect(await row.locator(".old-new del").allInnerTexts()).toEqual(["Some words.", "Some words."]);
      expect(await row.locator(".old-new ins").allInnerTexts()).toEqual(["Other <i>words</i>.\nTwo."]);
    },
  );

  test("B5.4 without scripts it is whole, and it prints", async () => {
    const page = await opened(`# A plan\n\n${"Some words.\n\n".repeat(200)}The last words.\n`, {
      javaScriptEnabled: false,
    });
    expect(await page.locator("article.plan").innerText()).toContain("The last words.");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".card").first().isVisible()).toBe(true);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("B19.3 on paper nothing of a wide table or of long code is cut off", async () => {
    const cells = Array.from({ length: 12 }, (_, cell) => `src/a/long/path/to/file-${cell}.ts`);
    const table = `| ${cells.join(" | ")} |\n|${"---|".repeat(12)}\n| ${cells.join(" | ")} |\n`;
    const page = await opened(`# A plan\n\nSome words.\n\n${table}\n\`\`\`\n${"long ".repeat(90)}\n\`\`\`\n`);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 900 });
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".plan *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth || one.scrollWidth > one.clientWidth + 1)
        .filter((one) => getComputedStyle(one).display !== "inline")
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    expect(cut).toEqual([]);
  });
});
