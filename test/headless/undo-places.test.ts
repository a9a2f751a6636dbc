/** Undo wherever a person may stand: in a folder of a repository, a work tree, without a commit, in the middle of a merge. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { gitIn, treeOf } from "../undo/stage.ts";
import { openStage, treeHashes } from "./program.ts";

const command = "echo changed >> a.ts; echo n > new.ts; rm -f gone.ts; mkdir -p f/g; echo x > f/g/h";
const files = { "a.ts": "export const a = 1;\n", "gone.ts": "gone\n", "sub/b.ts": "b\n" };

/** Where the program is started. */
const places: Readonly<Record<string, (root: string) => string>> = {
  "a folder of a repository": (root) => join(root, "sub"),
  "a detached head": (root) => (gitIn(root, "checkout", "-q", "--detach"), root),
  "a work tree": (root) => {
    const place = join(dirname(root), "tree");
    gitIn(root, "worktree", "add", "-q", place);
    return place;
  },
  "a repository without a commit": (root) => {
    const place = join(dirname(root), "fresh");
    mkdirSync(place);
    gitIn(place, "init", "-q");
    writeFileSync(join(place, "a.ts"), "a\n");
    return place;
  },
  "a merge with conflicts": (root) => {
    gitIn(root, "checkout", "-qb", "other");
    for (const path of ["a.ts", "sub/b.ts"]) appendFileSync(join(root, path), "other\n");
    gitIn(root, "commit", "-qam", "other");
    gitIn(root, "checkout", "-q", "main");
    appendFileSync(join(root, "a.ts"), "main\n");
    gitIn(root, "rm", "-q", "sub/b.ts");
    gitIn(root, "commit", "-qam", "main");
    expect(() => gitIn(root, "merge", "other")).toThrow();
    return root;
  },
  "a sparse work tree": (root) => {
    gitIn(root, "sparse-checkout", "set", "--cone", "--sparse-index", "none");
    return root;
  },
};

test.each(Object.keys(places))("B15.2 B15.3 undo in %s: all is as before, git's own files too", async (name) => {
  const turns: ScriptedTurn[] = [{ calls: [{ tool: "Bash", input: { command } }] }];
  const stage = await openStage({ files, script: () => turns.shift() ?? { text: "Done." } });
  const directory = places[name]!(stage.repository);
  const top = gitIn(directory, "rev-parse", "--show-toplevel").trimEnd();
  const before = treeOf(top);
  const git = treeHashes(join(stage.repository, ".git"));
  const skip = ["--dangerously-skip-permissions", "--no-sandbox"];
  expect(await stage.run(["-p", "change things", ...skip], { directory })).toMatchObject({ code: 0 });
  expect(treeOf(top)).not.toEqual(before);
  const undone = await stage.run(["undo", "--json"], { directory });
  expect(undone).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(undone.stdout)).toMatchObject({ kept: [], failed: [] });
  expect(treeOf(top)).toEqual(before);
  expect(treeHashes(join(stage.repository, ".git"))).toEqual(git);
});

test("B15.3 what cannot be brought back is named with its reason, and the exit code says so", async () => {
  const turns: ScriptedTurn[] = [{ calls: [{ tool: "Bash", input: { command: "rm a.ts sub/b.ts" } }] }];
  const stage = await openStage({ files, script: () => turns.shift() ?? { text: "Done." } });
  await stage.run(["-p", "remove them", "--dangerously-skip-permissions", "--no-sandbox"]);
  mkdirSync(join(stage.repository, "a.ts"));
  writeFileSync(join(stage.repository, "a.ts/mine"), "mine\n");
  const undone = await stage.run(["undo"]);
  expect(undone).toMatchObject({ code: 1, stderr: "" });
  expect(undone.stdout).toMatch(/^ {2}a\.ts: /m);
  expect(treeOf(stage.repository).has("sub/b.ts")).toBe(true);
  expect(treeOf(stage.repository).has("a.ts/mine")).toBe(true);
});
