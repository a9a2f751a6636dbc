/** Every provider, through its real library, speaks with a server of ours in its own wire format. */
import { afterEach, describe, expect, test } from "vitest";
import type { Message, ReplyPart } from "../../src/agent/ports/model.ts";
import { ending, rows, talk, userSays, type Talk, type WireRow } from "./wires.ts";

const talks: Talk[] = [];
afterEach(async () => {
  await Promise.all(talks.splice(0).map((open) => open.close()));
});
const start: typeof talk = async (...args) => {
  const open = await talk(...args);
  talks.push(open);
  return open;
};

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.each(rows)("$wire", (row) => {
  test("text streams piece by piece and ends with the whole reply", async () => {
    const { ask } = await start(row, [{ text: ["Hel", "lo"] }]);
    const { done, before } = ending(await ask());
    expect(before).toEqual([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ]);
    expect(withoutSignatures(done?.reply)).toEqual([{ type: "text", text: "Hello" }]);
    expect(done?.stop).toBe("end");
  });

  test("a tool call arrives with its input as an object", async () => {
    const { ask } = await start(row, [
      { text: "Let me see.", calls: [{ tool: "Read", input: { file_path: "/a b" } }] },
    ]);
    const { done } = ending(await ask());
    expect(withoutSignatures(done?.reply)).toEqual([
      { type: "text", text: "Let me see." },
      { type: "tool-call", id: expect.stringMatching(/^\w+$/), tool: "Read", input: { file_path: "/a b" } },
    ]);
    expect(done?.stop).toBe("tool-calls");
  });

  test("parallel tool calls keep their order and their ids", async () => {
    const calls = ["a", "b", "c"].map((path) => ({ tool: "Read", input: { file_path: path }, id: `call_${path}` }));
    const { ask, server } = await start(row, [{ calls }, { text: "ok" }]);
    const reply = ending(await ask()).done?.reply ?? [];
    expect(withoutSignatures(reply)).toEqual(
      calls.map(({ id, tool, input }) => ({ type: "tool-call", id, tool, input })),
    );
    await ask({ messages: [userSays("hi"), { role: "assistant", content: reply }, resultsOf(reply)] });
    const sent = server.requests[1]?.bytes.toString() ?? "";
    expect(calls.map(({ id }) => sent.split(`"${id}"`).length - 1)).toEqual([2, 2, 2]);
  });

  test("an input that is not JSON is marked, not thrown", async () => {
    const { ask } = await start(row, [{ calls: [{ tool: "Read", rawInput: '{"file_path": ' }] }]);
    const call = ending(await ask()).done?.reply[0];
    expect(call).toMatchObject({ type: "tool-call", input: {}, invalidInput: expect.stringContaining("file_path") });
  });

  test("a call without arguments has an empty input", async () => {
    const { ask } = await start(row, [{ calls: [{ tool: "EnterPlanMode" }] }]);
    expect(ending(await ask()).done?.reply[0]).toMatchObject({ tool: "EnterPlanMode", input: {} });
  });

  test("thinking streams apart from text and is given back unchanged to the same model", async () => {
    const turn = { thinking: "Look first.", calls: [{ tool: "Read", input: {} }] };
    const { ask, server } = await start(row, [turn, { text: "ok" }]);
    const { done, before } = ending(await ask());
    expect(before).toEqual([{ type: "thinking", text: "Look first." }]);
    const reply = done?.reply ?? [];
    expect(withoutSignatures(reply)[0]).toEqual({ type: "thinking", text: "Look first." });
    await ask({ messages: [userSays("hi"), { role: "assistant", content: overTheLog(reply) }, resultsOf(reply)] });
    expect(thinkingIn(server.requests[1]?.body, row)).toEqual(expectedThinking[row.wire]);
  });

  test("thinking of another model is left out", async () => {
    const { ask, server } = await start(row, [{ thinking: "Look first.", text: "Yes." }, { text: "ok" }]);
    const reply = ending(await ask()).done?.reply ?? [];
    const messages = [userSays("hi"), { role: "assistant" as const, content: overTheLog(reply) }, userSays("and?")];
    await ask({ messages, model: `${row.model}-next` });
    const sent = server.requests[1]?.bytes.toString() ?? "";
    expect(sent).toContain("Yes.");
    expect(sent).not.toMatch(/Look first|signature-1|encrypted-1|thought-1/);
  });

  test("an image in a tool result reaches the model", async () => {
    const { ask, server } = await start(row, [{ text: "a dot" }]);
    await ask({
      messages: [
        userSays("look"),
        { role: "assistant", content: [{ type: "tool-call", id: "call_1", tool: "Read", input: {} }] },
        {
          role: "tool",
          results: [
            {
              id: "call_1",
              tool: "Read",
              isError: false,
              content: [{ type: "image", mediaType: "image/png", base64: png }],
            },
          ],
        },
      ],
    });
    const body = JSON.stringify(server.requests[0]?.body);
    expect(body).toContain(png);
    expect(body).toContain("image/png");
    expect(body).toMatch(/"(tool_use_id|call_id|tool_call_id|id)":"call_1"/);
  });

  test("an image of the person reaches the model", async () => {
    const { ask, server } = await start(row, [{ text: "a dot" }]);
    await ask({ messages: [{ role: "user", content: [{ type: "image", mediaType: "image/png", base64: png }] }] });
    expect(JSON.stringify(server.requests[0]?.body)).toContain(png);
  });

  test("usage tells fresh, read and written input apart", async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 900, cacheWriteTokens: 50 };
    const { ask } = await start(row, [{ text: "ok", usage }]);
    const counted = row.wire === "anthropic" || row.wire === "responses";
    const expected = counted ? usage : { ...usage, inputTokens: 150, cacheWriteTokens: 0 };
    expect(ending(await ask()).done?.usage).toEqual(expected);
  });

  test("an empty reply is a reply without parts", async () => {
    const { ask } = await start(row, [{}]);
    const deltas = await ask();
    expect(deltas).toMatchObject([{ type: "done", reply: [], stop: "end" }]);
  });

  test("a reply that hit its limit says so, and so does a refusal", async () => {
    const { ask } = await start(row, [
      { text: "long", stop: "length" },
      { text: "no", stop: "refused" },
    ]);
    expect(ending(await ask()).done?.stop).toBe("length");
    expect(ending(await ask()).done?.stop).toBe("refused");
  });

  test("characters that are split over chunks stay whole", async () => {
    const text = "Grüße — 日本語 👩🏽‍💻 🏳️‍🌈";
    const { ask } = await start(row, [{ text, chunkBytes: 7 }]);
    expect(withoutSignatures(ending(await ask()).done?.reply)).toEqual([{ type: "text", text }]);
  });

  test.each(["gzip", "br"] as const)("a body in %s is read", async (encoding) => {
    const { ask } = await start(row, [{ text: "packed", encoding }]);
    expect(withoutSignatures(ending(await ask()).done?.reply)).toEqual([{ type: "text", text: "packed" }]);
  });

  test.each(["/some/prefix", "/prefix/v1", "/prefix/v1/"])("a base URL with the path %s works", async (prefix) => {
    const path = row.wire === "responses" ? "/responses" : "";
    const { ask, server } = await start({ ...row, path }, [{ text: "ok" }], { prefix });
    expect(ending(await ask()).done?.stop).toBe("end");
    const sent = server.requests[0]?.path ?? "";
    expect(sent.startsWith(prefix.replace(/\/$/, ""))).toBe(true);
    expect(sent).toMatch(/^\/(some\/)?prefix\/v1(beta)?\/(messages|responses|chat\/completions|models\/.*)$/);
  });

  test("the same request is the same bytes", async () => {
    const { ask, server } = await start(row, [{ text: "a" }, { text: "b" }]);
    await ask();
    await ask();
    const [first, second] = server.requests.map(({ bytes }) => Buffer.from(bytes).toString());
    expect(first).toBe(second);
  });

  test("the largest output is passed on", async () => {
    const { ask, server } = await start(row, [{ text: "ok" }]);
    await ask({ maxOutputTokens: 1234 });
    expect(server.requests[0]?.bytes.toString()).toMatch(/"(max_tokens|max_output_tokens|maxOutputTokens)":1234/);
  });
});

function withoutSignatures(reply: readonly ReplyPart[] | undefined): unknown[] {
  return (reply ?? []).map((part) => Object.fromEntries(Object.entries(part).filter(([name]) => name !== "signature")));
}

/** As the session's log keeps it. */
function overTheLog(reply: readonly ReplyPart[]): ReplyPart[] {
  return JSON.parse(JSON.stringify(reply));
}

function resultsOf(reply: readonly ReplyPart[]): Message {
  const calls = reply.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const content = [{ type: "text" as const, text: "42" }];
  return { role: "tool", results: calls.map(({ id, tool }) => ({ id, tool, content, isError: false })) };
}

const expectedThinking: Readonly<Record<WireRow["wire"], unknown[]>> = {
  anthropic: [{ type: "thinking", thinking: "Look first.", signature: "signature-1" }],
  responses: [
    {
      type: "reasoning",
      id: "rs_1",
      encrypted_content: "encrypted-1",
      summary: [{ type: "summary_text", text: "Look first." }],
    },
  ],
  chat: ["Look first."],
  google: ["thought-1"],
};

/** The thinking parts as they stand in the second request. */
function thinkingIn(body: unknown, { wire }: WireRow): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(body, (key, value: unknown) => {
    const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
    if (wire === "anthropic" && type === "thinking" && key !== "thinking") found.push(value);
    if (wire === "responses" && type === "reasoning") found.push(value);
    if (wire === "chat" && key === "reasoning_content") found.push(value);
    if (wire === "google" && key === "thoughtSignature") found.push(value);
    return value;
  });
  return found;
}
