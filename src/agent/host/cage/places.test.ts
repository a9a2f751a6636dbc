import { expect, test } from "vitest";
import { mayBeCopied, mayBeShown } from "./places.ts";

const own = ["/home/ada/.groundplan"];

test.each([
  ["/home/ada/proj/.git", true],
  ["/tmp/proj/.git", true],
  ["/home/ada/.groundplan-other", true],
  ["/home/ada/.groundplan", false],
  ["/home/ada/.groundplan/sessions", false],
  ["/home/ada", false],
  ["/tmp", false],
  ["/", false],
])("B1.5 a folder that a repository names: %s may be shown: %s", (folder, may) => {
  expect(mayBeShown(folder, own)).toBe(may);
});

test.each([
  ["/home/ada/proj", [], true],
  ["/home/ada/proj", ["/home/ada/proj/.env"], true],
  ["/home/ada/proj", ["/home/ada/proj"], false],
  ["/home/ada/proj", ["/home/ada"], false],
  ["/home/ada", [], false],
  ["/home/ada/.groundplan/x", [], false],
])("B1.16 the work tree %s with %j hidden may be a copy: %s", (tree, hide, may) => {
  expect(mayBeCopied(tree, { own, hide })).toBe(may);
});
