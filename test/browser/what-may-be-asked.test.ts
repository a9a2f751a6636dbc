/** What a client that was let in must not get away with: paths, methods, bodies, sizes, and a plan full of tricks. */
import { connect } from "node:net";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { pagePolicy } from "../../src/faces/browser/server/headers.ts";
import type { ReviewState } from "../../src/faces/browser/desks/wire.ts";
import { besiege, hostile, json, type Siege } from "./siege.ts";
import { linkOf, send, type Page } from "./stage.ts";
import { until } from "../support/until.ts";

let siege: Siege;
let page: Page;
beforeAll(async () => {
  siege = await besiege();
  ({ page } = siege);
});
afterAll(() => siege.stage.close());

describe("B3.6 what may be asked", () => {
  test.each([
    "../../../../../../etc/passwd",
    "assets/../../../../../../etc/passwd",
    "assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "assets/..%2f..%2f..%2fetc%2fpasswd",
    "assets/..\\..\\etc\\passwd",
    "assets//etc/passwd",
    "assets/page-1.js/",
    "assets/PAGE-1.JS",
    "assets",
    "api",
    "api/state/",
    "api/__proto__",
    "__proto__",
    "constructor",
    "%",
  ])("there is nothing at %s", async (path) => {
    const target = new URL(page.base).pathname + path;
    expect((await siege.ask("", { path: target, headers: { cookie: page.cookie } })).status).toBe(404);
  });

  test.each(["http://evil.example/", "*", "//evil.example/", "/"])("nor at the target %s", async (path) => {
    expect((await siege.ask("", { path, headers: { cookie: page.cookie } })).status).toBe(404);
  });

  test.each([
    ["GET", "api/verdict"],
    ["POST", "api/state"],
    ["PUT", "api/verdict"],
    ["DELETE", ""],
    ["TRACE", "api/state"],
    ["POST", "assets/page-1.js"],
  ])("%s %s is not a thing to do", async (method, route) => {
    const headers = { cookie: page.cookie, origin: page.origin };
    expect((await siege.ask(route, { method, headers })).status).toBe(405);
  });

  test.each<[string, string | Buffer, number, Record<string, string>?]>([
    ["what is not JSON", "{oops", 400],
    ["nothing", "", 400],
    ["a number", "1", 400],
    ["null", "null", 400],
    ["a list", "[]", 400],
    ["broken UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400],
    ["a form", "kind=approve", 415, { "content-type": "application/x-www-form-urlencoded" }],
    ["plain text, which needs no preflight", "{}", 415, { "content-type": "text/plain" }],
    ["JSON in another charset", "{}", 415, { "content-type": "application/json; charset=utf-16" }],
    ["an unknown field", '{"requestId":"r","hash":"x","kind":"approve","more":1}', 400],
    ["an unknown kind", `{"requestId":"r","hash":"${"0".repeat(64)}","kind":"dismiss"}`, 400],
    ["a mode that leads nowhere", `{"requestId":"r","hash":"${"0".repeat(64)}","kind":"approve","mode":"plan"}`, 400],
    ["a hash that is none", '{"requestId":"r","hash":"0","kind":"approve"}', 400],
    ["deep nesting", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, 400],
  ])("%s is answered with a clear error", async (_, body, status, headers = {}) => {
    const reply = await page.send("api/verdict", {
      method: "POST",
      headers: { ...json, origin: page.origin, ...headers },
      body,
    });
    expect(reply.status).toBe(status);
    expect((JSON.parse(reply.body) as { message: string }).message).not.toBe("");
    await siege.unharmed();
  });

  test("an approval of another text, of another request, or for a mode that is not offered does not count", async () => {
    const id = siege.state.request!.id;
    const attempts = [
      { requestId: id, hash: "0".repeat(64), kind: "approve" },
      { requestId: `${id}0`, hash: siege.state.hash, kind: "approve" },
      { requestId: id, hash: siege.state.hash, kind: "approve", mode: "bypassPermissions" },
      { requestId: id, hash: siege.state.hash, kind: "approve", mode: "auto" },
      { requestId: id, hash: siege.state.hash, kind: "approve", plan: " \n\u200B" },
    ];
    const reasons = [];
    for (const attempt of attempts) {
      const { status, value } = await page.post("verdict", attempt);
      reasons.push([status, "reason" in value ? value.reason : null]);
    }
    expect(reasons).toEqual([
      [409, "stale"],
      [409, "stale"],
      [409, "mode-not-available"],
      [409, "mode-not-available"],
      [409, "empty-plan"],
    ]);
    await siege.unharmed();
  });
});

describe("B3.6 how much may be asked", () => {
  test("50 MB are refused before a byte of them is read", async () => {
    const reply = await siege.raw(`${siege.head("POST", "api/verdict")}Content-Length: 52428800\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    await siege.unharmed();
  });

  test("the same sent whole, or in pieces of unknown number, is refused too", async () => {
    const big = Buffer.alloc(50 * 1024 * 1024, "a");
    const headers = { ...json, origin: page.origin };
    const before = process.memoryUsage().arrayBuffers;
    expect((await page.send("api/verdict", { method: "POST", headers, body: big })).status).toBe(413);
    const piece = `100000\r\n${"a".repeat(1024 * 1024)}\r\n`;
    expect(
      await siege.raw(`${siege.head("POST", "api/verdict")}Transfer-Encoding: chunked\r\n\r\n${piece.repeat(3)}`),
    ).toMatch(/^HTTP\/1\.1 413 /);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
    await siege.unharmed();
  });

  test("a client that asks first is told at once", async () => {
    expect(
      await siege.raw(`${siege.head("POST", "api/verdict")}Content-Length: 52428800\r\nExpect: 100-continue\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("huge headers, two lengths and broken requests are refused, and the next request is answered", async () => {
    expect(
      await siege.raw(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${siege.port}\r\nX: ${"a".repeat(20_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 431 /);
    expect(
      await siege.raw(
        `${siege.head("POST", "api/verdict")}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 400 /);
    expect(await siege.raw("\u0000\u0001 nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    await siege.unharmed();
  });

  test("a bounded number of pages may listen; one more is told so", async () => {
    const open: (() => void)[] = [];
    const listening: Promise<string>[] = [];
    for (let count = 0; count < 32; count += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(siege.port, "127.0.0.1", () => socket.write(`${siege.head("GET", "api/events")}\r\n`));
        listening.push(new Promise((done) => socket.once("close", () => done(""))));
        socket.once("data", () => resolve());
        open.push(() => socket.destroy());
      });
    }
    expect((await page.send("api/events")).status).toBe(429);
    open.forEach((close) => close());
    await Promise.all(listening);
    await until("there is room again", async () => {
      const first = await new Promise<string>((resolve) => {
        const socket = connect(siege.port, "127.0.0.1", () => socket.write(`${siege.head("GET", "api/events")}\r\n`));
        socket.once("data", (chunk: Buffer) => {
          socket.destroy();
          resolve(chunk.toString("utf8"));
        });
      });
      return first.startsWith("HTTP/1.1 200 ");
    });
  });
});

describe("B2.5 B3.6 a hostile plan", () => {
  test("travels as JSON, byte for byte, and is never part of a document", async () => {
    const reply = await page.send("api/state");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    const shown = JSON.parse(reply.body) as ReviewState;
    expect({ text: shown.text, hash: shown.hash }).toEqual({ text: hostile, hash: hashText(hostile) });
    const document = await page.send("", { headers: { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" } });
    expect(document.body).toBe("<!doctype html><title>page</title>");
  });

  test("every answer forbids scripts, frames, sniffing, referrers, sharing and keeping", async () => {
    const replies = [
      await page.send(""),
      await page.send("assets/page-1.js"),
      await page.send("api/state"),
      await siege.ask("api/state"),
      await siege.ask("nothing"),
      await send(await linkOf(siege.stage.review)),
    ];
    const refused = await siege.ask("?token=wrong");
    const wanted = {
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    };
    for (const { headers } of [...replies, refused]) expect(headers).toMatchObject(wanted);
    for (const { headers } of replies) expect(headers["content-security-policy"]).toBe(pagePolicy);
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(refused.body)!;
    const own = `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`;
    expect(refused.headers["content-security-policy"]).toBe(pagePolicy.replace("style-src 'self'", own));
    expect(pagePolicy).not.toMatch(/unsafe|https?:|\*|data:|blob:/);
  });

  test("approved, it is exactly these bytes", async () => {
    const { status } = await page.post("verdict", JSON.parse(siege.approval) as object);
    expect(status).toBe(200);
    const { plan, plans } = siege.stage.harness.session.state;
    expect(plan.approved).toMatchObject({ text: hostile, hash: hashText(hostile) });
    expect(plans[0]!.decisions).toMatchObject([{ kind: "approve", by: { user: "ada", surface: "browser" } }]);
  });
});
