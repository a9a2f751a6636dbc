/** The small schemas say of our tools' inputs what zod says of them, in the same words. */
import { afterEach, expect, test, vi } from "vitest";
import { parseInput } from "../../agent/tools/input/tool-input.ts";
import { ourTools } from "../guard/our-tools.ts";

afterEach(() => {
  vi.doUnmock("zod");
  vi.resetModules();
});

const values: readonly unknown[] = [
  "",
  "x",
  "a.ts",
  "content",
  "code",
  "insert",
  "delete",
  "-x",
  "x".repeat(5000),
  0,
  1,
  -1,
  1.5,
  1001,
  600_001,
  Number.NaN,
  Infinity,
  -Infinity,
  true,
  false,
  null,
  undefined,
  [],
  ["x"],
  {},
  { command: "ls" },
];

const names =
  "file_path command description timeout offset limit pattern path glob type url output_mode -i -n -A multiline head_limit old_string new_string replace_all content notebook_path cell_id new_source cell_type edit_mode foreign constructor".split(
    " ",
  );

const valid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Read: { file_path: "a.ts" },
  Glob: { pattern: "*" },
  Grep: { pattern: "x" },
  Edit: { file_path: "a.ts", old_string: "x", new_string: "y" },
  Write: { file_path: "a.ts", content: "x" },
  NotebookEdit: { notebook_path: "a.ipynb", new_source: "x" },
  Bash: { command: "ls" },
  WebFetch: { url: "http://localhost" },
};

test.each(Object.keys(ourTools))("%s takes and refuses the same with the small schemas as with zod", async (name) => {
  const inputs: readonly unknown[] = [
    ...values,
    valid[name],
    ...names.flatMap((key) => values.flatMap((value) => [{ ...valid[name], [key]: value }, { [key]: value }])),
    { ...valid[name], one: 1, two: 2 },
    JSON.parse(`{ "__proto__": ${JSON.stringify(valid[name])} }`),
  ];
  const byZod = await answers(name, inputs);
  vi.resetModules();
  vi.doMock("zod", async (original) => ({ ...(await original<object>()), ...(await import("./small-schemas.ts")) }));
  const small = await answers(name, inputs);
  expect(byZod.filter((answer) => "input" in answer).length).toBeGreaterThan(1);
  /** Zod also measures lists that should be texts, and tells that as well. */
  expect(small).toEqual(byZod.map((answer) => ("problem" in answer ? { problem: shortened(answer.problem) } : answer)));
});

function shortened(problem: string): string {
  return problem.replaceAll(/; [\w-]+: too (small|big): expected array to have [<>]=\d+ items/g, "");
}

async function answers(name: string, inputs: readonly unknown[]) {
  const fresh = await import("../guard/our-tools.ts");
  const tool = await fresh.ourTools[name]!();
  return Promise.all(inputs.map((input) => parseInput(tool, input)));
}
