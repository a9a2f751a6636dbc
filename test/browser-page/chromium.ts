/** A real Chromium for the page's tests. */
import { afterAll, beforeAll } from "vitest";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { chromiumProgram } from "../support/programs.ts";
import { patience } from "../support/until.ts";

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
  return chromium.launch({ executablePath: chromiumProgram, args, timeout: patience });
}

export interface Tab {
  readonly page: Page;
  /** Everything the page asked for, by address. */
  readonly asked: readonly string[];
  /** Errors, refusals of the content policy, and dialogs. */
  readonly complaints: readonly string[];
}

interface TabOptions extends BrowserContextOptions {
  /** Before anything is loaded. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

/** On a review. */
export async function openTab(browser: Browser, link: string, options: TabOptions = {}): Promise<Tab> {
  const tab = await openAnyPage(browser, link, options);
  await tab.page.locator("article.plan").waitFor();
  return tab;
}

export async function openAnyPage(browser: Browser, link: string, options: TabOptions = {}): Promise<Tab> {
  const { prepare, ...given } = options;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...given });
  context.setDefaultTimeout(patience);
  await prepare?.(context);
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
  return { page, asked, complaints };
}
