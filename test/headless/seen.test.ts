/** What the real program puts before a model and a person: the rules that speak of it, told by its requests and its output. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, treeHashes, type Stage } from "./program.ts";

/** The bodies of the requests, in order. */
interface Seen {
  readonly stage: Stage;
  readonly bodies: string[];
}

async function stageOf(turns: readonly (ScriptedTurn | ((body: string) => ScriptedTurn))[]): Promise<Seen> {
  const bodies: string[] = [];
  const stage = await openStage({
    script: (request) => {
      const body = JSON.stringify(request.body);
      bodies.push(body);
      const next = turns[bodies.length - 1] ?? { text: "Done." };
      return typeof next === "function" ? next(body) : next;
    },
  });
  return { stage, bodies };
}

const plan = ["--permission-mode", "plan"];
const toolsIn = (body: string): unknown => (JSON.parse(body) as { readonly tools: unknown }).tools;
const call = (tool: string, input: object): ScriptedTurn => ({ calls: [{ tool, input }] });

test("R2.4 R3.2 R9.1 plan mode by flag or by setting: the reminder states the constraint, then the file, which has a name of three words", async () => {
  const flagged = await stageOf([]);
  await flagged.stage.run(["-p", "look", ...plan]);
  const set = await stageOf([]);
  await set.stage.run(["-p", "look", "--settings", '{"defaultMode": "plan"}']);
  for (const { bodies } of [flagged, set]) {
    const file = planFileIn(bodies[0]!);
    expect(file).toMatch(/\/plans\/\p{L}+-\p{L}+ing-\p{L}+\.md$/u);
    expect(bodies[0]!.search(/plan mode/i)).toBeLessThan(bodies[0]!.indexOf(file));
  }
});

test("R5.2 R5.4 R8.1 a denial says what the model may do instead, and the tools on offer are the same in every mode", async () => {
  const planning = await stageOf([call("Write", { file_path: "b.ts", content: "x" })]);
  await planning.stage.run(["-p", "change it", ...plan]);
  const denial = planning.bodies[1]!;
  expect(denial).toContain("tool_result");
  expect(denial).toMatch(/plan file/i);
  expect(denial).toContain("ExitPlanMode");
  const working = await stageOf([]);
  await working.stage.run(["-p", "change it"]);
  expect(toolsIn(planning.bodies[0]!)).toEqual(toolsIn(working.bodies[0]!));
  expect(planning.bodies[0]).toContain("system-reminder");
  expect(working.bodies[0]).not.toContain(planFileIn(planning.bodies[0]!));
});

test("R6.1 EnterPlanMode takes no field: one that has any is told so and enters nothing", async () => {
  const { stage, bodies } = await stageOf([call("EnterPlanMode", { reason: "because" })]);
  const { stdout } = await stage.run(["-p", "plan it", "--output-format", "json"]);
  expect(bodies[1]).toMatch(/reason/);
  expect(bodies[1]).toMatch(/"is_error":true/);
  expect(JSON.parse(stdout)).toMatchObject({ mode: "default" });
});

test("R6.4 an agent cannot enter plan mode", async () => {
  const start = call("Agent", { description: "look", prompt: "Look around.", subagent_type: "Explore" });
  const { stage, bodies } = await stageOf([start, call("EnterPlanMode", {}), { text: "Seen." }]);
  await stage.run(["-p", "look"]);
  expect(bodies.join("\n")).toContain("EnterPlanMode tool cannot be used in agent contexts");
});

test("R7.1 a plan that the model hands to ExitPlanMode is not taken: the file is what is shown", async () => {
  const write = (body: string) => call("Write", { file_path: planFileIn(body), content: "# From the file\n" });
  const exit = call("ExitPlanMode", { plan: "# From the call", newer: true });
  const { stage } = await stageOf([write, exit]);
  const { stdout, code } = await stage.run(["-p", "plan it", ...plan, "--output-format", "json"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { plan: { text: "# From the file\n" } }]);
  expect(stdout).not.toContain("From the call");
});

test("R8.2 R8.3 the first request after a resume carries a full reminder again, and tool results carry none", async () => {
  const { stage, bodies } = await stageOf([call("Read", { file_path: "a.ts" })]);
  const { stdout } = await stage.run(["-p", "look", ...plan, "--output-format", "json"]);
  const { sessionId } = JSON.parse(stdout) as { readonly sessionId: string };
  await stage.run(["-p", "--resume", sessionId, "look again"]);
  const reminders = bodies.map((body) => body.split(planFileIn(bodies[0]!)).length - 1);
  expect(reminders[0]).toBeGreaterThan(0);
  expect(reminders[1]).toBe(reminders[0]);
  expect(reminders.at(-1)).toBeGreaterThan(reminders[0]!);
});

test("R8.7 where no plan file can be had plan mode holds all the same, and the person is told", async () => {
  const { stage } = await stageOf([call("Write", { file_path: "a.ts", content: "x" })]);
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(join(stage.home, "plans"), "not a folder\n");
  const before = treeHashes(stage.repository);
  const { stdout, stderr } = await stage.run(["-p", "change it", ...plan, "--output-format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ mode: "plan", denials: [{ tool: "Write" }] });
  expect(treeHashes(stage.repository)).toEqual(before);
  expect(stderr).toMatch(/plan file|plans/);
});
