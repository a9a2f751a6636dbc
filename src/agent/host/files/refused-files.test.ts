import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { refusedFiles } from "./refused-files.ts";
import { remove } from "../../../../test/support/remove.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-refused-")));
afterAll(() => remove(root));
for (const folder of ["secrets/deep", "src/a", "[x]", "elsewhere/conf", "linked", "home/plans", "home/teams"])
  mkdirSync(join(root, folder), { recursive: true });
for (const file of [".env", "src/.env", "src/a/.env.local", "secrets/deep/key", "[x]/.env", "elsewhere/shared"])
  writeFileSync(join(root, file), "secret\n");
for (const file of ["elsewhere/conf/a.crt", "home/log.key", "home/teams/secret", "home/plans/plan.md"])
  writeFileSync(join(root, file), "secret\n");
symlinkSync("../elsewhere/shared", join(root, "src/linked.env"));
symlinkSync("../elsewhere", join(root, "linked/folder"));
symlinkSync("../elsewhere/conf", join(root, "linked/tls"));
symlinkSync("..", join(root, "linked/up"));
symlinkSync("/", join(root, "linked/all"));
linkSync(join(root, "secrets/deep/key"), join(root, "src/second"));
linkSync(join(root, "home/log.key"), join(root, "src/key"));
linkSync(join(root, "home/plans/plan.md"), join(root, "src/plan"));

const refusing = (...globs: string[]) =>
  refusedFiles({
    globs: globs.map((glob) => `${root}/${glob}`),
    roots: [root],
    own: { home: join(root, "home"), plans: join(root, "home/plans") },
  });
const hidden = async (...globs: string[]) =>
  (await refusing(...globs).toHide())?.map((path) => relative(root, path)).toSorted() ?? null;

test.each([
  [[".env"], [".env"]],
  [["missing"], []],
  [["**/.env"], [".env", "[x]/.env", "src/.env"]],
  [["**/.env*"], [".env", "[x]/.env", "src/.env", "src/a/.env.local"]],
  [["secrets/**"], ["secrets", "src/second"]],
  [["secrets"], ["secrets", "src/second"]],
  [["[[]x]/.env"], ["[x]/.env"]],
  [["src/*.env"], ["elsewhere/shared", "src/.env"]],
  [["src/{a,b}/.env.*"], ["src/a/.env.local"]],
  [["linked/*/shared"], ["elsewhere/shared"]],
  [["linked/**/shared"], ["elsewhere/shared"]],
  [["**/tls/*.crt"], ["elsewhere/conf/a.crt"]],
  [["linked/folder/conf/**"], ["elsewhere/conf"]],
])("B1.14 %j hides %j, through links and under second names", async (globs, paths) => {
  expect(await hidden(...globs)).toEqual(paths);
});

test("B1.14 what comes later is hidden too, and what went is not", async () => {
  const refused = refusing("**/*.pem");
  expect(await refused.toHide()).toEqual([]);
  writeFileSync(join(root, "src/a/new.pem"), "secret\n");
  expect(await refused.toHide()).toEqual([join(root, "src/a/new.pem")]);
  rmSync(join(root, "src/a/new.pem"));
  expect(await refused.toHide()).toEqual([]);
});

test("B1.14 a rule that denies everything cannot be met by hiding", async () => {
  expect(await refusedFiles({ globs: ["/**"], roots: [root] }).toHide()).toBe(null);
});

test("B1.14 where there is too much to be looked at, every second name counts as refused and nothing is said to be hidden", async () => {
  const refused = refusedFiles({ globs: [`${root}/**/.env`], roots: [root], mostNames: 3 });
  expect(await refused.toHide()).toBe(null);
  expect(await refused.isBelow(join(root, "src"))).toBe(true);
  const isHidden = await refused.isHidden();
  expect(["src/second", "elsewhere/shared"].map((path) => isHidden(join(root, path)))).toEqual([true, false]);
});

describe("B1.5 our own home", () => {
  test.each([
    ["home/log.key", "inside"],
    ["home/teams/new", "inside"],
    ["home", "inside"],
    ["home/plans/../log.key", "inside"],
    ["linked/up/home/log.key", "inside"],
    ["src/key", "inside"],
    ["home/plans/plan.md", null],
    ["home/plans/new.md", null],
    ["src/plan", null],
    ["src/second", null],
    ["src", null],
    [".", "around"],
  ])("%s: %s", async (path, reach) => {
    expect((await refusing().ownAt(join(root, path)))?.reach ?? null).toBe(reach);
  });

  test("is not found by a search, nor are processes", async () => {
    const isHidden = await refusing().isHidden();
    const paths = ["home/log.key", "home/teams/secret", "src/key", "home/plans/plan.md", "src/plan", "src/.env"];
    expect(paths.map((path) => isHidden(join(root, path)))).toEqual([true, true, true, false, false, false]);
    expect(isHidden("/proc/1/environ")).toBe(true);
  });
});
