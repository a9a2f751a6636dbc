/** What was approved stays as it was approved: across entries, forks, resumes, edits from outside, and a model that tries. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import { libraryStage, type LibraryStage, type Result } from "./stage.ts";

const stages: LibraryStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const plan = "# Change a\n\n- [ ] Change `a.ts`\n";
const other = "# Another task\n\nChange `b.ts`.\n";

async function approvedStage(args?: readonly string[]): Promise<{ stage: LibraryStage; first: Result }> {
  const stage = await libraryStage();
  stages.push(stage);
  const first = await stage.submit(plan);
  await stage.approve(first, [], args);
  return { stage, first };
}

test("B5.1 R8.4 re-entry for another task starts a new file; the approved bytes stay, also in a fork and after resumes", async () => {
  const { stage, first } = await approvedStage();
  const exported = async (): Promise<string> =>
    (await stage.run(["plans", "export", `${first.sessionId}-plan-1`])).stdout;
  const second = await stage.submit(other, { resume: first.sessionId });
  expect(second.plan.path).not.toBe(first.plan.path);
  expect([readFileSync(first.plan.path, "utf8"), await exported()]).toEqual([plan, plan]);

  const fork = await stage.submit(`${other}\nForked.\n`, { resume: first.sessionId, args: ["--fork"] });
  expect(new Set([first.plan.path, second.plan.path, fork.plan.path]).size).toBe(3);
  expect([readFileSync(first.plan.path, "utf8"), readFileSync(second.plan.path, "utf8"), await exported()]).toEqual([
    plan,
    other,
    plan,
  ]);
  const [newest] = await stage.json<PlanEntry[]>("plans");
  expect(newest).toMatchObject({ session: fork.sessionId, lineage: { forkedFrom: `${first.sessionId}-plan-2` } });
  await stage.say(["more", "--resume", first.sessionId], []);
  expect(await exported()).toBe(plan);
});

test.each(["acceptEdits", "bypassPermissions"])(
  "B5.1 a model that writes into the approved plan is refused in %s",
  async (mode) => {
    const stage = await libraryStage();
    stages.push(stage);
    const first = await stage.submit(plan, { args: ["--allow-dangerously-skip-permissions"] });
    const args = ["--permission-mode", mode, "--allow-dangerously-skip-permissions"];
    const write = { calls: [{ tool: "Write", input: { file_path: first.plan.path, content: "# Mine now\n" } }] };
    const { result } = await stage.approve(first, [write], args);
    expect(result.denials).toMatchObject([{ code: "plan-approved" }]);
    expect(readFileSync(first.plan.path, "utf8")).toBe(plan);
  },
);

test("B5.1 a file changed or removed outside: show and export give the approved bytes from the log, and say so", async () => {
  const { stage, first } = await approvedStage();
  writeFileSync(first.plan.path, "# Changed by somebody\n");
  const exported = await stage.run(["plans", "export", first.sessionId]);
  expect(exported.stdout).toBe(plan);
  expect(exported.stderr).toContain("changed after the approval");
  const shown = await stage.run(["plans", "show", first.sessionId]);
  expect(shown.stdout).toContain("# Change a");
  expect(shown.stdout).toContain("The file was changed after the approval.");
  expect(await stage.json("plans", "show", first.sessionId)).toMatchObject({ changedOutside: true, text: plan });
  expect((await stage.run(["plans", "search", "somebody"])).code).toBe(1);
  rmSync(first.plan.path);
  expect((await stage.run(["plans", "export", first.sessionId])).stdout).toBe(plan);
  rmSync(join(stage.home, "sessions"), { recursive: true });
  writeFileSync(first.plan.path, "# Changed by somebody\n");
  const lost = await stage.run(["plans", "export", first.sessionId]);
  expect(lost).toMatchObject({ code: 1, stdout: "" });
  expect(lost.stderr).toContain(first.plan.hash);
});
