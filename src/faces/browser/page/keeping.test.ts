import { expect, test } from "vitest";
import { readKept } from "./keeping.ts";
import { noWords } from "./state.ts";

test("words that were kept are read again; anything else in their place is none", () => {
  const words = { ...noWords, message: "kept" };
  expect(readKept(JSON.stringify({ hash: "h", words }))).toEqual({ hash: "h", words });
  expect([null, "", "{", "7", "{}", '{"hash":"h"}', '{"hash":"h","words":{"drafts":3}}'].map(readKept)).toEqual(
    Array.from({ length: 7 }, () => null),
  );
});
