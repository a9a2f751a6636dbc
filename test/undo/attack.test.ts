/** Going back against the odds: several who write at once, things in the way, an index that hides files, a repository that is gone. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { heldAt, holdFolder } from "../../src/agent/undo/held-folder.ts";
import { treeHashes } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";
import { gitIn, openUndoStage, repositoryOf, treeOf, type UndoStage } from "./stage.ts";

interface Ground {
  readonly folder: string;
  readonly root: string;
  readonly open: () => Promise<UndoStage>;
}

function ground(files: Readonly<Record<string, string>>): Ground {
  const folder = realFolder("undo-attack");
  const root = join(folder, "work");
  mkdirSync(root);
  repositoryOf(root, files);
  return { folder, root, open: () => openUndoStage(root, join(folder, "sessions")) };
}

/** A call that runs until it is told to end. */
function held(): { readonly until: Promise<void>; end(): void } {
  const waiting: (() => void)[] = [];
  const until = new Promise<void>((resolve) => void waiting.push(resolve));
  return { until, end: () => waiting.forEach((resolve) => resolve()) };
}

const textOf = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

test("B15.3 a person's edit before an agent writes the same file while another one is at work is listed, and not overwritten", async () => {
  const { root, open } = ground({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const stage = await open();
  await stage.prompt("go");
  await stage.write("c.txt", () => writeFileSync(join(root, "c.txt"), "C\n"));
  const first = held();
  const one = stage.write("a.txt", () => (writeFileSync(join(root, "a.txt"), "A\n"), first.until));
  await stage.idle();
  writeFileSync(join(root, "b.txt"), "mine\n");
  await stage.write("b.txt", () => appendFileSync(join(root, "b.txt"), "agent\n"));
  first.end();
  await one;
  const result = await stage.back({ to: "p1" });
  expect(result).toEqual({ kind: "done", restored: ["a.txt", "c.txt"], kept: ["b.txt"], failed: [] });
  expect(textOf(root, "b.txt")).toBe("mine\nagent\n");
});

test("B15.3 the same where a command begins beside a write, and where one of two has ended", async () => {
  const { root, open } = ground({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" });
  const stage = await open();
  await stage.prompt("go");
  await stage.write("c.txt", () => writeFileSync(join(root, "c.txt"), "C\n"));
  const first = held();
  const one = stage.write("a.txt", () => first.until);
  await stage.idle();
  await stage.write("d.txt", () => writeFileSync(join(root, "d.txt"), "D\n"));
  await stage.idle();
  writeFileSync(join(root, "d.txt"), "mine, too\n");
  writeFileSync(join(root, "b.txt"), "mine\n");
  await stage.command(() => appendFileSync(join(root, "b.txt"), "command\n"));
  first.end();
  await one;
  expect(await stage.back({ to: "p1" })).toEqual({
    kind: "done",
    restored: ["c.txt"],
    kept: ["b.txt", "d.txt"],
    failed: [],
  });
  expect([textOf(root, "b.txt"), textOf(root, "d.txt")]).toEqual(["mine\ncommand\n", "mine, too\n"]);
});

test("B15.3 a folder in the way, and files that are named as ours might be: nothing is left behind, nothing is taken", async () => {
  const { root, open } = ground({ "a.txt": "a\n", "deep/b.txt": "b\n", "c.txt": "c\n" });
  const own = ".groundplan-r2.tmp";
  for (const folder of ["", "deep"]) writeFileSync(join(root, folder, own), "mine\n");
  const stage = await open();
  await stage.prompt("go");
  await stage.command(() => ["a.txt", "deep/b.txt", "c.txt"].forEach((path) => rmSync(join(root, path))));
  await stage.idle();
  mkdirSync(join(root, "a.txt/empty"), { recursive: true });
  mkdirSync(join(root, "a.txt/full"));
  writeFileSync(join(root, "a.txt/full/mine"), "mine\n");
  mkdirSync(join(root, "c.txt/empty/too"), { recursive: true });
  const result = await stage.back({ to: "p1" });
  expect(result).toEqual({
    kind: "done",
    restored: ["c.txt", "deep/b.txt"],
    kept: ["a.txt/full/mine"],
    failed: [{ path: "a.txt", why: "blocked" }],
  });
  const named = [...treeOf(root).keys()].filter((name) => name.includes(".groundplan"));
  expect(named.toSorted()).toEqual([own, `deep/${own}`].toSorted());
  expect(existsSync(join(root, "a.txt/empty"))).toBe(true);
});

test("B15.3 what somebody changes while a rewind writes is listed, and its redo leaves it alone", async () => {
  const { root, open } = ground({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const stage = await open();
  await stage.prompt("go");
  await stage.command(() => ["a.txt", "b.txt"].forEach((path) => appendFileSync(join(root, path), "more\n")));
  const read = stage.store.read.bind(stage.store);
  Object.assign(stage.store, {
    read: (hashes: readonly string[]) => {
      writeFileSync(join(root, "b.txt"), "mine\n");
      writeFileSync(join(root, "c.txt"), "mine\n");
      return read(hashes);
    },
  });
  const result = await stage.back({ to: "p1" });
  Object.assign(stage.store, { read });
  expect(result).toEqual({ kind: "done", restored: ["a.txt"], kept: ["b.txt", "c.txt"], failed: [] });
  const redone = await stage.back({ to: stage.handle.state.undo.redo.at(-1)!, how: "redo" });
  expect(redone).toEqual({ kind: "done", restored: ["a.txt"], kept: ["b.txt", "c.txt"], failed: [] });
  expect(["a.txt", "b.txt", "c.txt"].map((path) => textOf(root, path))).toEqual(["a\nmore\n", "mine\n", "mine\n"]);
});

test("B15.3 what somebody changes after it was brought back, while the rest still is, is listed, and its redo leaves it alone", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${String(at).padStart(2, "0")}.txt`);
  const { root, open } = ground(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const stage = await open();
  await stage.prompt("go");
  await stage.command(() => names.forEach((name) => appendFileSync(join(root, name), "more\n")));
  const read = stage.store.read.bind(stage.store);
  let groups = 0;
  Object.assign(stage.store, {
    read: (hashes: readonly string[]) => {
      groups += 1;
      if (groups === 2) writeFileSync(join(root, "f00.txt"), "mine\n");
      return read(hashes);
    },
  });
  const rest = names.slice(1);
  expect(await stage.back({ to: "p1" })).toEqual({ kind: "done", restored: rest, kept: ["f00.txt"], failed: [] });
  const redone = await stage.back({ to: stage.handle.state.undo.redo.at(-1)!, how: "redo" });
  expect(redone).toEqual({ kind: "done", restored: rest, kept: ["f00.txt"], failed: [] });
  expect(textOf(root, "f00.txt")).toBe("mine\n");
});

test("B15.2 files that the person told git not to look at, an index in parts, names that git does not take", async () => {
  const { root, open } = ground({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "gone.txt": "g\n" });
  gitIn(root, "update-index", "--split-index");
  gitIn(root, "update-index", "--assume-unchanged", "a.txt");
  gitIn(root, "update-index", "--skip-worktree", "b.txt", "gone.txt");
  rmSync(join(root, "gone.txt"));
  const git = treeHashes(join(root, ".git"));
  const before = treeOf(root);
  const stage = await open();
  await stage.prompt("go");
  await stage.command(() => {
    for (const path of ["a.txt", "b.txt", "c.txt"]) appendFileSync(join(root, path), "more\n");
    writeFileSync(join(root, "new.txt"), "new\n");
  });
  await stage.idle();
  mkdirSync(join(root, "deep/.GIT"), { recursive: true });
  writeFileSync(join(root, "deep/.GIT/x"), "x\n");
  await stage.command(() => rmSync(join(root, "new.txt")));
  expect(await stage.back({ to: "p1" })).toMatchObject({ restored: ["a.txt", "b.txt", "c.txt"], kept: [], failed: [] });
  expect(stage.handle.state.undo.left).toEqual({ nested: ["deep"], large: [] });
  rmSync(join(root, "deep"), { recursive: true });
  expect(treeOf(root)).toEqual(before);
  expect(treeHashes(join(root, ".git"))).toEqual(git);
  expect(stage.told).toEqual([]);
});

test("B15.3 a file that was ignored by a list that goes back is not taken for nothing: it is named", async () => {
  const { root, open } = ground({ ".gitignore": "*.log\n", "a.txt": "a\n" });
  const stage = await open();
  await stage.prompt("go");
  await stage.command(() => {
    appendFileSync(join(root, ".gitignore"), "*.hidden\n");
    writeFileSync(join(root, "x.hidden"), "x\n");
  });
  expect(await stage.back({ to: "p1" })).toMatchObject({ restored: [".gitignore"], kept: ["x.hidden"] });
  expect(existsSync(join(root, "x.hidden"))).toBe(true);
});

test("B15.2 a command that removes the repository itself: what was kept comes back, the rest is named", async () => {
  const { root, open } = ground({ "a.txt": "a\n", "b.txt": "b\n" });
  const first = await open();
  await first.prompt("go");
  await first.write("a.txt", () => writeFileSync(join(root, "a.txt"), "second\n"));
  await first.prompt("further");
  await first.command(() => {
    rmSync(join(root, ".git"), { recursive: true });
    writeFileSync(join(root, "a.txt"), "third\n");
    rmSync(join(root, "b.txt"));
  });
  expect(await first.back({ to: "p2" })).toEqual({
    kind: "done",
    restored: ["a.txt"],
    kept: [],
    failed: [{ path: "b.txt", why: "missing" }],
  });
  expect(textOf(root, "a.txt")).toBe("second\n");
  expect((await open()).store.kind).toBe("git");
});

test("B15.4 points that are gone are said to be gone: nothing is taken for unchanged", async () => {
  const { root, folder, open } = ground({ "a.txt": "a\n" });
  const stage = await open();
  await stage.prompt("go");
  for (const text of ["b\n", "c\n"]) await stage.command(() => writeFileSync(join(root, "a.txt"), text));
  await stage.idle();
  rmSync(join(folder, "sessions", "s1.undo"), { recursive: true });
  await expect(stage.back({ to: "p1" })).rejects.toThrow();
  const { works } = stage.handle.state.undo;
  const again = await open();
  await again.store.take(null);
  await expect(again.store.changes([[works[0]!.from, works[0]!.to!]])).rejects.toThrow("not kept any more");
  expect(textOf(root, "a.txt")).toBe("c\n");
});

test("B15.3 a folder that is swapped for a link while it is held: what is done in it is done there, not where the link leads", async () => {
  const { folder, root } = ground({ "deep/er/a.txt": "a\n" });
  const outside = join(folder, "outside");
  mkdirSync(join(outside, "er"), { recursive: true });
  writeFileSync(join(outside, "er/a.txt"), "theirs\n");
  const deep = await holdFolder(root, "deep/er", "refused");
  renameSync(join(root, "deep"), join(root, "moved"));
  symlinkSync(outside, join(root, "deep"));
  unlinkSync(deep.inside("a.txt"));
  await deep.close();
  expect(textOf(outside, "er/a.txt")).toBe("theirs\n");
  expect(existsSync(join(root, "moved/er/a.txt"))).toBe(false);
  await expect(holdFolder(root, "deep/er", "made")).rejects.toThrow();
  await expect(heldAt(Buffer.from(join(root, "deep")))).rejects.toThrow();
});
