import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createHiddenPaths } from "./hidden-paths.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-hidden-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const folder of ["secrets/deep", "src/a", "[x]", "elsewhere"]) mkdirSync(join(root, folder), { recursive: true });
for (const file of [".env", "src/.env", "src/a/.env.local", "secrets/deep/key", "[x]/.env", "elsewhere/shared"])
  writeFileSync(join(root, file), "secret\n");
symlinkSync("../elsewhere/shared", join(root, "src/linked.env"));

const hidden = (...globs: string[]) => {
  const paths = createHiddenPaths(globs.map((glob) => `${root}/${glob}`))();
  return "cannot" in paths ? paths : paths.map((path) => relative(root, path)).toSorted();
};

test.each([
  [[".env"], [".env"]],
  [["missing"], []],
  [["**/.env"], [".env", "[x]/.env", "src/.env"]],
  [["**/.env*"], [".env", "[x]/.env", "src/.env", "src/a/.env.local"]],
  [["secrets/**"], ["secrets"]],
  [["secrets"], ["secrets"]],
  [["[[]x]/.env"], ["[x]/.env"]],
  [["src/*.env"], ["elsewhere/shared", "src/.env"]],
  [["src/{a,b}/.env.*"], ["src/a/.env.local"]],
])("B1.14 %j hides %j", (globs, paths) => {
  expect(hidden(...globs)).toEqual(paths);
});

test("B1.14 what comes later is hidden too, and what went is not", () => {
  const look = createHiddenPaths([`${root}/**/*.pem`]);
  expect(look()).toEqual([]);
  writeFileSync(join(root, "src/a/new.pem"), "secret\n");
  expect(look()).toEqual([join(root, "src/a/new.pem")]);
  rmSync(join(root, "src/a/new.pem"));
  expect(look()).toEqual([]);
});

test("B1.14 a rule that denies everything cannot be met by hiding", () => {
  expect(createHiddenPaths(["/**"])()).toMatchObject({ cannot: /everywhere/ });
});
