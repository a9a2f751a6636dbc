import { expect, test } from "vitest";
import { blocksOf, spotsAmong } from "./spots.ts";
import { countOf, fitOf, tellingWords } from "./telling.ts";

const lines = [
  'import { type Retry } from "./retry.ts";',
  "/** The shape of a request. */",
  "export interface Request {",
  "  readonly retry: number;",
  "}",
  "/** Tries again when the stream breaks. */",
  "export function again(): void {",
  "  const local = 1;",
  "}",
].map((text, at) => ({ line: at + 1, text }));

test("a definition reaches to the next one, with the comment above it; imports define nothing", () => {
  expect(blocksOf("a.ts", lines).map(({ name, line }) => [name, line])).toEqual([
    ["Request", 3],
    ["again", 7],
  ]);
  expect(blocksOf("a.ts", lines)[1]!.text).toContain("stream breaks");
});

test("the spot that says most of the task comes first", () => {
  const task = "Try again when the stream breaks";
  const blocks = blocksOf("a.ts", lines);
  const fit = fitOf(
    task,
    blocks.map(({ text }) => text),
  );
  expect(spotsAmong(blocks, fit)[0]).toMatchObject({ name: "again", line: 7, path: "a.ts" });
});

test("everyday words and rule numbers tell nothing", () => {
  expect(tellingWords("Fix: please make the parser work again (R14.1)")).toEqual(["parser"]);
  expect(countOf("read the raw body")("readRawBody")).toBe(3);
});
