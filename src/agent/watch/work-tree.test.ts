/** What changed between two looks at a real work tree, and what did not. */
import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { compareWorkTree, snapshotWorkTree, watchWorkTree } from "./work-tree.ts";
import { isVouchedFor, parseIndex } from "./work-tree-git.ts";
import { writeProgram } from "../../../test/support/write-program.ts";

const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
const git = (root: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: root,
    env: environment,
    stdio: "pipe",
  });

const freshFolder = async () => realFolder("-tree");

async function repository() {
  const root = await freshFolder();
  git(root, "init", "-q");
  await mkdir(join(root, "src"));
  await writeFile(join(root, "src/a.ts"), "a\n");
  await writeFile(join(root, "src/b c é.ts"), "b\n");
  await writeFile(join(root, "line\nbreak"), "x\n");
  await writeFile(join(root, ".gitignore"), "ignored/\n");
  await symlink("src/a.ts", join(root, "link"));
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  await writeFile(join(root, "src/dirty.ts"), "d\n");
  git(root, "add", "-A");
  await writeFile(join(root, "src/dirty.ts"), "dirty before\n");
  await writeFile(join(root, "loose.txt"), "loose\n");
  await mkdir(join(root, "ignored"));
  await writeFile(join(root, "ignored/x"), "x");
  return root;
}

const nothing: readonly string[] = [];

describe("B1.6 in a git work tree", () => {
  test("nothing changed: nothing is told, although files were dirty and loose before", async () => {
    const root = await repository();
    expect(await compareWorkTree(await snapshotWorkTree(root), root)).toEqual(nothing);
  });

  test("changed, new, deleted and renamed files are told, ignored ones are not", async () => {
    const root = await repository();
    const before = await snapshotWorkTree(root);
    await appendFile(join(root, "src/a.ts"), "more\n");
    await appendFile(join(root, "src/dirty.ts"), "more\n");
    await writeFile(join(root, "new é.txt"), "");
    await rm(join(root, "loose.txt"));
    await rename(join(root, "src/b c é.ts"), join(root, "src/moved.ts"));
    await writeFile(join(root, "line\nbreak"), "y\n");
    await writeFile(join(root, "ignored/y"), "y");
    expect(await compareWorkTree(before, root)).toEqual([
      "line\nbreak",
      "loose.txt",
      "new é.txt",
      "src/a.ts",
      "src/b c é.ts",
      "src/dirty.ts",
      "src/moved.ts",
    ]);
  });

  test("the plan file, or a folder with all in it, can be left out", async () => {
    const root = await repository();
    const before = await snapshotWorkTree(root);
    await mkdir(join(root, "plans"));
    await writeFile(join(root, "plans/p.md"), "# Plan");
    await writeFile(join(root, "plans-evil"), "x");
    const exclude = [join(root, "plans")];
    expect(await compareWorkTree(before, root, exclude)).toEqual(["plans-evil"]);
    expect(await compareWorkTree(before, root, [join(root, "plans/p.md")])).toEqual(["plans-evil"]);
  });

  test("a file that was written again with the same content, or touched, did not change", async () => {
    const root = await repository();
    const later = new Date(Date.now() + 5000);
    const before = await snapshotWorkTree(root);
    await writeFile(join(root, "src/a.ts"), "a\n");
    await writeFile(join(root, "loose.txt"), "loose\n");
    await utimes(join(root, "src/dirty.ts"), later, later);
    await rm(join(root, "link"));
    await symlink("src/a.ts", join(root, "link"));
    expect(await compareWorkTree(before, root)).toEqual(nothing);
  });

  test("the same size with the old times put back is still seen", async () => {
    const root = await repository();
    const { atime, mtime } = await stat(join(root, "src/a.ts"));
    const before = await snapshotWorkTree(root);
    await writeFile(join(root, "src/a.ts"), "A\n");
    await utimes(join(root, "src/a.ts"), atime, mtime);
    expect(await compareWorkTree(before, root)).toEqual(["src/a.ts"]);
  });

  test("a changed link, a file that becomes a program, a file that becomes a folder", async () => {
    const root = await repository();
    const before = await snapshotWorkTree(root);
    await rm(join(root, "link"));
    await symlink("src/x.ts", join(root, "link"));
    await chmod(join(root, "src/a.ts"), 0o755);
    await rm(join(root, "loose.txt"));
    await mkdir(join(root, "loose.txt"));
    expect(await compareWorkTree(before, root)).toEqual(["link", "loose.txt", "src/a.ts"]);
  });

  test("staging alone changes no file; nor does a commit; a checkout is seen", async () => {
    const root = await repository();
    const before = await snapshotWorkTree(root);
    git(root, "add", "-A");
    expect(await compareWorkTree(before, root)).toEqual(nothing);
    git(root, "commit", "-qm", "second");
    expect(await compareWorkTree(before, root)).toEqual([]);
    git(root, "checkout", "-q", "HEAD~1");
    expect(await compareWorkTree(before, root)).toEqual(["loose.txt", "src/dirty.ts"]);
  });

  test("line ends that git turns round do not make a touched file a changed one", async () => {
    const root = await freshFolder();
    git(root, "init", "-q");
    git(root, "config", "core.autocrlf", "true");
    await writeFile(join(root, "dos.txt"), "one\r\ntwo\r\n");
    git(root, "add", "-A");
    const past = new Date(Date.now() - 60_000);
    await utimes(join(root, "dos.txt"), past, past);
    git(root, "add", "-A");
    const before = await snapshotWorkTree(root);
    await writeFile(join(root, "dos.txt"), "one\r\ntwo\r\n");
    expect(await compareWorkTree(before, root)).toEqual(nothing);
    await writeFile(join(root, "dos.txt"), "one\r\ntwO\r\n");
    expect(await compareWorkTree(before, root)).toEqual(["dos.txt"]);
  });

  test("repositories inside, submodules or not, are looked into", async () => {
    const root = await repository();
    for (const name of ["nested", "sub"]) {
      await mkdir(join(root, name));
      git(join(root, name), "init", "-q");
      await writeFile(join(root, name, "f"), "1\n");
      git(join(root, name), "add", "-A");
      git(join(root, name), "commit", "-qm", "x");
    }
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
    const before = await snapshotWorkTree(root);
    expect(await compareWorkTree(before, root)).toEqual(nothing);
    await writeFile(join(root, "nested/f"), "2\n");
    await writeFile(join(root, "sub/f"), "2\n");
    expect(await compareWorkTree(before, root)).toEqual(["nested/f", "sub/f"]);
  });

  test("names that are not UTF-8 are looked at as well", async () => {
    const root = await repository();
    const name = Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]);
    await writeFile(name, "1");
    const before = await snapshotWorkTree(root);
    expect(await compareWorkTree(before, root)).toEqual(nothing);
    await writeFile(name, "2");
    expect(await compareWorkTree(before, root)).toEqual(["bad-\uFFFD"]);
  });

  test("B1.5 looking runs nothing that the repository brings, and writes nothing", async () => {
    const root = await repository();
    const trap = join(root, "ignored/trap");
    const sprung = join(root, "ignored/sprung");
    const springs = `#!/bin/sh\ntouch '${sprung}'\ncat\n`;
    writeProgram(trap, springs);
    await writeFile(join(root, ".gitattributes"), "* filter=evil diff=evil\n");
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "filter.evil.clean",
      "filter.evil.process",
      "diff.evil.textconv",
    ]) {
      git(root, "config", key, trap);
    }
    await mkdir(join(root, ".git/hooks"), { recursive: true });
    for (const hook of ["post-index-change", "fsmonitor-watchman"])
      writeProgram(join(root, ".git/hooks", hook), springs);
    const index = (await stat(join(root, ".git/index"))).mtimeMs;
    const before = await snapshotWorkTree(root);
    await appendFile(join(root, "src/a.ts"), "more\n");
    expect(await compareWorkTree(before, root)).toEqual(["src/a.ts"]);
    expect((await stat(join(root, ".git/index"))).mtimeMs).toBe(index);
    await expect(stat(sprung)).rejects.toThrow("ENOENT");
    git(root, "status");
    await stat(sprung);
  });

  test("an empty repository, and one that is gone when it is compared", async () => {
    const root = await freshFolder();
    git(root, "init", "-q");
    const before = await snapshotWorkTree(root);
    await writeFile(join(root, "first"), "1");
    expect(await compareWorkTree(before, root)).toEqual(["first"]);
    const full = await snapshotWorkTree(root);
    await rm(join(root, ".git"), { recursive: true });
    expect(await compareWorkTree(full, root)).toEqual([]);
    await rm(root, { recursive: true });
    expect(await compareWorkTree(full, root)).toEqual(["first"]);
  });
});

describe("B1.6 in a folder without git", () => {
  test("planning that begins again while the first is still compared has a picture of its own", async () => {
    const root = await freshFolder();
    const watch = watchWorkTree(root, []);
    watch.begin();
    expect(await watch.changed()).toEqual(nothing);
    const first = watch.end();
    watch.begin();
    expect([await first, await watch.changed()]).toEqual([nothing, nothing]);
    await writeFile(join(root, "new"), "1");
    expect(await watch.end()).toEqual(["new"]);
  });

  test("changed, new and deleted files are told by size and times", async () => {
    const root = await freshFolder();
    await mkdir(join(root, "a/b"), { recursive: true });
    for (const name of ["a/one", "a/b/two", "three"]) await writeFile(join(root, name), "1");
    const before = await snapshotWorkTree(root);
    expect(await compareWorkTree(before, root)).toEqual(nothing);
    await writeFile(join(root, "a/one"), "22");
    await rm(join(root, "three"));
    await writeFile(join(root, "a/four"), "4");
    expect(await compareWorkTree(before, root)).toEqual(["a/four", "a/one", "three"]);
  });

  test("a folder that is not there, and a record that could not be made", async () => {
    expect(await compareWorkTree(await snapshotWorkTree("/nonexistent/x"), "/nonexistent/x")).toEqual(nothing);
    expect(await compareWorkTree(null, "/")).toEqual(nothing);
  });

  test("more files than are looked at: of the others only what is young for certain counts", async () => {
    const root = await freshFolder();
    for (const folder of ["0", "1", "2"]) {
      await mkdir(join(root, folder));
      for (let file = 100; file < 200; file += 1) await writeFile(join(root, folder, String(file)), "");
    }
    const before = (await snapshotWorkTree(root, 250))!;
    await writeFile(join(root, "0/150"), "changed");
    await writeFile(join(root, "0/0new"), "new");
    expect(await compareWorkTree(before, root)).toEqual(["0/0new", "0/150"]);
    for (const name of ["0/0new", "0/100", "0/101"]) await rm(join(root, name));
    const lateSnapshot = { ...before, takenAt: Date.now() + 60_000 };
    expect(await compareWorkTree(lateSnapshot, root)).toEqual(["0/100", "0/101", "0/150"]);
  });
});

describe("the index", () => {
  test("is read also when git tells no details, and then vouches for nothing", async () => {
    const hash = "7".repeat(40);
    const entries = await parseIndex(
      ["100644 # 0\ta b", "100644 # 0\tc\nd", "160000 # 0\tsub", ""].join("\0").replaceAll("#", hash),
    );
    const plain = { hash, size: null, mtime: null, inode: null };
    expect(entries).toEqual(
      new Map([
        ["a b", plain],
        ["c\nd", plain],
        ["sub", { ...plain, hash: "" }],
      ]),
    );
    const mark = { kind: "file", size: 1n, executable: false, mtime: 1n, ctime: 1n, inode: 1n } as const;
    expect(isVouchedFor(plain, mark, 5n)).toBe(false);
    expect(isVouchedFor({ hash, size: 1n, mtime: 1n, inode: 1n }, mark, 5n)).toBe(true);
    expect(isVouchedFor({ hash, size: 1n, mtime: 1n, inode: 1n }, mark, 1n)).toBe(false);
  });
});
