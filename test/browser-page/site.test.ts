/** The documentation as one page (scripts/site.mjs): every link in it leads somewhere, it asks for nothing but its pictures, and its search finds. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { realFolder } from "../support/folder.ts";
import { needs } from "../support/needs.ts";
import { openAnyPage, useChromium } from "./chromium.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = join(root, "docs");

/** As `npm run site` makes it, beside the pictures; another file than a reader's own. */
function madeSite(): string {
  const folder = join(realFolder(), "docs");
  mkdirSync(folder);
  for (const name of readdirSync(docs))
    if (/\.(png|svg)$/.test(name)) copyFileSync(join(docs, name), join(folder, name));
  execFileSync(process.execPath, [join(root, "scripts/site.mjs"), join(folder, "index.html")]);
  return join(folder, "index.html");
}

test("every page is in it, and every link leads to a place in it or to a file", () => {
  const html = readFileSync(madeSite(), "utf8");
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!));
  const links = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map((match) => match[1]!);
  const leadsSomewhere = (link: string): boolean => {
    if (/^(https?:|data:)/.test(link)) return true;
    return link.startsWith("#")
      ? ids.has(decodeURIComponent(link.slice(1)))
      : existsSync(join(docs, link.split("#")[0]!));
  };
  expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(100);
  expect(links).toContain("#readme/in-front-of-the-agent-you-use");
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
  expect(pages.filter((name) => !ids.has(name.replace(/\.md$/, "")))).toEqual([]);
  expect(html.length).toBeLessThan(600_000);
});

const started = needs("chromium").skip ? null : useChromium();

test("pages open one at a time, search finds, nothing is asked of the network", needs("chromium"), async () => {
  const file = madeSite();
  const { page, asked, complaints } = await openAnyPage(started!(), pathToFileURL(file).href);
  const shown = (): Promise<readonly string[]> =>
    page.locator("article:visible").evaluateAll((all) => all.map(({ id }) => id));
  expect(await shown()).toEqual(["readme"]);
  const keys = await page.locator("nav a").evaluateAll((all) => all.map((link) => link.getAttribute("href")!.slice(1)));
  for (const key of keys) {
    await page.locator(`nav a[href="#${key}"]`).click();
    await page.locator(`article[id="${key}"]`).waitFor({ state: "visible" });
    expect(await shown()).toEqual([key]);
  }
  const pictures = await page.locator("img").evaluateAll((all) => {
    const images = all as HTMLImageElement[];
    return images.filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0).map(({ src }) => src);
  });
  expect(pictures).toEqual([]);
  for (const [words, place] of [
    ["allowed signers", "proof"],
    ["base_url", "models"],
    ["rewind", "undo"],
  ] as const) {
    await page.keyboard.press("Escape");
    await page.locator("#search").fill(words);
    const found = page.locator("#results a");
    await found.first().waitFor({ state: "visible" });
    const pages = await found.evaluateAll((all) =>
      all.map((link) => link.getAttribute("href")!.slice(1).split("/")[0]),
    );
    expect(pages).toContain(place);
    await page.keyboard.press("Enter");
    await page.locator("#results").waitFor({ state: "hidden" });
  }
  await page.locator("#search").fill("zzzz no such word");
  await page.getByText("Nothing was found.").waitFor({ state: "visible" });
  expect({ complaints, asked: asked.filter((address) => !/^(file|data):/.test(address)) }).toEqual({
    complaints: [],
    asked: [],
  });
});
