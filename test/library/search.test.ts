/** What a search finds is what the plans say now. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLibrary } from "../../src/agent/library/library.ts";
import { remove } from "../support/remove.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "groundplan-search-"));
  mkdirSync(join(home, "plans"));
  for (let plan = 0; plan < 60; plan += 1) write(plan, `# Plan ${plan}\n\ngyrfalcon\n`);
});
afterEach(() => remove(home));

function write(plan: number, text: string): void {
  const path = join(home, "plans", `plan-making-n${plan}.md`);
  writeFileSync(path, text);
  utimesSync(path, new Date(), new Date(Date.now() + (text.length % 1000) * 10));
}

async function titles(query: string): Promise<readonly string[]> {
  const library = await openLibrary({ configHome: home, project: "/repo", tell: () => undefined });
  const found = await library.search(query, { all: true, limit: 100 });
  return found!.matches.map(({ plan }) => plan.title);
}

test("B5.4 a plan that was edited since the last search is found by its new words, not by its old ones", async () => {
  expect(await titles("gyrfalcon")).toHaveLength(60);
  write(7, "# Plan 7\n\nmerlin and other birds\n");
  expect(await titles("merlin")).toEqual(["Plan 7"]);
  expect(await titles("gyrfalcon")).toHaveLength(59);
});

test("B5.4 a search is in this project's plans alone, unless it is in all; what is gone is not found", async () => {
  const library = await openLibrary({ configHome: home, project: "/repo", tell: () => undefined });
  expect((await library.search("gyrfalcon"))!.total).toBe(0);
  for (let plan = 0; plan < 55; plan += 1) rmSync(join(home, "plans", `plan-making-n${plan}.md`));
  expect(await titles("gyrfalcon")).toHaveLength(5);
});
