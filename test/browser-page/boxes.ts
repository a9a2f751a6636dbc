/** A page's layout as boxes, compared with a kept one: where each part stands, whatever the machine's letters look like. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Page } from "playwright-core";

/** In hundredths of the sheet's width, from the side on which it begins; `lines` of text, as many as are drawn. */
interface Box {
  readonly part: string;
  readonly side: "left" | "right";
  readonly begins: number;
  readonly ends: number;
  readonly lines: number;
}

/** Where a part begins is the page's affair; where it ends, how wide a column is and how many lines it has, that of its letters, too. */
export async function expectBoxes(page: Page, name: string): Promise<void> {
  const now = await page.evaluate<readonly Box[]>(measure);
  const path = fileURLToPath(new URL(`references/${name}.json`, import.meta.url));
  if (!existsSync(path)) {
    writeFileSync(path, `[\n${now.map((box) => `  ${JSON.stringify(box)}`).join(",\n")}\n]\n`);
    throw new Error(`There was no ${path}: it is kept now. Look at the page, then at it.`);
  }
  const kept = JSON.parse(readFileSync(path, "utf8")) as readonly Box[];
  expect(now.map(({ part }) => part)).toEqual(kept.map(({ part }) => part));
  const isOff = (one: Box, other: Box): boolean =>
    one.side !== other.side ||
    Math.abs(one.begins - other.begins) > (/^t[hd]$/.test(one.part) ? 10 : 3) ||
    Math.abs(one.ends - other.ends) > 15 ||
    Math.abs(one.lines - other.lines) > Math.max(1, other.lines / 4);
  expect(now.filter((box, index) => isOff(box, kept[index]!))).toEqual([]);
}

/** The words of each part, and boxes by themselves. */
const measure = `(() => {
  const sheet = document.querySelector("article.plan").getBoundingClientRect();
  const boxOf = (element, part) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const inside = [...range.getClientRects()].filter(({ width }) => width > 0);
    const rects = part === "box" ? [element.getBoundingClientRect()] : inside;
    const side = getComputedStyle(element).direction === "rtl" ? "right" : "left";
    const [left, right] = [Math.min(...rects.map((rect) => rect.left)), Math.max(...rects.map((rect) => rect.right))];
    const hundredths = (value) => Math.round((value / sheet.width) * 100);
    const begins = hundredths(side === "left" ? left - sheet.left : sheet.right - right);
    const ends = hundredths(side === "left" ? right - sheet.left : sheet.right - left);
    const lines = new Set(rects.map((rect) => Math.round(rect.bottom / 14))).size;
    return { part, side, begins, ends, lines };
  };
  const found = document.querySelectorAll("article.plan :is(h1, h2, p, li, th, td, pre, blockquote, input)");
  return [...found].map((element) => boxOf(element, element.matches("input") ? "box" : element.tagName.toLowerCase()));
})()`;
