import { expect, test } from "vitest";
import { symbolsOf } from "./symbols.ts";

test.each([
  [
    "a.ts",
    "export function one() {}\nexport const two = 1;\nclass Three {\n  async four(x: number) {\n  }\n}\ninterface Five {}\n",
    ["one", "two", "Three", "four", "Five"],
  ],
  ["a.js", "exports.one = 1;\napp.two = function () {};\n", ["one", "two"]],
  ["a.py", "class One:\n    def two(self):\n        pass\nTHREE = 3\n", ["One", "two", "THREE"]],
  ["a.go", "func One() {}\nfunc (s *Store) Two() {}\ntype Three struct {}\n", ["One", "Two", "Three"]],
  [
    "a.rs",
    "pub fn one() {}\nstruct Two;\nimpl<T> Three<T> {}\npub const FOUR: u8 = 1;\n",
    ["one", "Two", "Three", "FOUR"],
  ],
  ["A.java", "public class One {\n  public static int two(String a) {\n  }\n}\n", ["One", "two"]],
  ["a.c", "#define ONE 1\nstatic int two(int a, int b)\n{\n}\nstruct three {};\n", ["ONE", "two", "three"]],
  ["a.md", "function one() {}", []],
])("%s: the names it defines are found", (path, text, names) => {
  expect(symbolsOf(path, text).toSorted()).toEqual(names.toSorted());
});
