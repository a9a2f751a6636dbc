import { expect, test } from "vitest";
import { gather, judge } from "./evidence.ts";
import { extract } from "../look/extract.ts";
import type { Commit } from "../look/history.ts";
import type { Survey } from "../look/survey.ts";
import { readTask } from "./task.ts";
import { makeVocabulary } from "../look/vocabulary.ts";
import { weights } from "./weights.ts";

test("a file named in the task comes before one that only speaks of it", () => {
  const files = { "src/other.ts": "store store store cart", "src/store/index.ts": "export const a = 1;" };
  expect(order("Clean up src/store/index.ts", files)[0]).toBe("src/store/index.ts");
});

test("a file that defines the name comes before those that use it", () => {
  const files = {
    "a.ts": "import { readBody } from './b.ts';\nreadBody(); readBody(); readBody();\n",
    "b.ts": "export function readBody() {\n  return 1;\n}\n",
    "c.ts": "readBody();\n",
  };
  expect(order("`readBody` hangs", files)[0]).toBe("b.ts");
});

test("what a matching file imports is lifted over what nobody near it uses", () => {
  const files = {
    "src/lantern.ts": "import './x1.ts';\nexport const lantern = 1;\n",
    "src/x0.ts": "export const a = 1;\n",
    "src/x1.ts": "export const b = 1;\n",
    "src/x2.ts": "export const c = 1;\n",
  };
  expect(order("Fix the lantern", files).slice(0, 2)).toEqual(["src/lantern.ts", "src/x1.ts"]);
});

test("what changed together with a matching file is lifted", () => {
  const files = { "a/lantern.ts": "lantern\n", "b/x.ts": "one\n", "c/y.ts": "two\n", "d/z.ts": "three\n" };
  const commits = [0, 1, 2].map(() => ({ message: "More", files: [0, 2] }));
  const others = Array.from({ length: 60 }, () => ({ message: "Else", files: [1] }));
  expect(order("Fix the lantern", files, [...others, ...commits]).indexOf("c/y.ts")).toBeLessThan(3);
  expect(order("Fix the lantern", files, [...others, ...commits])[0]).toBe("a/lantern.ts");
});

test("the subject stands before its test, unless the task is about the test", () => {
  const files = {
    "src/lantern.ts": "export function lantern() {}\n",
    "src/lantern.test.ts": "test('lantern', () => { lantern(); lantern(); });\n",
    "src/window.ts": "export function open() {}\n",
  };
  expect(order("Fix the lantern", files)[0]).toBe("src/lantern.ts");
});

test("locks, snapshots and generated files stand last", () => {
  const files = {
    "package-lock.json": "lantern lantern",
    "dist/lantern.js": "lantern",
    "CHANGELOG.md": "lantern lantern lantern",
    "src/window.ts": "a lantern in the window\n",
  };
  expect(order("Fix the lantern", files)[0]).toBe("src/window.ts");
});

test("the same question gives the same order", () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}.ts`, "lantern\n"]));
  expect(order("Fix the lantern", files)).toEqual(order("Fix the lantern", files));
});

function order(task: string, files: Readonly<Record<string, string>>, commits: readonly Commit[] = []): string[] {
  const vocabulary = makeVocabulary();
  const paths = Object.keys(files);
  const survey: Survey = {
    root: "/nowhere",
    paths,
    extracts: paths.map((path) => extract(path, Buffer.from(files[path]!), vocabulary)),
    words: vocabulary.words,
    commits,
    notes: [],
  };
  const { scores } = judge(gather(readTask(task), survey), weights);
  return [...scores.keys()].toSorted((left, right) => scores[right]! - scores[left]!).map((file) => paths[file]!);
}
