import { expect, test } from "vitest";
import { parseLog } from "./history.ts";

const record = (message: string, ...changes: readonly string[]): string =>
  `\u0001${message}\n\u0002\n\n${changes.join("\n")}\n`;

test("a renamed file's older commits count for its present name", () => {
  const log = [
    record("Touch it", "M\tnew.ts"),
    record("Move it", "R090\told.ts\tnew.ts"),
    record("Write it", "A\told.ts", "A\tgone.ts"),
  ].join("");
  expect(parseLog(log, ["other.ts", "new.ts"])).toEqual([
    { message: "Touch it\n", files: [1] },
    { message: "Move it\n", files: [1] },
    { message: "Write it\n", files: [1] },
  ]);
});

test("a log that is empty or makes no sense gives no commits", () => {
  expect([parseLog("", ["a"]), parseLog("fatal: what?", ["a"])]).toEqual([[], []]);
});
