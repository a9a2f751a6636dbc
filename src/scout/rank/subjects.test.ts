import { expect, test } from "vitest";
import { subjectName, subjectsOf } from "./subjects.ts";

test.each([
  ["tests/test_session.py", "session"],
  ["src/session.test.ts", "session"],
  ["src/session.spec.tsx", "session"],
  ["pkg/session_test.go", "session"],
  ["src/test/java/SessionTest.java", "session"],
  ["test/session.js", "session"],
])("%s tests its subject", (path, subject) => {
  expect(subjectName(path)).toBe(subject);
});

test("a test leads to the subject in the nearest folder first", () => {
  const paths = ["a/src/session.ts", "b/src/session.ts", "b/test/session.test.ts", "b/src/other.ts"];
  expect(subjectsOf(paths, [2, 3])).toEqual([
    [2, 1],
    [2, 0],
  ]);
});
