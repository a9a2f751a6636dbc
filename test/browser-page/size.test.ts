/** The page's budgets, measured on what really travels: every byte that comes out of the socket, headers too. */
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openTab, useChromium } from "./chromium.ts";
import { useStages } from "./stage.ts";
import { visit, type Page } from "../browser/stage.ts";
import { pagePolicy } from "../../src/faces/browser/server/headers.ts";
import { needs } from "../support/needs.ts";

const page = fileURLToPath(new URL("../../dist/page/", import.meta.url));
const assets = readdirSync(join(page, "assets")).filter((name) => /\.(js|css)$/.test(name));
const html = readFileSync(join(page, "index.html"), "utf8");
const firstLoad = [
  "",
  ...withStaticImports(assets.filter((name) => html.includes(name))).map((name) => `assets/${name}`),
];

describe("what the server sends", () => {
  const stage = useStages();

  test("B3.6 the first load is at most 50 KB on the wire, with coloured code 60, the editor 110", async () => {
    const { link } = await stage(["# Plan\n"]);
    const visitor = await visit(await link());
    const first = await sizeOf(visitor, firstLoad, "gzip, deflate, br, zstd");
    expect(first).toBeGreaterThan(20_000);
    expect(first).toBeLessThanOrEqual(50 * 1024);
    expect(await sizeOf(visitor, firstLoad, "gzip, deflate")).toBeLessThanOrEqual(56 * 1024);
    const colours = namesOf(/^(colours|typescript)-/);
    expect(colours).toHaveLength(2);
    expect(first + (await sizeOf(visitor, colours, "br"))).toBeLessThanOrEqual(60 * 1024);
    const editor = withStaticImports(assets.filter((name) => name.startsWith("editor-"))).map(
      (name) => `assets/${name}`,
    );
    const later = editor.filter((name) => !firstLoad.includes(name));
    expect(await sizeOf(visitor, later, "br")).toBeLessThanOrEqual(110 * 1024);
  });

  test.each([
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, *", "gzip"],
    ["*", "br"],
    ["identity", null],
    ["br;q=0, gzip;q=0", null],
    ["zstd", null],
    ["", null],
  ])(
    "B3.6 to a browser that takes %j every file goes as %s, whole and with the headers of every answer",
    async (accepts, encoding) => {
      const { link } = await stage(["# Plan\n"]);
      const visitor = await visit(await link());
      for (const name of firstLoad) {
        const { headers, body } = await rawAnswer(visitor, name, accepts);
        const bytes = readFileSync(join(page, name === "" ? "index.html" : name));
        expect(headers.get("content-encoding") ?? null).toBe(encoding);
        expect(headers.get("vary")).toBe("accept-encoding");
        expect(headers.get("content-length")).toBe(String(body.length));
        expect(headers.get("content-security-policy")).toBe(pagePolicy);
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(unpacked(body, encoding).equals(bytes)).toBe(true);
      }
    },
  );

  test("what the build compressed is not to be had by its own name", async () => {
    const { link } = await stage(["# Plan\n"]);
    const visitor = await visit(await link());
    for (const ending of [".br", ".gz"]) {
      expect((await visitor.send(`${firstLoad.at(-1)!}${ending}`)).status).toBe(404);
    }
  });
});

describe("what Chromium really loads", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test("B3.6 until the plan can be read no more than 50 KB have come, all of them compressed", async () => {
    const { link } = await stage(["# Plan\n\nWords.\n"]);
    const { page: tab, asked } = await openTab(browser(), await link());
    const base = tab.url();
    expect(asked.flatMap((url) => (url.startsWith(base) ? [url.slice(base.length)] : []))).toEqual(
      expect.arrayContaining(firstLoad),
    );
    const sizes = await tab.evaluate(() =>
      [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => !name.includes("/api/"))
        .map(({ transferSize, encodedBodySize, decodedBodySize }) => ({
          transferSize,
          encodedBodySize,
          decodedBodySize,
        })),
    );
    expect(sizes.length).toBeGreaterThanOrEqual(firstLoad.length);
    expect(sizes.every(({ encodedBodySize, decodedBodySize }) => encodedBodySize < decodedBodySize)).toBe(true);
    expect(sizes.reduce((sum, { transferSize }) => sum + transferSize, 0)).toBeLessThanOrEqual(50 * 1024);
  });
});

test("B3.6 the page has no script or style of its own in the document, and names no other host", () => {
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=")|<style|\son\w+=|\sstyle=/);
  expect(html).not.toMatch(/https?:/);
  const css = assets
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(join(page, "assets", name), "utf8"));
  expect(css.filter((text) => /url\(|@import/.test(text))).toEqual([]);
});

function namesOf(pattern: RegExp): readonly string[] {
  return assets.filter((name) => pattern.test(name)).map((name) => `assets/${name}`);
}

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

async function sizeOf(visitor: Page, names: readonly string[], accepts: string): Promise<number> {
  let total = 0;
  for (const name of names) total += (await rawAnswer(visitor, name, accepts)).size;
  return total;
}

interface RawAnswer {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Of all that came, the headers too. */
  readonly size: number;
}

async function rawAnswer({ base, cookie }: Page, name: string, accepts: string): Promise<RawAnswer> {
  const { hostname, port, pathname } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  const asking = [
    `GET ${pathname}${name} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `cookie: ${cookie}`,
    "sec-fetch-site: same-origin",
    `accept-encoding: ${accepts}`,
    "connection: close",
  ];
  socket.write(`${asking.join("\r\n")}\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const end = all.indexOf("\r\n\r\n");
  const [status = "", ...lines] = all.subarray(0, end).toString("latin1").split("\r\n");
  expect(status).toBe("HTTP/1.1 200 OK");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { headers: new Map(headers), body: all.subarray(end + 4), size: all.length };
}

function unpacked(body: Buffer, encoding: string | null): Buffer {
  if (encoding === null) return body;
  return encoding === "br" ? brotliDecompressSync(body) : gunzipSync(body);
}
