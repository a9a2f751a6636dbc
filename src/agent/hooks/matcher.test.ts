import { expect, test } from "vitest";
import { matches } from "./matcher.ts";

test.each([
  [undefined, "Bash", true],
  ["", "Bash", true],
  ["*", "Bash", true],
  ["Bash", "Bash", true],
  ["Bash", "BashOutput", false],
  ["bash", "Bash", false],
  ["Edit|Write", "Write", true],
  ["Edit, Write", "Write", true],
  ["Edit|Write", "NotebookEdit", false],
  ["mcp__files", "mcp__files__read", false],
  ["mcp__.*", "mcp__files__read", true],
  ["^Notebook", "NotebookEdit", true],
  ["Edit$", "NotebookEdit", true],
  [".*", "Anything", true],
  ["Bash", null, true],
] as const)("B14.1 the matcher %s on %s: %s", (matcher, subject, is) => {
  expect(matches(matcher, subject)).toBe(is);
});

test("B14.1 a matcher that is no expression, or does not come to an end, is a problem", () => {
  expect(matches("(", "Bash")).toEqual({ problem: "has a matcher that is no expression" });
  expect(matches("^(a+)+$", `${"a".repeat(60)}!`)).toEqual({ problem: "has a matcher that does not come to an end" });
});
