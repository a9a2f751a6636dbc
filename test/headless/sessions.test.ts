/** `groundplan sessions`: what past sessions there are, one of them, and removing it whole. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, type Stage } from "./program.ts";

async function stageWithDraft(): Promise<{ stage: Stage; id: string; plan: string }> {
  const stage = await openStage({
    script: (request, turn): ScriptedTurn => {
      const body = JSON.stringify(request.body);
      const todos = [{ content: "look", status: "pending" }];
      if (turn === 1) return { calls: [{ tool: "TodoWrite", input: { todos } }] };
      if (turn === 2)
        return { calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: "# Draft\n" } }] };
      if (turn === 3) return { text: "A draft." };
      return { hang: true };
    },
  });
  const { stdout } = await stage.run(["-p", "draft it", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId: id, plan } = JSON.parse(stdout);
  return { stage, id, plan: plan.path };
}

test("sessions list and show: for people and for programs, of this project and of all", async () => {
  const { stage, id, plan } = await stageWithDraft();
  const listed = await stage.run(["sessions"]);
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toContain(`${id}  `);
  expect(listed.stdout).toContain("draft it");
  const [session] = JSON.parse((await stage.run(["sessions", "list", "--json"])).stdout);
  expect(session).toMatchObject({ id, words: "draft it", mode: "plan", project: stage.repository });
  expect((await stage.run(["sessions", "--json"], { directory: stage.home })).stdout).toBe("[]\n");
  expect(JSON.parse((await stage.run(["sessions", "--all", "--json"], { directory: stage.home })).stdout)).toHaveLength(
    1,
  );
  const shown = JSON.parse((await stage.run(["sessions", "show", id.slice(0, 8), "--json"])).stdout);
  expect(shown).toMatchObject({
    id,
    plans: [{ title: "Draft", status: "draft", file: plan }],
    todos: [{ content: "look", status: "pending" }],
  });
  expect((await stage.run(["sessions", "show", id])).stdout).toContain(`groundplan --resume ${id}`);
  expect((await stage.run(["sessions", "show", "ffffffff"])).code).toBe(1);
  expect((await stage.run(["sessions", "frob"])).code).toBe(2);
});

test("R14.7 R13.1 sessions rm removes log and todos, drafts only when asked, and nothing of a session that is open", async () => {
  const { stage, id, plan } = await stageWithDraft();
  const todos = join(stage.home, "todos", `${id}-agent-${id}.json`);
  expect(existsSync(todos)).toBe(true);
  const child = stage.start(["-p", "go on", "--resume", id]);
  await expect.poll(() => stage.server.requests.length).toBe(4);
  const refused = await stage.run(["sessions", "rm", id]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`process ${child.pid}`);
  expect(existsSync(todos)).toBe(true);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.on("close", resolve));
  expect((await stage.run(["sessions", "rm", id])).code).toBe(0);
  expect(existsSync(todos)).toBe(false);
  expect(existsSync(plan)).toBe(true);
  const folder = join(stage.home, "sessions", readdirSync(join(stage.home, "sessions"))[0]!);
  expect(readdirSync(folder)).toEqual([]);
});

test("R14.7 R13.2 a fork brings the todos along; sessions rm --plans removes its own drafts and leaves the parent's", async () => {
  const { stage, id, plan } = await stageWithDraft();
  const forkId = "0fed8a6e-2222-4333-8444-555566667777";
  const child = stage.start(["-p", "go on", "--resume", id, "--fork", "--session-id", forkId]);
  await expect.poll(() => stage.server.requests.length).toBe(4);
  const todos = join(stage.home, "todos", `${forkId}-agent-${forkId}.json`);
  await expect.poll(() => existsSync(todos)).toBe(true);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.on("close", resolve));
  const removed = JSON.parse((await stage.run(["sessions", "rm", forkId, "--plans", "--json"])).stdout);
  expect(removed.removed).toHaveLength(3);
  expect(existsSync(plan)).toBe(true);
  expect((await stage.run(["sessions", "show", id])).code).toBe(0);
});
