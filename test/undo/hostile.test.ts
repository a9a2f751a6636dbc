/** A repository that wants to run programs, lead out of itself or hold us up: points are taken and returned to, and nothing of it happens. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeHashes } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";
import { writeProgram } from "../support/write-program.ts";
import { gitIn, openUndoStage, repositoryOf, treeOf } from "./stage.ts";

interface Ground {
  readonly folder: string;
  readonly root: string;
  readonly canary: string;
  readonly planted: string;
}

/** `planted`: a program that leaves a mark when it runs. */
function ground(files: Readonly<Record<string, string>>): Ground {
  const folder = realFolder("undo-hostile");
  const root = join(folder, "work");
  mkdirSync(root);
  repositoryOf(root, files);
  const canary = join(folder, "canary");
  const planted = join(folder, "planted");
  writeProgram(planted, `#!/bin/sh\necho ran >> '${canary}'\ncat\n`);
  return { folder, root, canary, planted };
}

const old = (path: string): void => utimesSync(path, 1_000_000_000, 1_000_000_000);

test("B15.2 filters, hooks, fsmonitor, attributes and submodules of a repository run nothing", async () => {
  const { folder, root, canary, planted } = ground({ "a.txt": "a\n", "b.md": "b\n", "c.ts": "c\n" });
  gitIn(root, "init", "-q", "inner");
  writeFileSync(join(root, "inner", "i.txt"), "i\n");
  gitIn(join(root, "inner"), "add", "-A");
  gitIn(join(root, "inner"), "commit", "-qm", "i");
  gitIn(root, "add", "inner");
  gitIn(root, "commit", "-qm", "with a link to a repository");
  const settings = ["core.fsmonitor", "filter.f.clean", "filter.f.smudge", "filter.p.process", "diff.external"];
  for (const place of [root, join(root, "inner")]) {
    for (const key of [...settings, "core.alternateRefsCommand", "diff.d.textconv"])
      gitIn(place, "config", key, planted);
    gitIn(place, "config", "filter.p.required", "true");
    gitIn(place, "config", "core.hooksPath", join(folder, "hooks"));
    writeFileSync(join(place, ".gitattributes"), "*.txt filter=f diff=d\n*.md filter=p\n* text=auto\n");
    mkdirSync(join(place, ".git", "hooks"), { recursive: true });
    for (const hook of ["post-index-change", "pre-commit", "reference-transaction"])
      writeProgram(join(place, ".git", "hooks", hook), readFileSync(planted, "utf8"));
  }
  mkdirSync(join(folder, "hooks"));
  writeProgram(join(folder, "hooks", "post-index-change"), readFileSync(planted, "utf8"));
  rmSync(canary, { force: true });
  for (const name of ["a.txt", "b.md", "inner/i.txt"]) {
    appendFileSync(join(root, name), "dirty\n");
    old(join(root, name));
  }
  const git = treeHashes(join(root, ".git"));
  const stage = await openUndoStage(root, join(folder, "sessions"));
  const before = treeOf(root);
  await stage.prompt("go");
  await stage.command(() => {
    appendFileSync(join(root, "a.txt"), "more\n");
    rmSync(join(root, "b.md"));
    writeFileSync(join(root, ".gitattributes"), "* filter=f\n");
    writeFileSync(join(root, "new.txt"), "new\n");
  });
  const result = await stage.back({ to: "p1" });
  expect(result).toEqual({
    kind: "done",
    failed: [],
    restored: [".gitattributes", "a.txt", "b.md", "new.txt"],
    kept: [],
  });
  expect(treeOf(root)).toEqual(before);
  expect(existsSync(canary)).toBe(false);
  expect(treeHashes(join(root, ".git"))).toEqual(git);
  expect(stage.handle.state.undo.left).toEqual({ nested: ["inner"], large: [] });
  expect(stage.told).toEqual([]);
});

test("B15.3 what git converts comes back byte by byte: line ends, filters that keep the size, idents", async () => {
  const { folder, root } = ground({ ".gitattributes": "*.txt text=auto eol=crlf\n*.r filter=rot\n*.id ident\n" });
  const rot = join(folder, "rot");
  writeProgram(rot, "#!/bin/sh\nexec tr a-z n-za-m\n");
  gitIn(root, "config", "filter.rot.clean", rot);
  gitIn(root, "config", "filter.rot.smudge", rot);
  const files = { "a.txt": "one\r\ntwo\r\n", "b.r": "hello\n", "c.id": "$Id: abc $\n", "d.bin": "\r\n\n\r" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  for (const name of Object.keys(files)) old(join(root, name));
  gitIn(root, "add", "-A");
  gitIn(root, "commit", "-qm", "converted");
  const before = treeOf(root);
  const stage = await openUndoStage(root, join(folder, "sessions"));
  await stage.prompt("go");
  await stage.command(() => Object.keys(files).forEach((name) => rmSync(join(root, name))));
  await stage.back({ to: "p1" });
  expect(treeOf(root)).toEqual(before);
});

test("B15.2 pipes hold nothing up, what is too large is left out and said, odd names come back", async () => {
  const { folder, root } = ground({ "a.txt": "a\n" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  writeFileSync(join(root, "huge"), "");
  truncateSync(join(root, "huge"), 65 * 1024 * 1024);
  const stage = await openUndoStage(root, join(folder, "sessions"));
  await stage.prompt("go");
  await stage.command(() => {
    rmSync(join(root, "a.txt"));
    execFileSync("mkfifo", [join(root, "a.txt")]);
    writeFileSync(join(root, 'new\nline\t"\\'), "x");
  });
  const result = await stage.back({ to: "p1" });
  expect(stage.handle.state.undo.left).toEqual({ nested: [], large: ["huge"] });
  expect(result).toEqual({ kind: "done", failed: [], restored: ['new\nline\t"\\'], kept: ["a.txt"] });
  expect(stage.told).toEqual([]);
});

test("B15.2 a draft of ours that is just being written beside its file is nobody's work", async () => {
  const { folder, root } = ground({ "a.txt": "a\n" });
  const stage = await openUndoStage(root, join(folder, "sessions"));
  await stage.prompt("go");
  await stage.command(() => {
    writeFileSync(join(root, "a.txt"), "b\n");
    writeFileSync(join(root, ".groundplan-0123456789abcdef.tmp"), "half");
    writeFileSync(join(root, ".groundplan-person.tmp"), "whole");
  });
  const result = await stage.back({ to: "p1" });
  expect(result).toEqual({ kind: "done", failed: [], restored: [".groundplan-person.tmp", "a.txt"], kept: [] });
});

test("B15.3 nothing is written through a link that leads out of the tree", async () => {
  const { folder, root } = ground({ "deep/a.txt": "a\n", "deep/b.txt": "b\n", "wide/c.txt": "c\n" });
  const outside = join(folder, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "a.txt"), "theirs\n");
  const stage = await openUndoStage(root, join(folder, "sessions"));
  await stage.prompt("go");
  await stage.command(() => {
    writeFileSync(join(root, "deep/a.txt"), "changed\n");
    rmSync(join(root, "deep/b.txt"));
    rmSync(join(root, "wide"), { recursive: true });
    symlinkSync(outside, join(root, "wide"));
  });
  await stage.idle();
  rmSync(join(root, "deep"), { recursive: true });
  symlinkSync(outside, join(root, "deep"));
  const result = await stage.back({ to: "p1" });
  expect(result).toEqual({
    kind: "done",
    failed: [{ path: "deep/b.txt", why: "blocked" }],
    restored: ["wide", "wide/c.txt"],
    kept: ["deep", "deep/a.txt"],
  });
  expect(treeHashes(outside)).toEqual({ "a.txt": treeHashes(outside)["a.txt"] });
  expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("theirs\n");
  expect(readFileSync(join(root, "wide/c.txt"), "utf8")).toBe("c\n");
});

test("B15.2 a .git file that points elsewhere, alternates and a work tree that is said to be elsewhere: all is left as it is", async () => {
  const { folder, root } = ground({ "a.txt": "a\n" });
  const elsewhere = join(folder, "elsewhere");
  execFileSync("mv", [join(root, ".git"), elsewhere]);
  writeFileSync(join(root, ".git"), `gitdir: ${elsewhere}\n`);
  writeFileSync(join(elsewhere, "objects/info/alternates"), `${join(folder, "no such place")}\n/proc/self/fd\n`);
  const git = treeHashes(elsewhere);
  const stage = await openUndoStage(root, join(folder, "sessions"));
  expect(stage.store.kind).toBe("git");
  await stage.prompt("go");
  await stage.command(() => rmSync(join(root, "a.txt")));
  expect(await stage.back({ to: "p1" })).toEqual({ kind: "done", failed: [], restored: ["a.txt"], kept: [] });
  expect(treeHashes(elsewhere)).toEqual(git);

  gitIn(root, "config", "core.worktree", folder);
  const other = await openUndoStage(root, join(folder, "other sessions"));
  expect(other.store.kind).toBe("copies");
  await other.prompt("go");
  await other.write("a.txt", () => writeFileSync(join(root, "a.txt"), "b\n"));
  expect(await other.back({ to: "p1" })).toEqual({ kind: "done", failed: [], restored: ["a.txt"], kept: [] });
});

test("B15.2 a point that cannot be taken is told once, and the work goes on", async () => {
  const { folder, root } = ground({ "a.txt": "a\n" });
  const stage = await openUndoStage(root, join(folder, "sessions"));
  writeFileSync(join(folder, "sessions", "s1.undo"), "in the way");
  await stage.prompt("go");
  for (const text of ["b\n", "c\n"]) await stage.write("a.txt", () => writeFileSync(join(root, "a.txt"), text));
  await stage.idle();
  expect(stage.told).toEqual([expect.stringContaining("No point to return to could be kept")]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("c\n");
});

test("B15.4 what a killed process left of git's own in the session's folder holds nothing up", async () => {
  const { folder, root } = ground({ "a.txt": "a\n" });
  const first = await openUndoStage(root, join(folder, "sessions"));
  await first.store.take(null);
  const own = join(folder, "sessions", "s1.undo", "git");
  rmSync(join(own, "seeded"));
  writeFileSync(join(own, "index"), "half");
  writeFileSync(join(own, "index.lock"), "");
  const stage = await openUndoStage(root, join(folder, "sessions"));
  await stage.prompt("go");
  await stage.command(() => rmSync(join(root, "a.txt")));
  expect(await stage.back({ to: "p1" })).toEqual({ kind: "done", failed: [], restored: ["a.txt"], kept: [] });
  expect(stage.told).toEqual([]);
});

test("B15.3 B15.4 work that was cut off in its middle is nobody's for certain: it is listed, and overwritten only when that is said", async () => {
  const { folder, root } = ground({ "a.txt": "a\n", "b.txt": "b\n" });
  const stage = await openUndoStage(root, join(folder, "sessions"));
  await stage.prompt("go");
  await stage.write("b.txt", () => writeFileSync(join(root, "b.txt"), "B\n"));
  await stage.idle();
  const { name } = await stage.store.take(null);
  await stage.handle.send({ type: "work-begun", from: name });
  writeFileSync(join(root, "a.txt"), "half\n");
  expect(await stage.back({ to: "p1" })).toEqual({ kind: "done", failed: [], restored: ["b.txt"], kept: ["a.txt"] });
  const redo = stage.handle.state.undo.redo.at(-1)!;
  await stage.back({ to: redo, how: "redo" });
  await stage.back({ to: "p1", overwrite: ["a.txt"] });
  expect([...treeOf(root).keys()].map((path) => readFileSync(join(root, path), "utf8"))).toEqual(["a\n", "b\n"]);
});
