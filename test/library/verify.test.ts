/** `groundplan verify`: the plan's own checks, and the files that were planned and touched (B6.3). */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import { finish } from "../headless/program.ts";
import { libraryStage, logsOf, type LibraryStage } from "./stage.ts";

const stages: LibraryStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const files = { "a.ts": "export const a = 1;\n", "b.ts": "b\n", "c.ts": "c\n", "lib/http.ts": "http\n" };
const plan = [
  "# Change a and b",
  "",
  "- [ ] Change `a.ts`",
  "  Verify: `grep -q 'a = 2' a.ts`",
  "- [ ] Change `b.ts`",
  "  - verify: `test -s b.ts`",
  "- [ ] Tell people",
  "",
  "## Reuse",
  "- `lib/http.ts`",
  "",
  "## Verification",
  "```sh",
  "$ test -f c.ts && echo whole",
  "```",
  "",
].join("\n");
const edit = (file_path: string, old_string: string, new_string: string) => ({
  calls: [
    { tool: "Read", input: { file_path } },
    { tool: "Edit", input: { file_path, old_string, new_string } },
  ],
});
const git = { files } as const;

async function executed(options: { git?: boolean } = {}): Promise<{ stage: LibraryStage; id: string }> {
  const stage = await libraryStage({ ...git, ...options });
  stages.push(stage);
  const first = await stage.submit(plan);
  await stage.approve(first, [edit("a.ts", "= 1", "= 2"), edit("b.ts", "b", "bb")]);
  return { stage, id: first.sessionId };
}

test.each([
  ["with git", true],
  ["without git", false],
])("B6.3 exit 0 only when every check passes and exactly the planned files were touched, %s", async (_, isGit) => {
  const { stage, id } = await executed({ git: isGit });
  const run = await stage.run(["verify"]);
  expect([run.code, run.stdout]).toMatchObject([0, expect.stringContaining("All of it holds.")]);
  const whole = await stage.json<Record<string, unknown>>("verify", id);
  expect(whole).toMatchObject({
    id: `${id}-plan-1`,
    approved: true,
    steps: [
      { title: "Change `a.ts`", checks: [{ command: "grep -q 'a = 2' a.ts", passed: true, exitCode: 0 }] },
      { title: "Change `b.ts`", checks: [{ command: "test -s b.ts", passed: true }] },
      { title: "Tell people", checks: [] },
    ],
    commands: [{ command: "test -f c.ts && echo whole", passed: true, output: "whole\n" }],
    untouched: [],
    unplanned: [],
    passed: true,
  });
  expect(await stage.json<PlanEntry[]>("plans")).toMatchObject([{ status: "done" }]);

  writeFileSync(join(stage.repository, "c.ts"), "touched\n");
  writeFileSync(join(stage.repository, "new.ts"), "new\n");
  const more = await stage.run(["verify"]);
  expect(more.code).toBe(1);
  expect(more.stdout).toMatch(/files touched but not planned:\n +c\.ts\n +new\.ts\n/);
  writeFileSync(join(stage.repository, "b.ts"), "b\n");
  writeFileSync(join(stage.repository, "a.ts"), "export const a = 3;\n");
  const less = await stage.json<Record<string, unknown>>("verify");
  expect(less).toMatchObject({ passed: false, steps: [{ checks: [{ passed: false, exitCode: 1 }] }, {}, {}] });
  if (isGit) expect(less).toMatchObject({ untouched: ["b.ts"] });
});

test("B6.3 plans that lie in the project are no work that nobody planned", async () => {
  const stage = await libraryStage(git);
  stages.push(stage);
  const args = ["--settings", '{ "plansDirectory": "docs/plans" }'];
  const first = await stage.submit("# Change a\n\n- [ ] Change `a.ts`\n  Verify: `true`\n", { args });
  await stage.submit("# Another draft\n", { args });
  await stage.approve(first, [edit("a.ts", "= 1", "= 2")], ["--permission-mode", "acceptEdits", ...args]);
  expect(await stage.json("verify", first.sessionId)).toMatchObject({ passed: true, unplanned: [], untouched: [] });
});

test("B6.3 what nobody approved runs nothing without --yes; an approved plan runs as approved although its file was changed", async () => {
  const stage = await libraryStage(git);
  stages.push(stage);
  const mean = "# Mean\n\n1. Change `a.ts`\n   Verify: `touch pwned`\n2. Rest\n";
  const { sessionId, plan: submitted } = await stage.submit(mean);
  const refused = await stage.run(["verify", sessionId]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("$ touch pwned");
  expect(existsSync(join(stage.repository, "pwned"))).toBe(false);
  expect((await stage.run(["verify", sessionId, "--yes"])).code).toBe(1);
  expect(existsSync(join(stage.repository, "pwned"))).toBe(true);

  const good = await stage.submit("# Good\n\n1. Change `a.ts`\n   Verify: `true`\n2. Rest\n");
  await stage.approve(good);
  writeFileSync(good.plan.path, readFileSync(good.plan.path, "utf8").replace("`true`", "`touch owned`"));
  const run = await stage.run(["verify", good.sessionId]);
  expect(run.stderr).toContain("the approved text counts");
  expect(existsSync(join(stage.repository, "owned"))).toBe(false);
  expect(submitted.path).not.toBe(good.plan.path);
});

test("B6.3 a check that hangs is ended by the limit, and everything by Ctrl-C; wrong usage and missing plans are told", async () => {
  const stage = await libraryStage(git);
  stages.push(stage);
  expect(await stage.run(["verify"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["verify", "--timeout", "x"])).toMatchObject({ code: 2, stdout: "" });
  const slow = await stage.submit("# Slow\n\n1. Wait\n   Verify: `sleep 600`\n2. Rest\n");
  const limited = await stage.json<Record<string, unknown>>("verify", slow.sessionId, "--yes", "--timeout", "1");
  expect(limited).toMatchObject({ passed: false, steps: [{ checks: [{ timedOut: true, passed: false }] }, {}] });
  const child = stage.start(["verify", slow.sessionId, "--yes"]);
  const end = finish(child, "");
  await new Promise((resolve) =>
    child.stderr.on("data", (text: string) => text.includes("sleep 600") && resolve(null)),
  );
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
});

test("B6.3 B5.1 when the approved bytes are gone, what the file holds now does not run as if it were approved", async () => {
  const { stage, id } = await executed();
  for (const log of logsOf(stage)) rmSync(log);
  const entry = stage.index().findLast(({ session }) => session === id);
  const mark = join(stage.repository, "ran");
  writeFileSync(entry!.file, `# Change a and b\n\n- [ ] One\n  Verify: \`touch ${mark}\`\n`);
  const run = await stage.run(["verify", entry!.id]);
  expect([run.code, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain("This is not the text that was approved.");
  expect(existsSync(mark)).toBe(false);
});
