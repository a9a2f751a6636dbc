/** The seams: what `decide` says with the permissions that ought to hold, and what the running program does, on every surface. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { setPlace, type Place } from "./program.ts";
import { surfaces, tell, type Compared, type Mistake } from "./story.ts";

let place: Place;
beforeAll(async () => {
  place = await setPlace();
});
afterAll(() => place.close());

/** `SEAM_SEEDS=1000` for a long run, `SEAM_FROM=37` for one that failed. */
const seeds = Number(process.env["SEAM_SEEDS"] ?? 8);
const from = Number(process.env["SEAM_FROM"] ?? 1);

const all: Compared[] = [];
const mistakes: readonly Mistake[] = ["rules of the log", "rules of the start", "mode of the log"];

test.each(surfaces)(
  "B1.15 B14.4 B1.7 %s, its files changed while it runs, then resumed: the program does what decide says",
  async (surface) => {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const compared = await tell(place, seed * surfaces.length + surfaces.indexOf(surface), { surface });
      all.push(...compared);
      expect(compared.flatMap(({ difference }) => difference ?? [])).toEqual([]);
    }
  },
);

test.each(mistakes)("a program that went by the %s would be found", async (mistake) => {
  let found = 0;
  for (let seed = 1; seed <= 10 && found === 0; seed += 1) {
    const compared = await tell(place, 10_000 * (mistakes.indexOf(mistake) + 1) + seed, {
      surface: "headless",
      mistake,
    });
    found = compared.filter(({ difference }) => difference !== null).length;
  }
  expect(found).toBeGreaterThan(0);
});

test("the stories reach every mode, every decision, and thousands of calls", () => {
  expect(all.length).toBeGreaterThanOrEqual(seeds * surfaces.length * 2 * 2 * 20);
  const reached = (key: "mode" | "decision" | "surface") => [...new Set(all.map((one) => one[key]))].toSorted();
  expect(reached("mode")).toEqual(["acceptEdits", "auto", "bypassPermissions", "default", "plan"]);
  expect(reached("decision")).toEqual(["allow", "ask", "classify", "deny"]);
  expect(reached("surface")).toHaveLength(surfaces.length * 2);
});
