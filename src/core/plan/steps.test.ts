import { describe, expect, test } from "vitest";
import { checksOf, stepsOf, type PlanStep } from "./steps.ts";

const step = (title: string, over: Partial<PlanStep> = {}): PlanStep => ({
  title,
  done: false,
  files: [],
  verify: [],
  ...over,
});

describe("steps", () => {
  test.each<[string, string, readonly PlanStep[]]>([
    [
      "a task list",
      "# T\n\n- [ ] Change `src/a.ts`\n- [x] Look\n* [X] Also\n",
      [step("Change `src/a.ts`", { files: ["src/a.ts"] }), step("Look", { done: true }), step("Also", { done: true })],
    ],
    [
      "only the outermost tasks; what is further in belongs to the one above",
      "- [ ] One\n  - [ ] part in `src/b.ts`\n  - verify: `npm test`\n- [ ] Two\n",
      [step("One", { files: ["src/b.ts"], verify: ["npm test"] }), step("Two")],
    ],
    [
      "numbered headings",
      "# T\n## 1. First\nIn `src/a.ts`.\n\nVerify: `make check`\n### Detail\nmore\n## Step 2: Second\n## Notes\n`src/z.ts`\n",
      [step("First", { files: ["src/a.ts"], verify: ["make check"] }), step("Second")],
    ],
    [
      "a numbered list",
      "# T\n\n1. Change `src/a.ts`\n   **Verify:** `npm test -- a`\n2) Then **rest**\n",
      [step("Change `src/a.ts`", { files: ["src/a.ts"], verify: ["npm test -- a"] }), step("Then rest")],
    ],
    ["tasks win over headings and numbers", "## 1. Head\n1. Item\n2. Item\n- [ ] Task\n", [step("Task")]],
    ["one numbered line is no list", "# T\n\n1. Only this\n", []],
    ["fenced text has no steps", "```\n- [ ] not this\n```\n~~~~\n1. nor this\n2. nor this\n~~~~\n", []],
    ["prose", "# T\n\nJust do it.\n", []],
    ["an unclosed fence", "```\n- [ ] not this\n", []],
  ])("B6.1 %s", (_, text, steps) => {
    expect(stepsOf(text)).toEqual(steps);
  });

  test("B6.1 a step's check may stand in a block below it, and CRLF makes no difference", () => {
    const text = "- [ ] One\r\n  Verify:\r\n  ```sh\r\n  $ npm test\r\n  # a comment\r\n  npm run lint\r\n  ```\r\n";
    expect(stepsOf(text)).toEqual([step("One", { verify: ["npm test", "npm run lint"] })]);
  });
});

describe("checks", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "a section with a block",
      "## Verification\n```bash\n$ npm test\n\nnpm run e2e\n```\n",
      ["npm test", "npm run e2e"],
    ],
    [
      "a list of commands",
      "## How to test\n- `npm test`\n- Run `cargo test -q`\n- Look at `src/a.ts`\n- `login()` works\n",
      ["npm test", "cargo test -q"],
    ],
    [
      "a sentence that says to run it",
      "## Verification\n1. Run the tests: `npm test -- --run`\n2. The function `foo bar` returns\n",
      ["npm test -- --run"],
    ],
    ["a single program", "## Verify\n`make`\n", ["make"]],
    ["a line", "Verify: `npm test`\n", ["npm test"]],
    ["other blocks do not run", "## Design\n```sh\nrm -rf build\n```\n```js\nfoo()\n```\n", []],
    ["code in a section of checks does not run", "## Tests\n```ts\nexpect(1).toBe(1)\n```\n", []],
    ["the same command twice is one", "## Verification\n- `npm test`\n- `npm test`\n", ["npm test"]],
    [
      "a step's own is not the plan's",
      "- [ ] One\n  Verify: `npm test`\n\n## Verification\n- `npm test`\n- `npm run lint`\n",
      ["npm run lint"],
    ],
    ["words about verifying are no command", "We verify the input: it must be a number.\nVerify that it works.\n", []],
  ])("B6.3 commands: %s", (_, text, commands) => {
    expect(checksOf(text).commands).toEqual(commands);
  });

  test("B6.3 files that are only reused, read or checked are not among those that are to change", () => {
    const text =
      "# T\nWhy: `docs/why.md` says so.\n\n## Files to change\n- `src/a.ts`\n\n## Steps\n- [ ] Edit `src/b.ts`, see below\n  Reuse `src/old.ts`\n\n## Reuse\n- `src/http.ts`\n### More\n- `src/more.ts`\n\n## Verification\n`npx vitest run test/a.test.ts`\n\n## Risks\n- `src/risk.ts`\n";
    expect(checksOf(text).files).toEqual(["docs/why.md", "src/a.ts", "src/b.ts"]);
  });

  test.each([
    ["items", "1. a\n"],
    ["tasks", "- [ ] a\n"],
    ["headings", "## 1. a\n"],
  ])("B6.1 a plan of three hundred thousand %s is read like any other", (_, line) => {
    expect(stepsOf(`# T\n${line.repeat(300_000)}`)).toHaveLength(300_000);
  });
});
