/** Settings files that change while a session runs: judged again at once, in agents too, and said (B14.4, R11.3, R2.7). */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { drive } from "./driving.ts";
import { finish, planFileIn, openStage, type Ran, type Stage, type StageOptions } from "./program.ts";

type Script = (request: LoopbackRequest, turn: number, stage: Stage) => ScriptedTurn | Promise<ScriptedTurn>;

async function stageWith(script: Script, options: Omit<StageOptions, "script"> = {}): Promise<Stage> {
  const stage: Stage = await openStage({ script: (request, turn) => script(request, turn, stage), ...options });
  return stage;
}

function settle(stage: Stage, settings: object): void {
  mkdirSync(stage.home, { recursive: true });
  const file = join(stage.home, "settings.json");
  writeFileSync(`${file}.new`, JSON.stringify(settings));
  renameSync(`${file}.new`, file);
}

function events({ stdout }: Ran): readonly Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const write = (name: string) => ({ tool: "Write", input: { file_path: name, content: name } });
const stream = ["--output-format", "stream-json"];

test("B14.4 a rule that is added while the model speaks holds for what it said, and the person is told", async () => {
  const stage = await stageWith((_, turn, here) => {
    if (turn === 1) return { calls: [write("one.txt")] };
    if (turn === 2) {
      settle(here, { permissions: { allow: ["Edit"], deny: ["Edit(two.txt)"] } });
      return { calls: [write("two.txt"), write("three.txt")] };
    }
    if (turn === 3) {
      settle(here, {});
      return { calls: [write("four.txt")] };
    }
    return { text: "Done." };
  });
  settle(stage, { permissions: { allow: ["Edit"] } });
  const ran = await stage.run(["-p", "go", "--output-format", "json"]);
  const { denials, notices } = JSON.parse(ran.stdout);
  expect(denials.map(({ code }: { code: string }) => code)).toEqual(["rule", "nobody"]);
  const made = ["one", "two", "three", "four"].map((name) => existsSync(join(stage.repository, `${name}.txt`)));
  expect(made).toEqual([true, false, true, false]);
  expect(notices.map(({ text }: { text: string }) => text)).toEqual([
    "settings changed · deny Edit(two.txt) added",
    "settings changed · deny Edit(two.txt) removed · allow Edit removed",
  ]);
  for (const { text } of notices) expect(ran.stderr).toContain(text);
});

test("B14.4 settings that cannot be used change nothing, and are said", async () => {
  const stage = await stageWith((_, turn, here) => {
    if (turn === 1) {
      writeFileSync(join(here.home, "settings.json"), '{"permissions": {"deny": [');
      return { calls: [write("one.txt")] };
    }
    return { text: "Done." };
  });
  settle(stage, { permissions: { allow: ["Edit"] } });
  const { stdout, stderr } = await stage.run(["-p", "go", "--output-format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "done", denials: [] });
  expect(stderr).toContain("those from before stay in force");
  expect(stderr).toContain("settings.json:1:");
});

test("B14.4 B1.7 a rule that is added while an agent works holds for the agent", async () => {
  const stage = await stageWith((request, _, here) => {
    const body = JSON.stringify(request.body);
    if (!body.includes("do the agent part")) return { calls: [agent("do the agent part")] };
    const isAgent = !body.includes("toolu") || !body.includes("go go");
    if (isAgent && !body.includes("tool_result")) {
      settle(here, { permissions: { allow: ["Edit"], deny: ["Edit(one.txt)"] } });
      return { calls: [write("one.txt")] };
    }
    return { text: "Done." };
  });
  settle(stage, { permissions: { allow: ["Edit"] } });
  const { stdout } = await stage.run(["-p", "go go", "--output-format", "json"]);
  expect(JSON.parse(stdout).denials).toMatchObject([{ tool: "Write", code: "rule" }]);
  expect(existsSync(join(stage.repository, "one.txt"))).toBe(false);
});

function agent(prompt: string) {
  return { tool: "Agent", input: { subagent_type: "general-purpose", description: "part", prompt } };
}

test("R11.3 R2.7 auto mode during planning, switched on and off while a session plans, acts at once", async () => {
  const on = { autoMode: { enabled: true }, useAutoModeDuringPlan: true, permissions: { allow: ["Bash"] } };
  const read = { tool: "Read", input: { file_path: "a.ts" } };
  const stage = await stageWith((_, turn, here) => {
    if (turn === 1) settle(here, on);
    if (turn === 2) settle(here, { ...on, useAutoModeDuringPlan: false });
    if (turn === 3) settle(here, on);
    if (turn === 4) settle(here, { ...on, autoMode: { enabled: false } });
    return turn < 5 ? { calls: [read] } : { text: "Done." };
  });
  const changes = events(await stage.run(["-p", "go", "--permission-mode", "plan", ...stream]));
  expect(changes.filter(({ type }) => type === "auto.changed")).toMatchObject([
    { active: true, stripped: ["Bash"] },
    { active: false },
    { active: true },
    { active: false },
  ]);
  expect(changes.at(-1)).toMatchObject({ type: "result", mode: "plan" });
});

test("R11.3 auto mode that is switched off in the settings ends at once, and is said", async () => {
  const stage = await stageWith((_, turn, here) => {
    if (turn === 1) settle(here, {});
    return turn === 1 ? { calls: [write("one.txt")] } : { text: "Done." };
  });
  settle(stage, { autoMode: { enabled: true } });
  const args = ["-p", "go", "--permission-mode", "auto", "--output-format", "json"];
  const { stdout, stderr } = await stage.run(args);
  const { mode, denials, notices } = JSON.parse(stdout);
  expect([mode, denials[0].code]).toEqual(["default", "nobody"]);
  expect(notices.map(({ key }: { key: string }) => key)).toContain("auto-mode-unavailable");
  expect(stderr).toContain("auto mode unavailable");
  expect(existsSync(join(stage.repository, "one.txt"))).toBe(false);
});

test("R11.1 auto mode decides for agents, and what its side model used is in the usage", async () => {
  const usage = { inputTokens: 11, outputTokens: 7 };
  const stage = await stageWith(
    (request) => {
      const body = JSON.stringify(request.body);
      if (body.includes("verdict") && !body.includes("do the agent part and")) return sideYes(usage);
      if (!body.includes("do the agent part")) return { calls: [agent("do the agent part")], usage: none };
      if (!body.includes("tool_result"))
        return { calls: [{ tool: "Bash", input: { command: "sh x.sh" } }], usage: none };
      return { text: "Done.", usage: none };
    },
    { files: { "x.sh": "touch made\n" } },
  );
  settle(stage, { autoMode: { enabled: true } });
  const args = ["-p", "go", "--permission-mode", "auto", "--output-format", "json"];
  const { stdout } = await stage.run(args);
  const result = JSON.parse(stdout);
  expect(result.denials).toEqual([]);
  expect(existsSync(join(stage.repository, "made"))).toBe(true);
  expect(result.usage).toMatchObject({ ...usage, requests: stage.server.requests.length });
});

const none = { inputTokens: 0, outputTokens: 0 };

function sideYes(usage: { inputTokens: number; outputTokens: number }): ScriptedTurn {
  return { text: '{"verdict":"allow","reason":"it builds"}', usage };
}

test("B14.4 a question that waits is taken back when a rule answers it", async () => {
  const stage = await stageWith((_, turn) => (turn === 1 ? { calls: [write("one.txt")] } : { text: "Done." }));
  const child = stage.start(["-p", ...stream, "--input-format", "stream-json"]);
  let seen = "";
  child.stdout.on("data", (text: Buffer) => (seen += text.toString()));
  child.stdin.write(`${JSON.stringify({ type: "user", text: "go" })}\n`);
  await expect.poll(() => seen).toContain('"permission.requested"');
  settle(stage, { permissions: { deny: ["Edit"] } });
  await expect.poll(() => seen).toContain('"type":"tool.denied"');
  await expect.poll(() => seen).toContain('"permission.withdrawn"');
  await expect.poll(() => seen).toContain("deny Edit added");
  await finish(child, "");
});

test.each([
  ["the session's", "/plan add b"],
  ["an agent's", "let an agent add b"],
])("R11.3 a plan that waits is offered anew when auto mode is switched off: %s", async (whose, task) => {
  const isByAgent = whose === "an agent's";
  let steps = 0;
  const stage = await stageWith((request, turn) => {
    const body = JSON.stringify(request.body);
    if (isByAgent && turn === 1) {
      const input = { description: "add", prompt: "add b", subagent_type: "general-purpose", mode: "plan" };
      return { calls: [{ tool: "Agent", input }] };
    }
    steps += 1;
    if (steps > 2) return { text: "Done." };
    if (steps === 2) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    return {
      calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: "# Add b\n\n1. Create `b.ts`\n" } }],
    };
  });
  settle(stage, { autoMode: { enabled: true } });
  const driven = drive(stage, ["--permission-mode", "auto"]);
  driven.send({ type: "user", text: task });
  const submitted = await driven.until(({ type }) => type === "plan.submitted");
  expect(JSON.stringify(submitted["choices"])).toContain('"auto"');
  settle(stage, {});
  const again = await driven.until(({ type }) => type === "plan.reoffered");
  expect([again["id"], "agent" in again]).toEqual([submitted["id"], isByAgent]);
  expect(JSON.stringify(again["choices"])).not.toContain('"auto"');
  driven.child.stdin.end();
  await driven.ended;
});
