/** What a page from elsewhere in the person's browser, or another user of this machine, would send. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../../src/testing/index.ts";
import { besiege, json, type Siege } from "./siege.ts";
import { linkOf, pageAt, send, setStage, visit, type Page, type Sending } from "./stage.ts";

let siege: Siege;
let page: Page;
beforeAll(async () => {
  siege = await besiege();
  ({ page } = siege);
});
afterAll(() => siege.stage.close());

describe("B3.6 who may ask", () => {
  test.each<[string, () => Sending & { readonly route?: string }, number]>([
    ["no cookie at all", () => ({}), 401],
    ["an empty cookie", () => ({ headers: { cookie: "groundplan_review=" } }), 401],
    ["a wrong cookie of the right length", () => ({ headers: { cookie: changed(page.cookie) } }), 401],
    [
      "the right value under another name",
      () => ({ headers: { cookie: page.cookie.replace("groundplan_review", "x") } }),
      401,
    ],
    ["a name that leads here (rebinding)", () => ({ headers: { cookie: page.cookie, host: "evil.example" } }), 403],
    ["the same with the port", () => ({ headers: { cookie: page.cookie, host: `evil.example:${siege.port}` } }), 403],
    ["our address without the port", () => ({ headers: { cookie: page.cookie, host: "127.0.0.1" } }), 403],
    ["another port of ours", () => ({ headers: { cookie: page.cookie, host: "127.0.0.1:1" } }), 403],
    [
      "a name that begins like ours",
      () => ({ headers: { cookie: page.cookie, host: `localhost.evil.example:${siege.port}` } }),
      403,
    ],
    ["another loopback address", () => ({ headers: { cookie: page.cookie, host: `127.0.0.2:${siege.port}` } }), 403],
    ["a page from elsewhere", () => ({ headers: { cookie: page.cookie, origin: "https://evil.example" } }), 403],
    ["a page of another local server", () => ({ headers: { cookie: page.cookie, origin: "http://127.0.0.1:1" } }), 403],
    ["a sandboxed page", () => ({ headers: { cookie: page.cookie, origin: "null" } }), 403],
    [
      "our origin by another scheme",
      () => ({ headers: { cookie: page.cookie, origin: page.origin.replace("http", "https") } }),
      403,
    ],
    [
      "a fetch from another port (same site)",
      () => ({ headers: { cookie: page.cookie, "sec-fetch-site": "same-site" } }),
      403,
    ],
    ["a fetch from another site", () => ({ headers: { cookie: page.cookie, "sec-fetch-site": "cross-site" } }), 403],
    [
      "an image tag elsewhere",
      () => ({
        headers: {
          cookie: page.cookie,
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "no-cors",
          "sec-fetch-dest": "image",
        },
      }),
      403,
    ],
    [
      "a frame elsewhere",
      () => ({
        route: "",
        headers: {
          cookie: page.cookie,
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "navigate",
          "sec-fetch-dest": "iframe",
        },
      }),
      403,
    ],
    ["a preflight", () => ({ method: "OPTIONS", headers: { origin: "https://evil.example" } }), 403],
  ])("%s is refused", async (_, sending, status) => {
    const { route = "api/state", ...rest } = sending();
    const reply = await siege.ask(route, rest);
    expect(reply.status).toBe(status);
    expect(reply.body).not.toContain("Plan <script>");
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    await siege.unharmed();
  });

  test.each<[string, () => Record<string, string>]>([
    ["without a cookie", () => ({ origin: page.origin })],
    ["without an origin", () => ({ cookie: page.cookie })],
    [
      "from a page elsewhere",
      () => ({ cookie: page.cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" }),
    ],
    [
      "from another local server",
      () => ({ cookie: page.cookie, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }),
    ],
    [
      "from a name that leads here",
      () => ({ cookie: page.cookie, origin: `http://evil.example:${siege.port}`, host: `evil.example:${siege.port}` }),
    ],
    [
      "by a navigation",
      () => ({
        cookie: page.cookie,
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
      }),
    ],
  ])("an approval %s does not count", async (_, headers) => {
    const reply = await siege.ask("api/verdict", {
      method: "POST",
      headers: { ...json, ...headers() },
      body: siege.approval,
    });
    expect([401, 403]).toContain(reply.status);
    await siege.unharmed();
  });

  test("two Host headers are refused", async () => {
    const reply = await siege.raw(
      `GET /x HTTP/1.1\r\nHost: 127.0.0.1:${siege.port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 (400|403) /);
  });
});

describe("B3.6 the link", () => {
  test("a token is exchanged once, for a cookie that scripts cannot read and other sites do not send", async () => {
    const link = await linkOf(siege.stage.review);
    const first = await send(link);
    expect(first.status).toBe(303);
    expect(first.headers["location"]).toBe(new URL(page.base).pathname);
    expect(String(first.headers["set-cookie"])).toMatch(
      /^groundplan_review=[\w-]{43}; Path=\/[\w-]{16}\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await send(link)).status).toBe(403);
    expect((await send(link, { headers: { cookie: page.cookie } })).status).toBe(303);
  });

  test("a browser that loads ahead does not use it up, nor does another method", async () => {
    const link = await linkOf(siege.stage.review);
    expect((await send(link, { headers: { "sec-purpose": "prefetch;prerender" } })).status).toBe(403);
    expect((await send(link, { headers: { purpose: "prefetch" } })).status).toBe(403);
    expect((await send(link, { method: "HEAD" })).status).toBe(405);
    expect((await send(link)).status).toBe(303);
  });

  test("clicked on another site's page, it goes on by a page of ours, so that the strict cookie is sent", async () => {
    const link = await linkOf(siege.stage.review);
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const reply = await send(link, { headers });
    expect(reply.status).toBe(200);
    expect(reply.body).toContain(`content="0;url=${new URL(page.base).pathname}"`);
  });

  test.each(["", "x", "a".repeat(32), "%00", "token=token"])("a wrong token (%j) lets nobody in", async (token) => {
    const reply = await send(`${page.base}?token=${token}`);
    expect({ status: reply.status, cookie: reply.headers["set-cookie"] }).toEqual({ status: 403, cookie: undefined });
  });

  test("only the newest links that were not used count", async () => {
    const oldest = await linkOf(siege.stage.review);
    for (let count = 0; count < 16; count += 1) await linkOf(siege.stage.review);
    expect((await send(oldest)).status).toBe(403);
  });
});

test("B3.6 pages of two sessions on one machine do not open each other", async () => {
  const other = await setStage({ model: scriptedModel("Hello."), mode: "plan" });
  const own = await visit(await linkOf(other.review));
  expect(own.cookie).not.toBe(page.cookie);
  expect((await pageAt(own.base, page.cookie).send("api/state")).status).toBe(401);
  expect((await pageAt(page.base, own.cookie).send("api/state")).status).toBe(401);
  await other.close();
});

function changed(cookie: string): string {
  return cookie.slice(0, -1) + (cookie.endsWith("A") ? "B" : "A");
}
