/** A real Chromium for the page's tests; without one they are skipped, but never in CI. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const program = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** True where the tests must be skipped: no Chromium, and not in CI. */
export const isWithoutChromium = !existsSync(program) && process.env["CI"] !== "true";
if (isWithoutChromium) console.warn(`no ${program}: the review page is not tested in a browser`);

/** One browser for the tests of a file. */
export function useChromium(): () => Browser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  return () => browser!;
}

function startChromium(): Promise<Browser> {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
  const args = ["--no-sandbox", "--disable-gpu", "--disable-sync", ...quiet];
  return chromium.launch({ executablePath: program, args });
}

export interface Tab {
  readonly page: Page;
  /** Everything the page asked for, by address. */
  readonly asked: readonly string[];
  /** Errors, refusals of the content policy, and dialogs. */
  readonly complaints: readonly string[];
}

export async function openTab(browser: Browser, link: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(link);
  await page.locator("article.plan").waitFor();
  return { page, asked, complaints };
}
