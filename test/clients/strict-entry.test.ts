/** The entry of Claude Code that may wait for a person: beside the quick one, with a time limit and a launcher that let it (B11.5). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench, runEntry } from "./installing.ts";

interface Group {
  readonly matcher: string;
  readonly hooks: readonly { readonly command: string; readonly timeout: number }[];
}

async function installed() {
  const bench = openBench();
  expect((await bench.run("install", "claude", "--yes")).code).toBe(0);
  const { hooks } = JSON.parse(readFileSync(join(bench.home, ".claude/settings.json"), "utf8")) as {
    readonly hooks: Readonly<Record<string, readonly Group[]>>;
  };
  const [quick, review] = hooks["PreToolUse"] as [Group, Group];
  return { bench, quick, review };
}

test("B11.5 stands beside the quick one, for plans alone, by a command of its own: clients run equal ones only once", async () => {
  const { quick, review } = await installed();
  expect([quick.matcher, quick.hooks[0]!.timeout]).toEqual(["*", 600]);
  expect([review.matcher, review.hooks[0]!.timeout]).toEqual(["ExitPlanMode", 345_600]);
  expect(quick.hooks[0]!.command).toContain(" hook claude PreToolUse;");
  expect(review.hooks[0]!.command).toContain(" hook claude PreToolUse review;");
});

test("B11.5 the launcher ends a quick one that hangs, and waits for the other; a crash refuses in both", async () => {
  const { bench, quick, review } = await installed();
  const guard = join(bench.home, ".groundplan/bin/guard");
  const hook = join(bench.home, "hook.js");
  const text = readFileSync(guard, "utf8").replace(/^hook='.*'$/m, () => `hook='${hook}'`);
  expect(text).toContain("sleep 25 &");
  writeFileSync(guard, text.replace("sleep 25 &", "sleep 0 &"));
  const run = (group: Group) => runEntry(group.hooks[0]!.command, "{}", bench);
  const end = 'setTimeout(() => { console.log("said"); process.exit(0); }, 500)';
  writeFileSync(hook, `setInterval(() => undefined, 1000); if (process.argv[5] === "review") ${end};`);
  expect((await run(quick)).code).toBe(2);
  expect(await run(review)).toMatchObject({ code: 0, stdout: "said\n" });
  writeFileSync(hook, "process.kill(process.pid, 'SIGKILL');");
  expect([(await run(quick)).code, (await run(review)).code]).toEqual([2, 2]);
});

test("B11.7 it is proved as the quick one is", async () => {
  const { bench, review } = await installed();
  const write = {
    session_id: "s1",
    cwd: bench.project,
    hook_event_name: "PreToolUse",
    permission_mode: "plan",
    tool_name: "Write",
    tool_input: { file_path: join(bench.project, "a"), content: "x" },
  };
  const { stdout } = await runEntry(review.hooks[0]!.command, write, bench);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
});
