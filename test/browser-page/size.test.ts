/** The page's budgets, measured on what was built. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";

const page = fileURLToPath(new URL("../../dist/page/", import.meta.url));
const assets = readdirSync(join(page, "assets"));
const html = readFileSync(join(page, "index.html"), "utf8");

test("B3.6 the first load stays under 50 KB, with coloured code under 60, the editor under 110 KB", () => {
  const entries = assets.filter((name) => html.includes(name));
  const first = ["index.html", ...withStaticImports(entries).map((name) => `assets/${name}`)];
  const firstLoad = sum(first);
  const editor = withStaticImports(assets.filter((name) => name.startsWith("editor-"))).filter(
    (name) => !first.includes(`assets/${name}`),
  );
  expect(firstLoad).toBeGreaterThan(20_000);
  expect(firstLoad).toBeLessThanOrEqual(50 * 1024);
  const colours = assets.filter((name) => /^(colours|typescript)-/.test(name)).map((name) => `assets/${name}`);
  expect(colours).toHaveLength(2);
  expect(firstLoad + sum(colours)).toBeLessThanOrEqual(60 * 1024);
  expect(sum(editor.map((name) => `assets/${name}`))).toBeLessThanOrEqual(110 * 1024);
});

test("B3.6 the page has no script or style of its own in the document, and names no other host", () => {
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=")|<style|\son\w+=|\sstyle=/);
  expect(html).not.toMatch(/https?:/);
  const css = assets
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(join(page, "assets", name), "utf8"));
  expect(css.filter((text) => /url\(|@import/.test(text))).toEqual([]);
});

function withStaticImports(names: readonly string[]): readonly string[] {
  const found = new Set(names);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(page, "assets", name), "utf8");
    for (const [, imported] of text.matchAll(/(?:^|[;}\s])(?:import|export)(?:[^"'();]*from)?\s*"\.\/([\w-]+\.js)"/g))
      found.add(imported!);
  }
  return [...found];
}

function sum(files: readonly string[]): number {
  return files
    .map((file) => brotliCompressSync(readFileSync(join(page, file))).length)
    .reduce((total, size) => total + size, 0);
}
