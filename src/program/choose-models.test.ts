import { describe, expect, test } from "vitest";
import { defaultSettings } from "../core/settings/settings.ts";
import { chooseModels } from "./choose-models.ts";
import { isUsageError } from "./usage-error.ts";

const environment = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" };

async function chosen(more: object, keys: Readonly<Record<string, string>> = environment) {
  return chooseModels({
    settings: { ...defaultSettings, ...more },
    environment: keys,
    tell: () => undefined,
    directory: "/repo",
    hidden: async () => () => false,
  });
}

describe("B7.4 R10.1 the model for exploring", () => {
  test.each([
    ["the provider's small one", {}, environment, "claude-haiku-5-5"],
    [
      "the session's on a server of one's own",
      {},
      { ...environment, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
      "claude-sonnet-5-5",
    ],
    ["the setting's", { exploreModel: "anthropic/claude-tiny" }, environment, "claude-tiny"],
    ["the setting's, of another provider", { exploreModel: "openai/gpt-tiny" }, environment, "gpt-tiny"],
  ])("is %s", async (_, settings, keys, name) => {
    const models = await chosen(settings, keys);
    if (isUsageError(models)) throw new Error(models.problem);
    expect(models.explore.name).toBe(name);
    await models.close();
  });

  test.each(["google/gemini-x", "tiny"])("%s cannot be had: said, never replaced", async (exploreModel) => {
    expect(await chosen({ exploreModel })).toMatchObject({ exitCode: 2 });
  });
});

test("B7.4 an agent's own model is opened once, or its problem told", async () => {
  const models = await chosen({});
  if (isUsageError(models)) throw new Error(models.problem);
  const first = await models.named("openai/gpt-x");
  expect([first, await models.named("openai/gpt-x")]).toEqual([first, first]);
  expect(await models.named("google/gemini-x")).toEqual({ problem: expect.stringContaining("GEMINI_API_KEY") });
  await models.close();
});
