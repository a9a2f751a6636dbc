/** Requests as they leave: cache marks, effort, addresses. */
import { describe, expect, test } from "vitest";
import type { Message, ModelRequest } from "../ports/model.ts";
import { wireOptions } from "./effort.ts";
import { buildPrompt, type Wire } from "./prompt.ts";
import { providerRow } from "./providers.ts";
import { addressFor } from "./vendors.ts";

const says = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const tool = (name: string) => ({ name, description: name, schema: { type: "object" } });
const result = (id: string): Message => ({
  role: "tool",
  results: [{ id, tool: "Read", content: [{ type: "text", text: "…" }], isError: false }],
});
const call = (id: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", id, tool: "Read", input: {} }],
});
const request: ModelRequest = {
  model: "m",
  system: "Be brief.",
  tools: [tool("Read"), tool("Write")],
  messages: [says("a"), call("1"), result("1"), call("2"), result("2")],
};

describe("cache marks", () => {
  test("for Anthropic: the system, the last tool, the last two messages of our side", () => {
    const { prompt, tools = [] } = buildPrompt(request, "anthropic");
    const marks = prompt.map(({ role, providerOptions }) => `${role}${providerOptions === undefined ? "" : " marked"}`);
    expect(marks).toEqual(["system marked", "user", "assistant", "tool marked", "assistant", "tool marked"]);
    expect(tools.map((each) => "providerOptions" in each)).toEqual([false, true]);
  });

  test.each(["responses", "chat", "google"] as const)("%s has none", (wire) => {
    expect(JSON.stringify(buildPrompt(request, wire))).not.toContain("cacheControl");
  });
});

describe("messages", () => {
  test("empty texts and messages are left out, an empty system too", () => {
    const messages: Message[] = [says("a"), { role: "assistant", content: [] }, says("")];
    expect(buildPrompt({ ...request, system: "", messages }, "chat").prompt).toEqual([
      { role: "user", content: [{ type: "text", text: "a" }] },
    ]);
  });

  test("a failed result is an error for the model", () => {
    const failed: Message = {
      role: "tool",
      results: [{ id: "1", tool: "Read", content: [{ type: "text", text: "gone" }], isError: true }],
    };
    const [message] = buildPrompt({ ...request, system: "", messages: [failed] }, "anthropic").prompt;
    expect(message?.content).toEqual([
      { type: "tool-result", toolCallId: "1", toolName: "Read", output: { type: "error-text", value: "gone" } },
    ]);
  });
});

describe("effort", () => {
  const toolStreaming = false;
  const adaptive = { type: "adaptive", display: "summarized" };
  const bound = { ...adaptive, blockBinding: { prefixMismatchBehavior: "drop_block" } };
  test.each<[Wire, string, "low" | "high" | undefined, unknown]>([
    ["anthropic", "claude-sonnet-5-5", undefined, { anthropic: { toolStreaming, thinking: bound } }],
    ["anthropic", "claude-opus-5", "high", { anthropic: { toolStreaming, thinking: adaptive, effort: "high" } }],
    ["anthropic", "claude-opus-4-6", "low", { anthropic: { toolStreaming, thinking: adaptive, effort: "low" } }],
    [
      "anthropic",
      "claude-haiku-4-5",
      "high",
      { anthropic: { toolStreaming, thinking: { type: "enabled", budgetTokens: 24_576 } } },
    ],
    ["anthropic", "claude-opus-4-20250514", "low", { anthropic: { toolStreaming } }],
    ["anthropic", "claude-3-haiku-20240307", "high", { anthropic: { toolStreaming } }],
    ["anthropic", "kimi-x", "high", { anthropic: { toolStreaming } }],
    ["responses", "gpt-6-sol", undefined, { openai: { store: false } }],
    ["responses", "gpt-6-sol", "high", { openai: { store: false, reasoningEffort: "high", reasoningSummary: "auto" } }],
    ["chat", "x", undefined, {}],
    ["chat", "x", "low", { openaiCompatible: { reasoningEffort: "low" } }],
    [
      "google",
      "gemini-4-argon",
      "high",
      { google: { thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } } },
    ],
    ["google", "gemini-3.8-flash", undefined, { google: { thinkingConfig: { includeThoughts: true } } }],
    [
      "google",
      "gemini-2.5-pro",
      "low",
      { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } } },
    ],
    ["google", "gemini-2.5-pro", undefined, {}],
    ["google", "gemini-2.0-flash", "high", {}],
  ])("%s %s %s", (wire, model, effort, expected) => {
    expect(wireOptions(wire, model, effort)).toEqual(expected);
  });
});

describe("addresses", () => {
  test.each([
    ["https://h.test", "https://h.test/v1"],
    ["https://h.test/", "https://h.test/v1"],
    ["https://h.test/prefix", "https://h.test/prefix/v1"],
    ["https://h.test/prefix/v1/", "https://h.test/prefix/v1"],
    ["https://h.test/api/paas/v4", "https://h.test/api/paas/v4"],
    ["https://h.test/v1beta/openai/", "https://h.test/v1beta/openai"],
    ["http://127.0.0.1:8080/v1/chat/completions", "http://127.0.0.1:8080/v1"],
  ])("%s is asked at %s", (address, baseUrl) => {
    expect(addressFor(providerRow("openai"), { OPENAI_BASE_URL: address })).toEqual({
      wire: "chat",
      baseUrl,
      isOther: true,
    });
  });

  test("openai's own server speaks Responses, another one too when its address says so", () => {
    expect(addressFor(providerRow("openai"), {})).toEqual({ wire: "responses", baseUrl: undefined, isOther: false });
    const address = addressFor(providerRow("openai"), { OPENAI_BASE_URL: "https://h.test/responses" });
    expect(address).toEqual({ wire: "responses", baseUrl: "https://h.test/v1", isOther: true });
  });

  test.each(["localhost:8080", "ftp://h.test", "http://", "nonsense"])("%s is refused in a sentence", (address) => {
    expect(addressFor(providerRow("google"), { GOOGLE_GEMINI_BASE_URL: address })).toEqual({
      code: "bad-request",
      message: "GOOGLE_GEMINI_BASE_URL is not a web address: write http(s)://….",
    });
  });
});
