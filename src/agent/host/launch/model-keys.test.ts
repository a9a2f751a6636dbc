import { expect, test } from "vitest";
import { providers } from "../../models/providers.ts";
import { isModelKey, keyRemover, modelKeysIn, withoutModelKeys } from "./model-keys.ts";

const own = {
  ANTHROPIC_API_KEY: " planted-key-1 ",
  OPENAI_API_KEY: "planted-key-1-longer",
  GEMINI_API_KEY: "short",
  A: "a",
};

test("B1.12 every provider's key is known by its name", () => {
  expect(providers.map(({ keyVariable }) => keyVariable).filter((name) => !isModelKey(name))).toEqual([]);
  expect(["PATH", "GITHUB_TOKEN", "API_KEY_FILE"].filter(isModelKey)).toEqual([]);
});

test("B1.12 no child has one, under its own name or another", () => {
  const environment = { ANTHROPIC_API_KEY: "x", COPY: "Bearer planted-key-1", LANG: "C", SHORT: "short" };
  expect(withoutModelKeys(environment, own)).toEqual({ LANG: "C", SHORT: "short" });
});

test("B1.12 a value is freed of keys, the longer one first; what is too short for a key stays", () => {
  expect(modelKeysIn(own)).toEqual(["planted-key-1", "planted-key-1-longer"]);
  const event = { type: "x", text: ["a planted-key-1-longer b planted-key-1\n", { deep: "short" }], none: null };
  expect(keyRemover(own)(event)).toEqual({
    type: "x",
    text: ["a ******** b ********\n", { deep: "short" }],
    none: null,
  });
  const odd = { ANTHROPIC_API_KEY: 'with "quotes" \\ and more' };
  expect(keyRemover(odd)({ said: `<${odd.ANTHROPIC_API_KEY}>` })).toEqual({ said: "<********>" });
});

test("what holds no key is given back as it is", () => {
  const event = { type: "x" };
  expect(keyRemover(own)(event)).toBe(event);
  expect(keyRemover({})(event)).toBe(event);
});
