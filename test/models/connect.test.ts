/** What is said before and after a connection, where the providers do not differ. */
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { connectModel } from "../../src/agent/models/index.ts";
import { startLoopback } from "../../src/testing/loopback.ts";
import { collect, ending, requestOf, rows, userSays } from "./wires.ts";

describe("connectModel", () => {
  test.each([
    ["anthropic", "ANTHROPIC_API_KEY"],
    ["openai", "OPENAI_API_KEY"],
    ["google", "GEMINI_API_KEY"],
  ] as const)("%s without a key is an error that names %s", async (provider, variable) => {
    expect(await connectModel({ provider, model: "m" }, { environment: { [variable]: " " } })).toEqual({
      code: "no-key",
      message: `There is no key for ${provider}: set ${variable}.`,
    });
  });

  test("a compatible server may need no key; when it wants one, that is said", async () => {
    const server = await startLoopback({
      script: (_, turn) => (turn === 1 ? { text: "ok" } : { refusal: "wrong-key" }),
    });
    const environment = { OPENAI_BASE_URL: server.url };
    const model = await connectModel({ provider: "openai", model: "m" }, { environment });
    if ("code" in model) throw new Error(model.message);
    const ask = () => collect(model.stream({ ...requestOf(rows[2]!), tools: [] }, new AbortController().signal));
    expect(ending(await ask()).done?.stop).toBe("end");
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(ending(await ask()).error).toEqual({
      code: "no-key",
      message: "The server at OPENAI_BASE_URL wants a key: set OPENAI_API_KEY.",
    });
    await server.close();
  });

  test("an account without credit is not asked again and again", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const server = await startLoopback({ script: () => ({ status: 429, message }) });
    const model = await connectModel({ provider: "openai", model: "m" }, { environment: server.environment() });
    if ("code" in model) throw new Error(model.message);
    const deltas = await collect(model.stream(requestOf(rows[2]!), new AbortController().signal));
    expect(deltas).toEqual([
      {
        type: "failed",
        error: {
          code: "rate-limited",
          message: "The openai account has no quota or credit left: see its billing page.",
        },
      },
    ]);
    await server.close();
  });
});

describe("a stream", () => {
  test("leaves nothing on the signal, and leaves the server when nobody reads on", async () => {
    const server = await startLoopback({
      script: (_, turn) => (turn < 3 ? { status: 500 } : { text: "a", hang: true }),
    });
    const retry = { sleep: async () => undefined };
    const options = { environment: server.environment(), retry };
    const model = await connectModel({ provider: "openai", model: "m" }, options);
    if ("code" in model) throw new Error(model.message);
    const { signal } = new AbortController();
    const kinds: string[] = [];
    for await (const { type } of model.stream(requestOf(rows[2]!), signal)) {
      expect(getEventListeners(signal, "abort").length).toBe(1);
      kinds.push(type);
      if (type === "text") break;
    }
    expect(kinds).toEqual(["retrying", "retrying", "text"]);
    expect(getEventListeners(signal, "abort").length).toBe(0);
    await server.close();
  });
});

describe("Anthropic", () => {
  test("a request carries at most four cache marks, and hidden thinking goes back", async () => {
    const server = await startLoopback({ script: () => ({ redactedThinking: "opaque", text: "ok" }) });
    const environment = server.environment();
    const model = await connectModel({ provider: "anthropic", model: "m" }, { environment });
    if ("code" in model) throw new Error(model.message);
    const ask = (messages: Parameters<typeof requestOf>[1]) =>
      collect(model.stream(requestOf(rows[0]!, messages), new AbortController().signal));
    const reply = ending(await ask({})).done?.reply ?? [];
    expect(reply.map(({ type }) => type)).toEqual(["thinking", "text"]);
    const turns = [1, 2, 3, 4].flatMap(() => [userSays("go on"), { role: "assistant" as const, content: reply }]);
    await ask({ messages: [...turns, userSays("and?")] });
    const sent = Buffer.from(server.requests[1]?.bytes ?? []).toString();
    expect(sent.split('"cache_control"').length - 1).toBe(4);
    expect(sent.split('{"type":"redacted_thinking","data":"opaque"}').length - 1).toBe(4);
    await server.close();
  });
});
