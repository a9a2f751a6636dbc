import { expect, test } from "vitest";
import { withoutCage } from "./strict-core.ts";
import { verdict } from "./verdict.ts";

const judged = (command: string) =>
  withoutCage(command, verdict(command, { platform: "linux", directory: "/app", projectTools: [] })).verdict;

test.each([
  "cat a.ts",
  "ls -la src",
  "pwd",
  "head -n 5 'a b.ts'",
  'grep -rn "a b" src',
  "wc -l a.ts b.ts",
  "echo hello",
  "stat --format=%s a",
])("B1.11 without a cage '%s' is believed", (command) => expect(judged(command)).toBe("read-only"));

test.each([
  "git status",
  "find . -name x",
  "cat a.ts; cat b.ts",
  "cat a.ts | head",
  "cat *.ts",
  "cat ~/a",
  "cat $HOME/a",
  'cat "$HOME/a"',
  "cat $(echo a)",
  "cat `echo a`",
  "cat {a,b}",
  "A=1 cat a",
  "cat < a",
  "cat a > /dev/null",
  "cat a &",
  "(cat a)",
  "if true; then cat a; fi",
  "node --version",
  "npm ls",
  "sed -n 1p a",
  "awk '{ print }' a",
  "python3 -m json.tool a",
  "cargo --version",
  "sort a",
  "/bin/cat a",
  "command cat a",
  "cat a\ncat b",
  "cat a # note\nls",
  "echo !!",
  'echo "\\$a"',
  "[ -v a ]",
])("B1.11 without a cage '%s' is not", (command) => expect(judged(command)).toBe("unproven"));

test("B1.11 what writes is still known to write, and what is not proved stays so", () => {
  expect([judged("rm a"), judged("./unheard a"), judged("uniq a b")]).toEqual(["writes", "unproven", "writes"]);
});
