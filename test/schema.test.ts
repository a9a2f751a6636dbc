/** The shipped schema is the one of the code, and knows every setting of the specification. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { settingsShape } from "../src/core/settings/shape.ts";
import { eventSchemaText, publicEventNames } from "../src/agent/ports/event-shapes.ts";
import { receiptSchemaText } from "../src/core/proof/receipt.ts";
import { settingsSchemaText } from "../src/program/settings/schema.ts";

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), "utf8");

test("B8.4 the shipped JSON schema is up to date: otherwise run `npm run schema`", async () => {
  expect(await read("schema/settings.schema.json")).toBe(settingsSchemaText());
  expect((JSON.parse(await read("package.json")) as { files: string[] }).files).toContain("schema");
});

test("R16.2 the shipped schema of the public events is up to date: otherwise run `npm run schema`", async () => {
  expect(await read("schema/events.schema.json")).toBe(eventSchemaText());
});

test("B16.1 the shipped schema of receipts is up to date: otherwise run `npm run schema`", async () => {
  expect(await read("schema/receipt.schema.json")).toBe(receiptSchemaText());
});

test("R16.2 every event that is published anywhere is in the schema", async () => {
  const sources = await Promise.all(
    ["src/agent/loop/public-events.ts", "src/faces/headless/face.ts", "src/faces/headless/drive.ts"].map(read),
  );
  const named = sources.flatMap((text) =>
    [...text.matchAll(/type: "([a-z]+(?:\.[a-z]+)+)"/g)].map((match) => match[1]!),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !publicEventNames.includes(name))).toEqual([]);
});

test("B8.4 every setting that cli.md names is known, and every one is described", async () => {
  const page = await read("docs/spec/cli.md");
  const section = page.slice(page.indexOf("## Settings"), page.indexOf("Defaults:"));
  const named = [...section.matchAll(/`([a-z][A-Za-z]+)(?=[`:.])/g)].map((match) => match[1]!);
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((key) => !Object.hasOwn(settingsShape.shape, key))).toEqual([]);
  const { properties } = JSON.parse(settingsSchemaText()) as { properties: Record<string, { description?: string }> };
  expect(Object.entries(properties).filter(([, { description }]) => description === undefined)).toEqual([]);
});
