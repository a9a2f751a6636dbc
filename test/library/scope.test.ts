/** planScope in the real program: an edit outside of the plan is told, or asked (B6.2). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { libraryStage, type LibraryStage } from "./stage.ts";

const stages: LibraryStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const plan = "# Change a\n\n- [ ] Change `a.ts`\n";
const write = (file_path: string) => ({ calls: [{ tool: "Write", input: { file_path, content: "new\n" } }] });

test.each([
  ["warn", 1, "new\n", []],
  ["off", 0, "new\n", []],
  ["ask", 1, null, ["nobody"]],
] as const)("B6.2 planScope %s: the person hears of it %i time(s)", async (planScope, times, text, codes) => {
  const stage = await libraryStage();
  stages.push(stage);
  const settings = ["--settings", JSON.stringify({ planScope })];
  const first = await stage.submit(plan, { args: settings });
  const args = ["--permission-mode", "acceptEdits", ...settings];
  const turns = [{ calls: [{ tool: "Read", input: { file_path: "a.ts" } }] }, write("a.ts"), write("other.ts")];
  const { result, stderr } = await stage.approve(first, turns, args);
  expect(stderr.split("the plan does not name").length - 1).toBe(times);
  expect(stderr.includes("other.ts")).toBe(times > 0);
  expect(result.denials.map(({ code }) => code)).toEqual(codes);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("new\n");
  const read = (): string => readFileSync(join(stage.repository, "other.ts"), "utf8");
  if (text === null) expect(read).toThrow("ENOENT");
  else expect(read()).toBe(text);
});

test("B6.1 B6.4 the steps of the approved plan are the todos, and the model hears that they are", async () => {
  const stage = await libraryStage();
  stages.push(stage);
  const first = await stage.submit("# Two\n\n- [ ] Change `a.ts`\n- [x] Look around\n");
  await stage.approve(first);
  const todos = join(stage.home, "todos", `${first.sessionId}-agent-${first.sessionId}.json`);
  expect(JSON.parse(readFileSync(todos, "utf8"))).toEqual([
    { content: "Change `a.ts`", status: "pending" },
    { content: "Look around", status: "completed" },
  ]);
  expect(JSON.stringify(stage.server.requests.at(-1)!.body)).toContain("It holds the plan's 2 steps already");
});
