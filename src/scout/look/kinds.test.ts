import { expect, test } from "vitest";
import { kindOf } from "./kinds.ts";

test.each([
  ["src/store.ts", "source"],
  ["src/history.ts", "source"],
  ["website/src/pages/errors.js", "source"],
  ["src/scout/releases.go", "source"],
  ["src/store.test.ts", "test"],
  ["index.test-d.ts", "test"],
  ["pkg/store_test.go", "test"],
  ["tests/test_store.py", "test"],
  ["src/main/java/StoreTest.java", "test"],
  ["test.js", "test"],
  ["examples/todo/index.js", "example"],
  ["docs/conf.py", "example"],
  ["docs/guide.md", "document"],
  ["README.md", "document"],
  ["CHANGELOG.md", "changelog"],
  [".changeset/new-cats.md", "changelog"],
  ["package-lock.json", "lock"],
  ["go.sum", "lock"],
  ["vendor/github.com/a/b.go", "vendored"],
  ["dist/index.js", "generated"],
  ["api/store.pb.go", "generated"],
  ["src/__snapshots__/a.test.ts.snap", "snapshot"],
  ["package.json", "settings"],
  [".github/workflows/ci.yml", "settings"],
  ["Makefile", "settings"],
  ["src/app.css", "style"],
  ["locales/de.json", "locale"],
  ["logo.png", "asset"],
  ["bin/tool", "other"],
])("%s is of the sort %s", (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});
