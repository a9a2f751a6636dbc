/** Model names and the choice of a model. */
import { describe, expect, test } from "vitest";
import { contextWindowOf, costUsd } from "./providers.ts";
import { chooseModel, formatModelName, parseModelName, smallModelOf } from "./name.ts";
import { providers } from "./providers.ts";

describe("parseModelName", () => {
  test.each([
    ["anthropic/claude-x", { provider: "anthropic", model: "claude-x" }],
    ["openai/gpt-x", { provider: "openai", model: "gpt-x" }],
    ["openai/meta-llama/Llama-4:free", { provider: "openai", model: "meta-llama/Llama-4:free" }],
    ["google/gemini-x", { provider: "google", model: "gemini-x" }],
    ["scout", { provider: "scout" }],
  ])("%s is read, and written the same", (text, name) => {
    const parsed = parseModelName(text);
    expect(parsed).toEqual(name);
    expect("code" in parsed ? "" : formatModelName(parsed)).toBe(text);
  });

  const listed = providers.map(({ name }) => `${name}/<name>`).join(", ");
  test.each(["", "claude-x", "anthropic/", "anthropic//x", "mistral/x", "openai/a b", "Scout", "scout/x"])(
    "%j is an error that says what to write",
    (text) => {
      expect(parseModelName(text)).toEqual({
        code: "unknown-model",
        message: `${JSON.stringify(text)} is not a model name: write ${listed} or scout.`,
      });
    },
  );
});

describe("chooseModel", () => {
  const environment = { OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };

  test("a wish wins over the environment", () => {
    expect(chooseModel("google/gemini-x", environment)).toEqual({
      name: { provider: "google", model: "gemini-x" },
      because: "wish",
    });
    expect(chooseModel(null, environment)).toMatchObject({ name: { provider: "openai" }, because: "key" });
  });

  test("an empty key is no key, and without any key it is the scout", () => {
    expect(chooseModel(null, { ANTHROPIC_API_KEY: " ", GEMINI_API_KEY: "" })).toEqual({
      name: { provider: "scout" },
      because: "nothing",
    });
  });

  test("a wrong name is an error, not a fallback", () => {
    expect(chooseModel("gpt", environment)).toMatchObject({ code: "unknown-model" });
  });
});

describe("what is known of models", () => {
  test("the provider has a small model, a server of one's own has none that we know", () => {
    const name = { provider: "anthropic", model: "claude-x" } as const;
    expect(smallModelOf(name, {})).toMatchObject({ provider: "anthropic" });
    expect(smallModelOf(name, { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" })).toBeUndefined();
    expect(smallModelOf({ provider: "scout" }, {})).toBeUndefined();
  });

  test.each([
    ["claude-sonnet-5-5", 1_000_000],
    ["claude-opus-5", 1_000_000],
    ["claude-haiku-4-5-20251001", 200_000],
    ["claude-opus-4-6", undefined],
    ["gpt-6-luna", 1_050_000],
    ["gemini-3.8-flash", 1_048_576],
    ["local-model", undefined],
  ])("the context window of %s is %s", (model, tokens) => {
    expect(contextWindowOf(model)).toBe(tokens);
  });

  test("a reply's cost counts the cache apart, and is unknown rather than wrong", () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 1_000_000, cacheWriteTokens: 0 };
    expect(costUsd("claude-sonnet-5-5", usage)).toBeCloseTo(2 + 1 + 0.2);
    expect(costUsd("gpt-6-sol", usage)).toBeNull();
    expect(costUsd("local-model", usage)).toBeNull();
    expect(costUsd("toString", usage)).toBeNull();
  });
});
