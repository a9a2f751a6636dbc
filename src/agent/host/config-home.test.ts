/** Config home, project root and key, and the modes of private folders. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { configHome, makePrivateFolder, projectKey, projectRoot, sessionsFolder } from "./config-home.ts";

const freshFolder = async () => realFolder("-home");

describe("the config home", () => {
  test.each([
    [undefined, "/home/ada/.groundplan"],
    ["", "/home/ada/.groundplan"],
    ["/elsewhere", "/elsewhere"],
    ["~/mine", "/home/ada/mine"],
    ["relative", resolve("relative")],
  ])("R3.1 with GROUNDPLAN_HOME=%j it is %s", (given, expected) => {
    const environment = given === undefined ? {} : { GROUNDPLAN_HOME: given };
    expect(configHome({ environment, directory: "/home/ada" })).toBe(expected);
  });
});

describe("the project root", () => {
  test("is git's top level, seen from a folder deep below and through a symlink", async () => {
    const folder = await freshFolder();
    const root = join(folder, "a b é");
    await mkdir(join(root, "src/deep"), { recursive: true });
    execFileSync("git", ["init", "-q", root]);
    await symlink(join(root, "src"), join(folder, "link"));
    expect(await projectRoot(join(root, "src/deep"))).toBe(root);
    expect(await projectRoot(join(folder, "link/deep"))).toBe(root);
  });

  test("of a linked worktree or submodule is the folder with the .git file", async () => {
    const root = await freshFolder();
    await mkdir(join(root, "inner"));
    await writeFile(join(root, ".git"), "gitdir: /somewhere/.git/worktrees/x\n");
    expect(await projectRoot(join(root, "inner"))).toBe(root);
  });

  test("is the directory itself without git, and a .git that is none does not count", async () => {
    const root = await freshFolder();
    await mkdir(join(root, "inner/.git"), { recursive: true });
    await writeFile(join(root, ".git"), "not git\n");
    expect(await projectRoot(join(root, "inner"))).toBe(join(root, "inner"));
  });
});

describe("the project key", () => {
  test("is readable and differs for roots of the same name", () => {
    expect(projectKey("/code/shop")).toMatch(/^shop-[0-9a-f]{12}$/);
    expect(projectKey("/code/shop")).not.toBe(projectKey("/other/shop"));
  });

  test("is one safe file name whatever the root is called", () => {
    for (const root of ["/", "/a/..", "/x/.hidden", "/x/a b\n/c:d", `/x/${"é".repeat(300)}`]) {
      expect(projectKey(root)).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*-[0-9a-f]{12}$/u);
      expect(Buffer.byteLength(projectKey(root))).toBeLessThan(200);
    }
  });

  test("names the folder of the sessions", () => {
    expect(sessionsFolder("/home/ada/.groundplan", "/code/shop")).toBe(
      `/home/ada/.groundplan/sessions/${projectKey("/code/shop")}`,
    );
  });
});

test("R14.7 what is no folder is not made private: a home of /dev/null would be taken from everybody", async () => {
  const file = join(await freshFolder(), "file");
  await writeFile(file, "");
  await chmod(file, 0o666);
  await expect(makePrivateFolder(file)).rejects.toThrow(`${file} is no folder.`);
  expect((await stat(file)).mode & 0o777).toBe(0o666);
});

test("R14.7 private folders are 0700, also when one was there and open", async () => {
  const folder = await freshFolder();
  const open = join(folder, "open");
  await mkdir(open);
  await chmod(open, 0o755);
  await makePrivateFolder(join(open));
  await makePrivateFolder(join(folder, "new/below"));
  for (const path of [open, join(folder, "new"), join(folder, "new/below")]) {
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  }
});
