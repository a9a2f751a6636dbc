/** Thousands of random sessions, in which everything that must hold holds after every event. */
import { expect, test } from "vitest";
import { runRandomSession } from "./driver.ts";
import { brokenHooks } from "./hook-cells.ts";

const sessions = Number(process.env["GROUNDPLAN_SESSIONS"] ?? 2000);

test(`B1.1 B1.2 B1.9 R5.1 B4.1 R1.5 in ${sessions} random sessions no invariant breaks`, () => {
  const broken: string[] = [];
  for (let seed = 1; seed <= sessions && broken.length < 3; seed += 1) {
    const problem = runRandomSession(seed, 120);
    if (problem !== null) broken.push(problem);
  }
  expect(broken).toEqual([]);
});

test("B14.1 a hook that gives no answer refuses where it guards something", () => {
  expect(brokenHooks()).toBeNull();
});
