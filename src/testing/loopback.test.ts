/** The scripted server itself: what it records, and that it is quick. */
import { afterEach, expect, test } from "vitest";
import { startLoopback, type Loopback, type LoopbackScript } from "./loopback.ts";

const servers: Loopback[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(script: LoopbackScript): Promise<Loopback> {
  const server = await startLoopback({ script });
  servers.push(server);
  return server;
}

const post = (url: string, body: unknown) => fetch(url, { method: "POST", body: JSON.stringify(body) });

test("a request is recorded parsed, as bytes, with its headers and its wire format", async () => {
  const server = await start(() => ({ text: "hi" }));
  await (await post(`${server.url}/any/prefix/v1/messages`, { model: "m", text: "ü" })).text();
  expect(server.requests).toMatchObject([
    { wire: "anthropic", method: "POST", path: "/any/prefix/v1/messages", body: { model: "m", text: "ü" } },
  ]);
  expect(Buffer.from(server.requests[0]?.bytes ?? []).toString()).toBe('{"model":"m","text":"ü"}');
  expect(server.requests[0]?.headers).toMatchObject({ host: new URL(server.url).host });
});

test("the script sees each request with its number, and may take its time", async () => {
  const seen: unknown[] = [];
  const server = await start(async (request, turn) => {
    seen.push([request.wire, turn]);
    return { status: 503 };
  });
  const paths = ["/v1/responses", "/v1/chat/completions", "/v1beta/models/g:streamGenerateContent?alt=sse"];
  for (const path of paths) expect((await post(server.url + path, {})).status).toBe(503);
  expect(seen).toEqual([
    ["responses", 1],
    ["chat", 2],
    ["google", 3],
  ]);
});

test("a path of no wire format is not found, a body that is not JSON is refused, and neither is recorded", async () => {
  const server = await start(() => ({ text: "hi" }));
  expect((await post(`${server.url}/v1/models`, {})).status).toBe(404);
  expect((await fetch(`${server.url}/v1/messages`, { method: "POST", body: "{" })).status).toBe(400);
  expect(server.requests).toEqual([]);
});

test("a script that throws answers with its words", async () => {
  const server = await start(() => {
    throw new Error("no such turn");
  });
  const response = await post(`${server.url}/v1/messages`, {});
  expect([response.status, await response.text()]).toEqual([500, "Error: no such turn"]);
});

test("closing ends an answer that hangs", async () => {
  const server = await start(() => ({ text: "hi", hang: true }));
  const response = await post(`${server.url}/v1/messages`, {});
  await server.close();
  await expect(response.text()).rejects.toThrow(/terminated|aborted|closed/);
});
