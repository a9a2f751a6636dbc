import { expect, test } from "vitest";
import { canonicalJson, digestOf, type Json } from "./canonical.ts";

test("B16.1 one value has one text: sorted keys, two blanks, whole numbers, ASCII alone", () => {
  const value = { b: [], a: { z: -0, ü: 'ä\u2028\u{1F600}\ud800\u007f\n"\\' }, c: [1, null, true, {}] };
  expect(canonicalJson(value)).toBe(
    [
      "{",
      '  "a": {',
      '    "z": 0,',
      '    "\\u00fc": "\\u00e4\\u2028\\ud83d\\ude00\\ud800\u007f\\n\\"\\\\"',
      "  },",
      '  "b": [],',
      '  "c": [',
      "    1,",
      "    null,",
      "    true,",
      "    {}",
      "  ]",
      "}",
      "",
    ].join("\n"),
  );
  expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
});

test("B16.1 what has several texts has none", () => {
  for (const value of [0.5, 1e300, NaN, Infinity] as Json[]) expect(() => canonicalJson(value)).toThrow(RangeError);
});
