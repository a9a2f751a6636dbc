/** Pairs tests with what they test, by name. */
import { groupBy } from "../look/keyed.ts";
import { kindOf } from "../look/kinds.ts";
import { bareName } from "../look/paths.ts";

/** Each given test with the files that bear its subject's name, nearest folder first. */
export function subjectsOf(paths: readonly string[], tests: readonly number[]): [test: number, subject: number][] {
  const asked = tests.filter((file) => kindOf(paths[file]!) === "test");
  if (asked.length === 0) return [];
  const sources = [...paths.keys()].filter((file) => kindOf(paths[file]!) === "source");
  const byName = groupBy(sources, (file) => bareName(paths[file]!).toLowerCase());
  return asked.flatMap((test) => {
    const found = byName.get(subjectName(paths[test]!)) ?? [];
    const nearest = found.toSorted(
      (left, right) => shared(paths[right]!, paths[test]!) - shared(paths[left]!, paths[test]!),
    );
    return nearest.slice(0, 2).map((subject): [number, number] => [test, subject]);
  });
}

/** `test_session.py`, `session.test.ts`, `session_test.go` and `SessionTest.java` all test `session`. */
export function subjectName(path: string): string {
  return bareName(path)
    .toLowerCase()
    .replace(/^tests?[_-]/, "")
    .replace(/(?:[._-](?:tests?|spec|e2e|unit|integration))+(?:-d)?$/, "")
    .replace(/(?<=[a-z0-9])(?:tests?|spec|testcase)$/, "");
}

function shared(left: string, right: string): number {
  const there = new Set(right.split("/"));
  return left.split("/").filter((step) => there.has(step)).length;
}
