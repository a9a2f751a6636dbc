/** Comments follow their lines as git says they went: random plans, random edits, `git blame` on the outcome. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeComments } from "../../src/core/plan/anchors.ts";
import { realFolder } from "../support/folder.ts";

test("B19.1 where git finds a line of the first text in the second, a comment on it stands there", () => {
  const folder = realFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "-q");
  const random = seeded(5);
  for (let round = 0; round < 12; round += 1) {
    const [before, after] = texts(random, round);
    for (const text of [before, after]) {
      writeFileSync(join(folder, "plan.md"), `${text.join("\n")}\n`);
      git("add", "plan.md");
      git("commit", "-q", "--allow-empty", "-m", "x");
    }
    const first = git("rev-parse", "HEAD~1").trim();
    const blamed = git("blame", "--porcelain", "HEAD~1..HEAD", "plan.md").matchAll(/^([0-9a-f]{40}) (\d+) (\d+)/gm);
    const kept = [...blamed]
      .filter(([, commit]) => commit === first)
      .map(([, , old, now]) => [Number(old), Number(now)]);
    const worded = kept.filter(([old]) => before[old! - 1] !== "");
    expect(worded.length).toBeGreaterThan(3);
    for (const [old, now] of worded) {
      const comment = { id: "c", kind: "note", from: old!, to: old!, quote: before[old! - 1]!, text: "t" } as const;
      const anchor = old === now ? "kept" : "moved";
      expect(placeComments([comment], `${after.join("\n")}\n`, `${before.join("\n")}\n`)).toEqual([
        { ...comment, from: now, to: now, anchor },
      ]);
    }
  }
});

/** Lines that differ, with blank ones between; some go, some come, some are worded otherwise. */
function texts(random: (below: number) => number, round: number): readonly [readonly string[], readonly string[]] {
  const line = (name: string): string => (random(4) === 0 ? "" : `- ${name} of round ${round}`);
  const before = Array.from({ length: 20 + random(30) }, (_, index) => line(`line ${index}`));
  const after = before.flatMap((each, index) => {
    const what = random(9);
    if (what === 0) return [];
    if (what === 1) return [line(`new ${index}`), each];
    return what === 2 && each !== "" ? [`${each}, reworded`] : [each];
  });
  return [before, after];
}

function seeded(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
}
