/** Every provider, through its real library, when the server or the network behaves badly. */
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { errnoOf } from "../../src/agent/host/files/file-error.ts";
import type { ModelDelta } from "../../src/agent/ports/model.ts";
import { until } from "../support/until.ts";
import { collect, ending, rows, talk, type Talk } from "./wires.ts";

const talks: Talk[] = [];
afterEach(async () => {
  await Promise.all(talks.splice(0).map((open) => open.close()));
});
const start: typeof talk = async (...args) => {
  const open = await talk(...args);
  talks.push(open);
  return open;
};

/** Silence is a matter of time: where this very process was stopped for seconds, the server was silent. */
const onRealTime = { retry: 3 };

describe.each(rows)("$wire", (row) => {
  test.each([1, 60, 250, 400, 600])("a stream that is cut after %i bytes is tried again", async (cutAfter) => {
    const { ask, waits } = await start(row, [{ text: ["Hel", "lo"], cutAfter }, { text: "Hello" }]);
    const deltas = await ask();
    const wait = deltas.findIndex(({ type }) => type === "retrying");
    expect(deltas[wait]).toEqual({
      type: "retrying",
      attempt: 2,
      waitMs: 750,
      error: { code: "broken-stream", message: "The answer broke off before its end." },
    });
    const restarted = wait === 0 ? [] : ["restarted"];
    expect(deltas.slice(wait + 1).map(({ type }) => type)).toEqual([...restarted, "text", "done"]);
    expect(waits).toEqual([750]);
  });

  test("a stream that ends too early without an error is tried again too", async () => {
    const early = {
      text: ["Hel", "lo"],
      endAfterEvents: row.wire === "responses" ? 5 : row.wire === "anthropic" ? 4 : row.wire === "chat" ? 2 : 1,
    };
    const { ask } = await start(row, [early, { text: "Hello" }]);
    const deltas = await ask();
    expect(deltas.map(({ type }) => type)).toEqual(["text", "retrying", "restarted", "text", "done"]);
  });

  test("a refusal for overload with retry-after is waited for, visibly", async () => {
    const { ask, waits } = await start(row, [{ status: 529, headers: { "retry-after": "7" } }, { text: "ok" }]);
    const deltas = await ask();
    expect(deltas.slice(0, 1)).toEqual([
      { type: "retrying", attempt: 2, waitMs: 7000, error: { code: "overloaded", message: expect.any(String) } },
    ]);
    expect(ending(deltas).done?.stop).toBe("end");
    expect(waits).toEqual([7000]);
  });

  test.each([429, 500, 502, 503, 529])("a status of %i is tried again", async (status) => {
    const { ask } = await start(row, [{ status }, { text: "ok" }]);
    expect((await ask()).map(({ type }) => type)).toEqual(["retrying", "text", "done"]);
  });

  test("an overload that is reported in the middle of the stream is tried again", async () => {
    const { ask } = await start(row, [{ text: ["a", "b"], errorEvent: true }, { text: "ok" }]);
    const deltas = await ask();
    expect(deltas.at(-1)?.type).toBe("done");
    expect(deltas.filter(({ type }) => type === "retrying")).toMatchObject([
      { error: { code: retriedCode[row.wire] } },
    ]);
  });

  test("an event that cannot be read is tried again", async () => {
    const { ask } = await start(row, [{ text: ["a", "b", "c"], malformedEvent: true }, { text: "ok" }]);
    const deltas = await ask();
    expect(deltas.at(-1)?.type).toBe("done");
    expect(deltas.filter(({ type }) => type === "retrying")).toMatchObject([{ error: { code: "broken-stream" } }]);
  });

  test("a server that falls silent is given up and tried again", onRealTime, async () => {
    const { ask } = await start(row, [{ text: ["a", "b"], hang: true }, { text: "ok" }], { silenceMs: 3_000 });
    const deltas = await ask();
    expect(deltas.at(-1)?.type).toBe("done");
    expect(deltas.filter(({ type }) => type === "retrying")).toMatchObject([{ error: { code: "broken-stream" } }]);
  });

  test("a slow stream is not a silent one", onRealTime, async () => {
    const text = Array.from({ length: 15 }, (_, index) => `${index} `);
    const { ask } = await start(row, [{ text, eventDelayMs: 250 }], { silenceMs: 3_000 });
    expect((await ask()).map(({ type }) => type)).toEqual([...text.map(() => "text"), "done"]);
  });

  test("after the last attempt the error stands", async () => {
    const { ask, server, waits } = await start(row, () => ({ status: 500, message: "boom" }));
    const { error } = ending(await ask());
    expect(error).toEqual({ code: "server-error", message: expect.stringContaining("boom") });
    expect(server.requests.length).toBe(8);
    expect(waits).toEqual([750, 1500, 3000, 6000, 12_000, 22_500, 22_500]);
  });

  test("a wrong key is said in a sentence that does not show the key, and is not tried again", async () => {
    const { ask, server } = await start(row, [{ refusal: "wrong-key" }]);
    const deltas = await ask();
    const key = {
      anthropic: "ANTHROPIC_API_KEY",
      google: "GEMINI_API_KEY",
      chat: "OPENAI_API_KEY",
      responses: "OPENAI_API_KEY",
    };
    expect(deltas).toMatchObject([{ type: "failed", error: { code: "wrong-key" } }]);
    expect(ending(deltas).error?.message).toContain(`The key in ${key[row.wire]} was refused`);
    expect(ending(deltas).error?.message).not.toContain("loopback-key");
    expect(server.requests.length).toBe(1);
  });

  test("the key never stands in a message, even when the server repeats it", async () => {
    const { ask } = await start(row, [{ status: 400, message: "bad header loopback-key, sorry" }]);
    const message = ending(await ask()).error?.message ?? "";
    expect(message).toContain("bad header …, sorry");
  });

  test("an unknown model is named", async () => {
    const { ask, server } = await start(row, [{ refusal: "unknown-model" }]);
    const { error } = ending(await ask());
    expect(error).toEqual({ code: "unknown-model", message: expect.stringContaining(`no model "${row.model}"`) });
    expect(server.requests.length).toBe(1);
  });

  test("a conversation that no longer fits is said so and not tried again", async () => {
    const { ask, server } = await start(row, [{ refusal: "context-full" }]);
    const { error } = ending(await ask());
    expect(error).toEqual({ code: "context-full", message: expect.stringContaining("no longer fits") });
    expect(server.requests.length).toBe(1);
  });

  test("an abort in the middle of the stream ends it and closes the connection", async () => {
    const { stream } = await start(row, [{ text: ["a", "b"], hang: true }]);
    const stop = new AbortController();
    const deltas: ModelDelta[] = [];
    setTimeout(() => stop.abort(), 60);
    for await (const delta of stream({}, stop.signal)) deltas.push(delta);
    expect(deltas.at(-1)).toEqual({ type: "failed", error: { code: "aborted", message: "The request was stopped." } });
  });

  test("an abort before the server answers ends at once", async () => {
    const { stream } = await start(row, [{ text: "late", delayMs: 120_000 }]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    expect(await collect(stream({}, stop.signal))).toMatchObject([{ type: "failed", error: { code: "aborted" } }]);
  });

  test("an abort during the wait for the next attempt ends at once", async () => {
    const { stream } = await start(row, [{ status: 529, headers: { "retry-after": "120" } }], { retry: {} });
    const stop = new AbortController();
    const kinds: string[] = [];
    for await (const delta of stream({}, stop.signal)) {
      kinds.push(delta.type === "failed" ? delta.error.code : delta.type);
      if (delta.type === "retrying") setTimeout(() => stop.abort(), 10);
    }
    expect(kinds).toEqual(["retrying", "aborted"]);
  });

  test("a request with an aborted signal is not sent", async () => {
    const { stream, server } = await start(row, [{ text: "ok" }]);
    expect(await collect(stream({}, AbortSignal.abort()))).toMatchObject([{ error: { code: "aborted" } }]);
    expect(server.requests.length).toBe(0);
  });

  test("a server that is not there is tried again, then named with the variable to check", async () => {
    const open = await talk(row, [{ text: "ok" }]);
    await open.server.close();
    await until("nobody listens there", () => isRefused(open.server.url));
    const { error, before } = ending(await open.ask());
    expect(before.every(({ type }) => type === "retrying")).toBe(true);
    expect(error).toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(/ECONNREFUSED.*check \w+_BASE_URL/),
    });
  });
});

/** A program that another test is about to start holds a copy of the port until it really runs. */
function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise<boolean>((resolve) => {
    socket.once("error", (error) => resolve(errnoOf(error) === "ECONNREFUSED"));
    socket.once("connect", () => resolve(false));
  }).finally(() => socket.destroy());
}

const retriedCode = { anthropic: "overloaded", responses: "server-error", chat: "server-error", google: "overloaded" };
