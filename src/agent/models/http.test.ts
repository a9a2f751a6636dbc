/** The small fetch: connections kept, proxies, TLS through a tunnel. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createHttp } from "./http.ts";
import { proxyFor } from "./proxy.ts";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((clean) => clean()));

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function httpWith(environment: Record<string, string> = {}, certificates?: string) {
  const http = createHttp({ environment, ...(certificates === undefined ? {} : { certificates }) });
  cleanups.push(() => http.close());
  return async (url: string) => {
    const response = await http.fetch(url, { method: "POST", headers: { "x-test": "1" }, body: "grüße" });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) chunks.push(chunk);
    return `${response.status} ${Buffer.concat(chunks).toString()}`;
  };
}

const echo = (request: IncomingMessage, label: string) => `${label} ${request.method} ${request.headers.host}`;

describe("connections", () => {
  test("one connection serves requests that follow each other", async () => {
    const sockets = new Set<Socket>();
    const port = await listen(
      createServer((request, response) => {
        sockets.add(request.socket);
        request.pipe(response);
      }),
    );
    const post = httpWith();
    for (let turn = 0; turn < 3; turn++) expect(await post(`http://127.0.0.1:${port}/`)).toBe("200 grüße");
    expect(sockets.size).toBe(1);
  });

  test("a kept connection that the server has closed is replaced without a word", async () => {
    let sockets: Socket[] = [];
    const port = await listen(
      createServer((request, response) => {
        sockets.push(request.socket);
        request.resume();
        response.end("ok");
      }),
    );
    const post = httpWith();
    await post(`http://127.0.0.1:${port}/`);
    sockets.forEach((socket) => socket.resetAndDestroy());
    sockets = [];
    expect(await post(`http://127.0.0.1:${port}/`)).toBe("200 ok");
  });

  test("a connection that cannot be made says where", async () => {
    const post = httpWith();
    await expect(post("http://127.0.0.1:9/")).rejects.toMatchObject({
      kind: "unreachable",
      message: "ECONNREFUSED at 127.0.0.1:9",
    });
  });
});

describe("proxies", () => {
  const http = new URL("http://models.test/v1");
  const https = new URL("https://models.test/v1");

  test.each<[string, URL, Record<string, string>, string | undefined]>([
    ["none is named", https, {}, undefined],
    ["https by its own variable", https, { HTTPS_PROXY: "http://p:1" }, "http://p:1/"],
    ["https not by http's", https, { HTTP_PROXY: "http://p:1" }, undefined],
    ["lower case wins", http, { HTTP_PROXY: "http://p:1", http_proxy: "http://q:2" }, "http://q:2/"],
    ["for all", http, { ALL_PROXY: "p:1" }, "http://p:1/"],
    ["except the exact host", https, { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.test, models.test" }, undefined],
    ["except a domain", https, { HTTPS_PROXY: "http://p:1", no_proxy: ".test" }, undefined],
    ["except everything", https, { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
    ["not for another port", https, { HTTPS_PROXY: "http://p:1", NO_PROXY: "models.test:8443" }, "http://p:1/"],
    ["not for a name that only ends alike", https, { HTTPS_PROXY: "http://p:1", NO_PROXY: "dels.test" }, "http://p:1/"],
    ["never for this machine", new URL("http://127.0.0.1:1/"), { HTTP_PROXY: "http://p:1" }, undefined],
  ])("%s", (_, url, environment, expected) => {
    expect(proxyFor(url, environment)?.href).toBe(expected);
  });

  test("a proxy of another kind is refused, and its password not shown", () => {
    expect(() => proxyFor(https, { HTTPS_PROXY: "socks5://me:secret@p:1" })).toThrow(
      "the proxy socks5://p:1 is not an http address",
    );
  });

  test("http goes to the proxy in full, with the proxy's user", async () => {
    const port = await listen(
      createServer((request, response) => {
        request.resume();
        response.end(`${echo(request, request.url ?? "")} ${request.headers["proxy-authorization"]}`);
      }),
    );
    const post = httpWith({ HTTP_PROXY: `http://me:pass@127.0.0.1:${port}` });
    const user = Buffer.from("me:pass").toString("base64");
    expect(await post("http://models.test/v1")).toBe(`200 http://models.test/v1 POST models.test Basic ${user}`);
  });

  test("a proxy that refuses the tunnel is named", async () => {
    const proxy = createServer();
    proxy.on("connect", (_, socket: Socket) => void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    const port = await listen(proxy);
    const post = httpWith({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
    await expect(post("https://models.test/v1")).rejects.toThrow(`the proxy 127.0.0.1:${port} refused with 407`);
  });

  test.skipIf(!hasOpenssl())("https goes through a tunnel, and the connection is kept", async () => {
    const { key, cert } = makeCertificate();
    const secure = createSecureServer({ key, cert }, (request, response) => {
      request.resume();
      response.end(echo(request, "secure"));
    });
    const target = await listen(secure);
    const asked: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url);
      const through = connect(target, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(through).pipe(socket);
      });
      through.on("error", () => socket.destroy());
      socket.on("error", () => through.destroy());
      cleanups.push(() => through.destroy());
    });
    const post = httpWith({ HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` }, cert);
    expect(await post("https://models.test/v1")).toBe("200 secure POST models.test");
    expect(await post("https://models.test/v1")).toBe("200 secure POST models.test");
    expect(asked).toEqual(["models.test:443"]);
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "groundplan-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=models.test", "-addext", "subjectAltName=DNS:models.test"];
  const form = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", [...form, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
