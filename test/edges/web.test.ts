/** The Web port against a server on this machine that behaves and misbehaves. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { permittedAddress } from "../../src/agent/host/addresses.ts";
import { createWeb } from "../../src/agent/host/web.ts";

const never = new AbortController().signal;
const web = createWeb({ timeoutMs: 20_000, maxBytes: 10_000 });

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
    expect(await web.fetchText(`${html}/`, never)).toEqual({
      kind: "page",
      url: `${html}/`,
      text: "# Hé",
      truncated: false,
    });
    expect(methods).toEqual(["GET"]);
    const json = await serve(page("application/json", '{"a": "<b>"}'));
    expect(await web.fetchText(json, never)).toMatchObject({ text: '{"a": "<b>"}' });
    const latin = await serve(page("text/plain; charset=iso-8859-1", Buffer.from([0xe9])));
    expect(await web.fetchText(latin, never)).toMatchObject({ text: "é" });
  });

  test("binary and errors are told", async () => {
    const zip = await serve(page("application/zip", "PK"));
    expect(await web.fetchText(zip, never)).toEqual({ kind: "failed", reason: "it is application/zip, not text" });
    const lying = await serve(page("text/plain", Buffer.from([65, 0, 66])));
    expect(await web.fetchText(lying, never)).toEqual({ kind: "failed", reason: "it is not text" });
    const gone = await serve((_, response) => response.writeHead(404).end());
    expect(await web.fetchText(gone, never)).toEqual({ kind: "failed", reason: "the server answered 404" });
  });

  test("size is bounded after unpacking, time as a whole", async () => {
    const bomb = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip").setHeader("content-type", "text/plain");
      response.end(gzipSync("x".repeat(5_000_000)));
    });
    expect(await web.fetchText(bomb, never)).toMatchObject({ text: "x".repeat(10_000), truncated: true });
    const slow = await serve((_, response) => void response.setHeader("content-type", "text/plain").write("begin"));
    expect(await createWeb({ timeoutMs: 100 }).fetchText(slow, never)).toEqual({
      kind: "failed",
      reason: "it took too long",
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(web.fetchText(slow, stop.signal)).rejects.toThrow("stopped");
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
    expect(await web.fetchText(`${server}/old`, never)).toMatchObject({
      kind: "page",
      url: `${server}/new`,
      text: "new",
    });
    expect(await web.fetchText(`${server}/away`, never)).toEqual({ kind: "redirect", url: "https://other.example/x" });
    expect(await web.fetchText(`${server}/inward`, never)).toEqual({
      kind: "redirect",
      url: "http://169.254.169.254/",
    });
    expect(await web.fetchText(`${server}/file`, never)).toEqual({ kind: "redirect", url: "file:///etc/passwd" });
    expect(await web.fetchText(`${server}/circle`, never)).toEqual({
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
    expect(await web.fetchText(url, never)).toMatchObject({ kind: "failed" });
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
    expect(await proxied.fetchText("http://docs.example/a?b=1", never)).toMatchObject({ text: "by proxy" });
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
      expect(await proxied.fetchText(`http://${host}/`, never)).toMatchObject({ kind: "failed" });
    }
    expect(seen).toEqual([]);
  });
});

describe("private networks are out of reach", () => {
  test.each(
    (
      "169.254.169.254 10.1.2.3 192.168.0.1 172.20.0.1 100.64.0.1 0.0.0.0 127.0.0.2 224.0.0.1 [fd00::1] [fe80::1] [::] " +
      "[::ffff:10.0.0.1] [::ffff:7f00:1] [64:ff9b::a00:1] [2002:a00:1::]"
    ).split(" "),
  )("%s", async (host) => {
    expect(await permittedAddress(new URL(`http://${host}/`).hostname)).toMatch(/private network/);
  });

  test("a public name that leads to this machine or inward is refused, also when only one of its addresses does", async () => {
    expect(await permittedAddress("rebind.example", resolve("127.0.0.1"))).toMatch(/private/);
    expect(await permittedAddress("rebind.example", resolve("93.184.216.34", "10.0.0.1"))).toMatch(/private/);
    expect(await permittedAddress("fine.example", resolve("93.184.216.34"))).toEqual({
      address: "93.184.216.34",
      family: 4,
    });
    expect(await permittedAddress("localhost", resolve("127.0.0.1"))).toEqual({ address: "127.0.0.1", family: 4 });
    expect(await permittedAddress("localhost", resolve("10.0.0.1"))).toMatch(/private/);
    expect(await permittedAddress("[::1]")).toEqual({ address: "::1", family: 6 });
  });
});
