/** A snapshot that was kept says the same as the one that was taken. */
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readFile, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareWorkTree, snapshotWorkTree } from "./work-tree.ts";
import { loadSnapshot, saveSnapshot } from "./work-tree-store.ts";

async function fresh() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "groundplan-store-")));
  const root = join(folder, "project");
  await mkdir(root);
  execFileSync("git", ["init", "-q", root]);
  await writeFile(join(root, "a é\n.txt"), "a\n");
  await writeFile(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]), "b\n");
  execFileSync("git", ["add", "-A"], { cwd: root });
  await writeFile(join(root, "loose"), "c\n");
  await symlink("loose", join(root, "link"));
  return { root, file: join(folder, "tree.jsonl") };
}

test("B1.6 R14.7 a snapshot survives the process, in a file of 0600, and still finds what changed", async () => {
  const { root, file } = await fresh();
  const taken = (await snapshotWorkTree(root))!;
  await saveSnapshot(file, taken);
  const kept = await loadSnapshot(file);
  expect(kept).toEqual(taken);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await appendFile(join(root, "a é\n.txt"), "more");
  expect(await compareWorkTree(kept, root)).toEqual({ changed: ["a é\n.txt"], note: null });
});

test("B1.6 a snapshot that is missing, cut or of another version is none, and the record says so", async () => {
  const { root, file } = await fresh();
  expect(await loadSnapshot(file)).toBeNull();
  await saveSnapshot(file, (await snapshotWorkTree(root))!);
  const text = await readFile(file, "utf8");
  const lines = text.trimEnd().split("\n");
  for (const damaged of [
    text.slice(0, -20),
    lines.slice(0, -1).join("\n"),
    text.replace('"v":1', '"v":2'),
    "",
    "{}\n",
  ]) {
    await writeFile(file, damaged);
    expect(await loadSnapshot(file)).toBeNull();
  }
  expect(await compareWorkTree(null, root)).toEqual({
    changed: [],
    note: "The work tree could not be looked at when planning began.",
  });
});
