import { expect, test } from "vitest";
import { keyVariables } from "../../models/name.ts";
import { isModelKey, keyRemover, modelKeysIn, withoutModelKeys } from "./model-keys.ts";

const own = {
  ANTHROPIC_API_KEY: " planted-key-1 ",
  OPENAI_API_KEY: "planted-key-1-longer",
  GEMINI_API_KEY: "short",
  A: "a",
};

test("B1.12 every provider's key is known by its name", () => {
  expect(Object.values(keyVariables).filter((name) => !isModelKey(name))).toEqual([]);
  expect(["PATH", "GITHUB_TOKEN", "API_KEY_FILE"].filter(isModelKey)).toEqual([]);
});

test("B1.12 no child has one, under its own name or another", () => {
  const environment = { ANTHROPIC_API_KEY: "x", COPY: "Bearer planted-key-1", LANG: "C", SHORT: "short" };
  expect(withoutModelKeys(environment, own)).toEqual({ LANG: "C", SHORT: "short" });
});

test("B1.12 text is freed of keys, the longer one first; what is too short for a key stays", () => {
  expect(modelKeysIn(own)).toEqual(["planted-key-1", "planted-key-1-longer"]);
  expect(keyRemover(own)("a planted-key-1-longer b planted-key-1 c short")).toBe("a ******** b ******** c short");
});
