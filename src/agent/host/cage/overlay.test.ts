import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { provesCopy } from "./overlay.ts";
import { remove } from "../../../../test/support/remove.ts";

const tree = mkdtempSync(join(tmpdir(), "groundplan-tree-"));
afterAll(() => remove(tree));

test("B1.16 a trial that breaks off is no copy", async () => {
  expect(await provesCopy(() => Promise.reject(new Error("no space")), tree)).toBe(false);
});

test("B1.16 a trial that remains is no copy; it is removed, and nothing of the project's with it", async () => {
  writeFileSync(join(tree, ".groundplan-overlay"), "of the project\n");
  const marks: string[] = [];
  const run = async (command: string) => {
    const mark = /> (\S+)/.exec(command)![1]!;
    marks.push(mark);
    writeFileSync(join(tree, mark), "tried\n");
    return null;
  };
  expect([await provesCopy(run, tree), await provesCopy(run, tree)]).toEqual([false, false]);
  expect(new Set(marks).size).toBe(2);
  expect(readdirSync(tree)).toEqual([".groundplan-overlay"]);
});
