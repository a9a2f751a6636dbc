/** Inputs of tools: Zod, and JSON Schema as foreign servers write it. */
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { parseInput } from "./tool-input.ts";
import { inputSchema } from "./tool-schema.ts";
import { defineTool, type JsonSchema, type Tool } from "../tool.ts";

const toolWith = (input: JsonSchema | z.ZodType<object>): Tool =>
  defineTool<object>({
    name: "Tried",
    input,
    claims: ["note"],
    claim: () => ({ access: { kind: "note" }, subjects: [] }),
    run: async () => ({ content: [] }),
  });

const issue: JsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    title: { type: "string", minLength: 3 },
    labels: { type: "array", items: { $ref: "#/definitions/label" }, maxItems: 2 },
    state: { enum: ["open", "closed"], default: "open" },
    not: { type: "integer", minimum: 1 },
  },
  required: ["title"],
  definitions: { label: { type: "string", pattern: "^[a-z]+$" } },
};

describe("an input by JSON Schema", () => {
  test.each([
    [{ title: "Crash" }, { input: { title: "Crash", state: "open" } }],
    [
      { title: "Crash", labels: ["bug"], not: 2 },
      { input: { title: "Crash", labels: ["bug"], not: 2, state: "open" } },
    ],
    [{ title: "Crash", more: 1 }, { input: { title: "Crash", more: 1, state: "open" } }],
    [{}, { problem: expect.stringContaining("title: ") }],
    [{ title: "x" }, { problem: expect.stringContaining("title: too small") }],
    [{ title: "Crash", labels: ["Bug"] }, { problem: expect.stringContaining("labels.0: ") }],
    [{ title: "Crash", state: "gone" }, { problem: expect.stringContaining("state: ") }],
    [{ title: "Crash", not: 0 }, { problem: expect.stringContaining("not: ") }],
    ["Crash", { problem: expect.stringContaining("expected object") }],
  ])("%j is checked", async (input, parsed) => {
    expect(await parseInput(toolWith(issue), input)).toEqual(parsed);
  });

  test("is told to the model as it is, and as an object", () => {
    expect(inputSchema(toolWith(issue))).toEqual(issue);
    expect(inputSchema(toolWith({ properties: {} }))).toEqual({ type: "object", properties: {} });
  });

  test.each([
    ["keywords that cannot be checked", { if: {}, properties: { a: { type: "string", not: { const: "x" } } } }],
    ["a reference that leads elsewhere", { properties: { b: { $ref: "https://x.test/schema.json" } } }],
  ])("%s are left to the server; an object it must be", async (_, schema) => {
    expect(await parseInput(toolWith(schema), { a: "x" })).toEqual({ input: { a: "x" } });
    expect(await parseInput(toolWith(schema), [])).toEqual({ problem: expect.any(String) });
  });

  test("what stands beside such a keyword is still checked", async () => {
    const schema = { if: {}, properties: { a: { type: "string", not: { const: "x" } } } };
    expect(await parseInput(toolWith(schema), { a: 1 })).toEqual({ problem: expect.stringContaining("a: ") });
  });
});

test("an input by Zod is checked and told in JSON Schema without what we check ourselves", async () => {
  const tool = toolWith(z.strictObject({ name: z.string().min(2) }));
  expect(await parseInput(tool, { name: "x" })).toEqual({ problem: expect.stringContaining("name: too small") });
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  expect(inputSchema(tool)).toEqual(schema);
});
