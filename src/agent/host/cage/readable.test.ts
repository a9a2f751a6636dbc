import { expect, test } from "vitest";
import { readablePaths } from "./readable.ts";

const tree: Readonly<Record<string, readonly string[]>> = {
  "/": ["etc", "home", "tmp"],
  "/home": ["ada"],
  "/home/ada": [".groundplan", "project", "notes"],
  "/home/ada/project": [".env", "src", "a.ts"],
};
const readable = (sight: { closed?: string[]; visible?: string[]; hide?: string[] }) =>
  readablePaths({ closed: [], visible: [], hide: [], ...sight }, (folder) => tree[folder] ?? []);

test("B1.14 everything may be read under one path where nothing is hidden", () => {
  expect(readable({})).toEqual(["/"]);
});

test("B1.14 beside what is hidden, its siblings are named", () => {
  expect(readable({ hide: ["/home/ada/project/.env"] })).toEqual([
    "/etc",
    "/home/ada/.groundplan",
    "/home/ada/project/src",
    "/home/ada/project/a.ts",
    "/home/ada/notes",
    "/tmp",
  ]);
});

test("B1.12 in a closed folder only what is visible is named", () => {
  const sight = { closed: ["/tmp", "/home/ada/.groundplan"], visible: ["/tmp/work", "/home/ada/.groundplan/plans"] };
  expect(readable(sight)).toEqual([
    "/etc",
    "/home/ada/.groundplan/plans",
    "/home/ada/project",
    "/home/ada/notes",
    "/tmp/work",
  ]);
});

test("B1.14 what is hidden stays so although it lies in, or is, what is visible", () => {
  const closed = ["/tmp"];
  expect(readable({ closed, visible: ["/tmp/work"], hide: ["/tmp/work"] })).not.toContain("/tmp/work");
  expect(readable({ visible: ["/home/ada/project"], hide: ["/home/ada"] })).toEqual(["/etc", "/tmp"]);
});
