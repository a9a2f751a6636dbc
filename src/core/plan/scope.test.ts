import { expect, test } from "vitest";
import { isNamedIn } from "./scope.ts";

test.each<[string, string, boolean]>([
  ["Change `src/a.ts`.", "/repo/src/a.ts", true],
  ["Change `src/a.ts`.", "/repo/src/b.ts", false],
  ["Change `a.ts`.", "/repo/src/a.ts", true],
  ["Change `a.ts`.", "/repo/src/ba.ts", false],
  ["Change `src/a.ts:12`.", "/repo/src/a.ts", true],
  ["Change `./src/a.ts`.", "/repo/src/a.ts", true],
  ["Change `/repo/src/a.ts`.", "/repo/src/a.ts", true],
  ["Change src/auth/login.ts and others.", "/repo/src/auth/login.ts", true],
  ["All of `src/auth/`.", "/repo/src/auth/deep/x.ts", true],
  ["All of `src/auth/**`.", "/repo/src/auth/x.ts", true],
  ["All of `src/auth/*.ts`.", "/repo/src/auth/x.ts", true],
  ["All of `src/auth/`.", "/repo/src/authority/x.ts", false],
  ["All of `src/auth/`.", "/repo/other/x.ts", false],
  ["Names nothing at all.", "/repo/any.ts", true],
  ["Change `src/a.ts`.", "/elsewhere/src/b.ts", false],
])("B6.2 %s: %s is named: %s", (plan, path, named) => {
  expect(isNamedIn(plan, path, "/repo")).toBe(named);
});
