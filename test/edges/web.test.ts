/** The Web port against a server on this machine that behaves and misbehaves. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { permittedAddress } from "../../src/agent/host/web/addresses.ts";
import { createWeb } from "../../src/agent/host/web/web.ts";

const here = ["127.0.0.1"];
const asked = { signal: new AbortController().signal, inward: here };
const web = createWeb({ timeoutMs: 300_000, maxBytes: 10_000 });

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page = (type: string, body: string | Buffer): RequestListener => {
  return (_, response) => response.setHeader("content-type", type).end(body);
};

describe("fetching a page", () => {
  test("text out of HTML, other text as it is, by GET", async () => {
    const methods: unknown[] = [];
    const html = await serve((request, response) => {
      methods.push(request.method);
      page("text/html; charset=utf-8", "<h1>Hé</h1>")(request, response);
    });
    expect(await web.fetchText(`${html}/`, asked)).toEqual({
      kind: "page",
      url: `${html}/`,
      text: "# Hé",
      truncated: false,
    });
    expect(methods).toEqual(["GET"]);
    const json = await serve(page("application/json", '{"a": "<b>"}'));
    expect(await web.fetchText(json, asked)).toMatchObject({ text: '{"a": "<b>"}' });
    const latin = await serve(page("text/plain; charset=iso-8859-1", Buffer.from([0xe9])));
    expect(await web.fetchText(latin, asked)).toMatchObject({ text: "é" });
  });

  test("binary and errors are told", async () => {
    const zip = await serve(page("application/zip", "PK"));
    expect(await web.fetchText(zip, asked)).toEqual({ kind: "failed", reason: "it is application/zip, not text" });
    const lying = await serve(page("text/plain", Buffer.from([65, 0, 66])));
    expect(await web.fetchText(lying, asked)).toEqual({ kind: "failed", reason: "it is not text" });
    const gone = await serve((_, response) => response.writeHead(404).end());
    expect(await web.fetchText(gone, asked)).toEqual({ kind: "failed", reason: "the server answered 404" });
    const odd = await serve((_, response) => response.setHeader("content-encoding", "odd").end("x"));
    expect(await web.fetchText(odd, asked)).toEqual({ kind: "failed", reason: "its encoding (odd) is unknown" });
    const reason = "the server broke the connection";
    const deaf = await serve((request) => void request.socket.resetAndDestroy());
    expect(await web.fetchText(deaf, asked)).toEqual({ kind: "failed", reason });
    const torn = await serve((request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": 9 });
      response.write("x", () => request.socket.resetAndDestroy());
    });
    expect(await web.fetchText(torn, asked)).toMatchObject({ kind: "failed" });
    expect(await web.fetchText("http://127.0.0.1:9/", asked)).toEqual({
      kind: "failed",
      reason: "the server refuses the connection",
    });
  });

  test("size is bounded after unpacking, time as a whole", async () => {
    const bomb = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip").setHeader("content-type", "text/plain");
      response.end(gzipSync("x".repeat(5_000_000)));
    });
    expect(await web.fetchText(bomb, asked)).toMatchObject({ text: "x".repeat(10_000), truncated: true });
    const slow = await serve((_, response) => void response.setHeader("content-type", "text/plain").write("begin"));
    expect(await createWeb({ timeoutMs: 100 }).fetchText(slow, asked)).toEqual({
      kind: "failed",
      reason: "it took too long",
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(web.fetchText(slow, { signal: stop.signal, inward: here })).rejects.toThrow("stopped");
  });

  test("redirects on the same host are followed, to another they are reported, circles end", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else if (request.url === "/away") response.writeHead(302, { location: "https://other.example/x" }).end();
      else if (request.url === "/inward") response.writeHead(302, { location: "http://169.254.169.254/" }).end();
      else if (request.url === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
      else if (request.url === "/circle") response.writeHead(302, { location: "/circle" }).end();
      else page("text/plain", "new")(request, response);
    });
    expect(await web.fetchText(`${server}/old`, asked)).toMatchObject({
      kind: "page",
      url: `${server}/new`,
      text: "new",
    });
    expect(await web.fetchText(`${server}/away`, asked)).toEqual({ kind: "redirect", url: "https://other.example/x" });
    expect(await web.fetchText(`${server}/inward`, asked)).toEqual({
      kind: "redirect",
      url: "http://169.254.169.254/",
    });
    expect(await web.fetchText(`${server}/file`, asked)).toEqual({ kind: "redirect", url: "file:///etc/passwd" });
    expect(await web.fetchText(`${server}/circle`, asked)).toEqual({
      kind: "failed",
      reason: "it redirects more than 5 times",
    });
  });

  test.each([
    "file:///etc/passwd",
    "ftp://example.org/x",
    "nonsense",
    "http://user:secret@example.org/",
    "data:text/plain,x",
  ])("%s is refused", async (url) => {
    expect(await web.fetchText(url, asked)).toMatchObject({ kind: "failed" });
  });
});

const resolve =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: 4 as const })));

const unresolved = () => Promise.reject(new Error("no names here"));

describe("through a proxy", () => {
  test("pages are asked of the proxy in full, also where names cannot be looked up here", async () => {
    const seen: unknown[] = [];
    const proxy = await serve((request, response) => {
      seen.push([request.url, request.headers.host]);
      page("text/plain", "by proxy")(request, response);
    });
    const proxied = createWeb({ environment: { HTTP_PROXY: proxy }, resolve: unresolved });
    expect(await proxied.fetchText("http://docs.example/a?b=1", asked)).toMatchObject({ text: "by proxy" });
    expect(seen).toEqual([["http://docs.example/a?b=1", "docs.example"]]);
  });

  test("an address inside a private network is refused before the proxy is asked", async () => {
    const seen: unknown[] = [];
    const proxy = await serve((request, response) => {
      seen.push(request.url);
      response.end();
    });
    const proxied = createWeb({ environment: { HTTP_PROXY: proxy }, resolve: resolve("10.0.0.1") });
    for (const host of ["169.254.169.254", "inside.example"]) {
      expect(await proxied.fetchText(`http://${host}/`, asked)).toMatchObject({ kind: "failed" });
    }
    expect(seen).toEqual([]);
  });
});

describe("B1.14 private networks are out of reach, unless that very address was let through", () => {
  const hosts =
    "169.254.169.254 10.1.2.3 192.168.0.1 172.20.0.1 100.64.0.1 0.0.0.0 0 127.0.0.2 127.1 2130706433 0x7f000001 0177.0.0.1 " +
    "224.0.0.1 255.255.255.255 [fd00::1] [fe80::1] [ff02::1] [::] [::1] [::127.0.0.1] [::ffff:10.0.0.1] [::ffff:7f00:1] " +
    "[64:ff9b::a00:1] [2002:a00:1::] [2001:0:a00:1::]";

  test.each(hosts.split(" "))("%s", async (host) => {
    const { hostname } = new URL(`http://${host}/`);
    expect(await permittedAddress(hostname, [])).toMatch(/private network/);
    expect(await web.inward(`http://${host}/`)).toEqual([hostname.replace(/^\[|\]$/g, "")]);
  });

  test("a public name that leads to this machine or inward is refused, also when only one of its addresses does", async () => {
    expect(await permittedAddress("rebind.example", [], resolve("127.0.0.1"))).toMatch(/private/);
    expect(await permittedAddress("rebind.example", [], resolve("93.184.216.34", "10.0.0.1"))).toMatch(/private/);
    const fine = { address: "93.184.216.34", family: 4 };
    expect(await permittedAddress("fine.example", [], resolve("93.184.216.34"))).toEqual(fine);
    expect(await permittedAddress("localhost", [], resolve("127.0.0.1"))).toMatch(/private/);
    expect(await permittedAddress("localhost", ["127.0.0.1"], resolve("127.0.0.1"))).toEqual({
      address: "127.0.0.1",
      family: 4,
    });
    expect(await permittedAddress("localhost", ["127.0.0.1"], resolve("10.0.0.1"))).toMatch(/private/);
  });

  test("a name that leads elsewhere once it was judged is not followed: what was let through counts, not what it leads to then", async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      seen.push(request.url);
      page("text/plain", "inner")(request, response);
    });
    const { port } = new URL(server);
    let times = 0;
    const turning = createWeb({
      resolve: async () => [{ address: (times += 1) === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 }],
    });
    const url = `http://rebind.example:${port}/`;
    expect(await turning.inward(url)).toEqual([]);
    const { signal } = asked;
    expect(await turning.fetchText(url, { signal, inward: [] })).toMatchObject({ kind: "failed" });
    expect(await turning.fetchText(url, { signal, inward: ["10.0.0.1"] })).toMatchObject({ kind: "failed" });
    expect(seen).toEqual([]);
    expect(await turning.fetchText(url, { signal, inward: ["127.0.0.1"] })).toMatchObject({ text: "inner" });
  });

  test("after a redirect to the same host the name is looked up and judged again", async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      seen.push(request.url);
      response.writeHead(302, { location: "/next" }).end();
    });
    let times = 0;
    const turning = createWeb({
      resolve: async () => [{ address: (times += 1) === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
    });
    const url = `http://rebind.example:${new URL(server).port}/`;
    expect(await turning.fetchText(url, asked)).toMatchObject({ kind: "failed" });
    expect(seen).toEqual(["/"]);
  });

  test("behind a proxy a name that only an inner network knows counts as inside", async () => {
    const proxied = createWeb({ environment: { HTTP_PROXY: "http://127.0.0.1:1" }, resolve: unresolved });
    const inward = await Promise.all(
      ["wiki", "wiki.corp", "metadata.google.internal", "docs.example"].map((host) =>
        proxied.inward(`http://${host}/`),
      ),
    );
    expect(inward).toEqual([["wiki"], ["wiki.corp"], ["metadata.google.internal"], []]);
    const { signal } = asked;
    expect(await proxied.fetchText("http://wiki/", { signal, inward: [] })).toEqual({
      kind: "failed",
      reason: "wiki is a name inside a private network",
    });
  });
});
