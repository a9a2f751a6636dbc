/** The program headless, end to end: a real process, the real provider library, a server on loopback. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { publicEventShape } from "../../src/agent/ports/event-shapes.ts";
import { finish, openStage, planFileIn, type Stage, type StageOptions } from "./program.ts";
import { until } from "../support/until.ts";

async function stageWith(script: StageOptions["script"], options: Omit<StageOptions, "script"> = {}): Promise<Stage> {
  return openStage({ script, ...options });
}

/** Writes a plan, submits it, and after an approval writes a file. */
function planner(plan: string): StageOptions["script"] {
  return (request, turn): ScriptedTurn => {
    const body = JSON.stringify(request.body);
    if (turn === 1) return { calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: plan } }] };
    if (turn === 2) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    if (turn === 3)
      return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "export const b = 2;\n" } }] };
    return { text: "Done." };
  };
}

const plan = "# Add b\n\n1. Create `b.ts`\n";
const hash = createHash("sha256").update(plan).digest("hex");

test("R7.11 B4.4 in plan mode the run ends with the plan: exit code 3, path, hash and text", async () => {
  const stage = await stageWith(planner(plan));
  const { code, stdout } = await stage.run(["-p", "add b", "--permission-mode", "plan", "--output-format", "json"]);
  const result = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(result).toMatchObject({ type: "result", status: "plan_ready", mode: "plan", denials: [], changed: [] });
  expect(result.plan).toEqual({
    path: result.plan.path,
    title: "Add b",
    hash,
    revision: 1,
    text: plan,
    status: "submitted",
  });
  expect(readFileSync(result.plan.path, "utf8")).toBe(plan);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
});

test("B2.1 --approve with the plan's hash approves exactly it, and the work is done", async () => {
  const stage = await stageWith(planner(plan));
  const first = await stage.run(["-p", "add b", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId } = JSON.parse(first.stdout);
  const wrong = await stage.run(["-p", "--resume", sessionId, "--approve", "0".repeat(64)]);
  expect(wrong).toMatchObject({ code: 1, stdout: "" });
  expect(wrong.stderr).toContain(hash);
  const approved = await stage.run([
    "-p",
    "--resume",
    sessionId,
    "--approve",
    hash,
    "--permission-mode",
    "acceptEdits",
    "--output-format",
    "json",
  ]);
  expect(JSON.parse(approved.stdout)).toMatchObject({ status: "done", mode: "acceptEdits", result: "Done." });
  expect(approved.code).toBe(0);
  expect(readFileSync(join(stage.repository, "b.ts"), "utf8")).toBe("export const b = 2;\n");
});

test("R14.2 R14.8 a session resumed headless is in plan mode again; an explicit mode leaves it", async () => {
  const stage = await stageWith(() => ({ text: "Fine." }));
  const first = await stage.run(["-p", "hello", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId } = JSON.parse(first.stdout);
  const again = await stage.run(["-p", "more", "--resume", sessionId, "--output-format", "json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ mode: "plan", sessionId });
  const left = await stage.run(["-p", "more", "--continue", "--permission-mode", "default", "--output-format", "json"]);
  expect(JSON.parse(left.stdout)).toMatchObject({ mode: "default", sessionId });
});

test("B3.3 words given with --resume are feedback on the plan that waits, and a new plan waits again", async () => {
  const stage = await stageWith((request, turn) => {
    const file_path = planFileIn(JSON.stringify(request.body));
    if (turn === 1) return { text: "Hello." };
    if (turn === 2 || turn === 4)
      return { calls: [{ tool: "Write", input: { file_path, content: `# Plan ${turn}` } }] };
    return { calls: [{ tool: "ExitPlanMode", input: {} }] };
  });
  const json = ["--output-format", "json"];
  const { sessionId } = JSON.parse((await stage.run(["-p", "hi", "--permission-mode", "plan", ...json])).stdout);
  const first = await stage.run(["-p", "plan it", "--resume", sessionId, ...json]);
  expect(JSON.parse(first.stdout)).toMatchObject({ status: "plan_ready", plan: { text: "# Plan 2", revision: 1 } });
  const second = await stage.run(["-p", "shorter, please", "--resume", sessionId, ...json]);
  expect(JSON.parse(second.stdout)).toMatchObject({ status: "plan_ready", plan: { text: "# Plan 4", revision: 2 } });
  expect(stage.server.requests).toHaveLength(5);
  expect(JSON.stringify(stage.server.requests[3]!.body)).toContain("shorter, please");
});

test("R14.3 a fork has an id and a plan file of its own, and the model hears the new path", async () => {
  const stage = await stageWith(planner(plan));
  const first = JSON.parse(
    (await stage.run(["-p", "add b", "--permission-mode", "plan", "--output-format", "json"])).stdout,
  );
  const forked = JSON.parse(
    (await stage.run(["-p", "go on", "--resume", first.sessionId, "--fork", "--output-format", "json"])).stdout,
  );
  expect(forked.sessionId).not.toBe(first.sessionId);
  expect(forked.plan.path).not.toBe(first.plan.path);
  expect(forked.plan.text).toBe(plan);
  expect(JSON.stringify(stage.server.requests.at(-1)!.body)).toContain(forked.plan.path);
});

test("B4.4 a permission question without a person is denied with a reason, and nothing done is no success", async () => {
  const stage = await stageWith((_, turn) =>
    turn === 1 ? { calls: [{ tool: "Write", input: { file_path: "x.ts", content: "x" } }] } : { text: "Ok." },
  );
  const { stdout, code } = await stage.run(["-p", "write", "--output-format", "json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).denials).toMatchObject([{ tool: "Write", code: "nobody", input: { file_path: "x.ts" } }]);
});

test("text: the last message on stdout, nothing else; diagnostics on stderr", async () => {
  const stage = await stageWith(() => ({ text: "All is well." }));
  expect(await stage.run(["-p", "hi"])).toEqual({ code: 0, stdout: "All is well.\n", stderr: "" });
  expect(await stage.run(["-p"], { stdin: "hi by stdin" })).toEqual({ code: 0, stdout: "All is well.\n", stderr: "" });
});

test("R16.1 R16.2 stream-json: every line is an event of the published schema, the last one the result", async () => {
  const stage = await stageWith(planner(plan));
  const { stdout } = await stage.run(["-p", "add b", "--permission-mode", "plan", "--output-format", "stream-json"]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const types = events.map(({ type }) => type);
  expect(types[0]).toBe("session.started");
  expect(events.filter((event) => !publicEventShape.safeParse(event).success)).toEqual([]);
  expect(types).toEqual(
    expect.arrayContaining(["plan.entered", "tool.started", "plan.saved", "plan.submitted", "usage"]),
  );
  expect(events.at(-1)).toMatchObject({ type: "result", status: "plan_ready" });
});

test("B2.6 another program answers on stdin: asked, revised, approved", async () => {
  const stage = await stageWith((request, turn) => {
    const body = JSON.stringify(request.body);
    if (turn === 1) return { calls: [{ tool: "EnterPlanMode", input: {} }] };
    if (turn === 2)
      return {
        calls: [
          { tool: "Write", input: { file_path: planFileIn(body), content: "# One" } },
          { tool: "ExitPlanMode", input: {} },
        ],
      };
    if (turn === 3)
      return {
        calls: [
          { tool: "Write", input: { file_path: planFileIn(body), content: "# Two" } },
          { tool: "ExitPlanMode", input: {} },
        ],
      };
    if (turn === 4) return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "b" } }] };
    return { text: "Done." };
  });
  const child = stage.start(["-p", "--output-format", "stream-json", "--input-format", "stream-json"]);
  const seen: string[] = [];
  let rest = "";
  const say = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line);
      seen.push(event.type);
      if (event.type === "permission.requested") say({ type: "permission", id: event.id, allow: true });
      if (event.type === "plan.submitted") {
        const verdict = { type: "verdict", id: event.id, hash: event.hash };
        say(
          event.text === "# One"
            ? { ...verdict, kind: "revise", feedback: "More." }
            : { ...verdict, kind: "approve", mode: "acceptEdits" },
        );
      }
      if (event.type === "message" && event.text === "Done.") child.stdin.end();
    }
  });
  say({ type: "user", text: "add b" });
  const { code } = await new Promise<{ code: number | null }>((resolve) =>
    child.on("close", (code) => resolve({ code })),
  );
  expect(code).toBe(0);
  expect(seen.filter((type) => type.startsWith("plan."))).toEqual(
    expect.arrayContaining(["plan.entered", "plan.submitted", "plan.rejected", "plan.approved"]),
  );
  expect(readFileSync(join(stage.repository, "b.ts"), "utf8")).toBe("b");
});

test("--max-turns ends the run with exit code 4", async () => {
  const stage = await stageWith(() => ({ calls: [{ tool: "Read", input: { file_path: "a.ts" } }] }));
  const { code, stdout } = await stage.run(["-p", "loop", "--max-turns", "3", "--output-format", "json"]);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ status: "limit", usage: { requests: 3 } });
});

test("a wrong key, an unknown model and a wrong option say what to do", async () => {
  const stage = await stageWith(() => ({ refusal: "wrong-key" }));
  const refused = await stage.run(["-p", "hi"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("ANTHROPIC_API_KEY");
  expect((await stage.run(["-p", "hi", "--model", "nonsense"])).code).toBe(2);
  expect((await stage.run(["-p", "hi", "--frobnicate"])).stderr).toContain("--help");
  expect((await stage.run(["-p"], { stdin: "" })).code).toBe(2);
});

test("a busy server is asked again, visibly; a conversation that no longer fits is said", async () => {
  const stage = await stageWith((_, turn) =>
    turn === 1
      ? { refusal: "overloaded", headers: { "retry-after": "0" } }
      : turn === 2
        ? { text: "There." }
        : { refusal: "context-full" },
  );
  const { stdout, stderr, code } = await stage.run(["-p", "hi", "--output-format", "stream-json"]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(events.filter(({ type }) => type === "retry")).toMatchObject([{ attempt: 2, error: { code: "overloaded" } }]);
  expect(stderr).toContain("Trying again in 0 s (attempt 2).");
  expect(events.at(-1).notices).toMatchObject([{ key: "retry", text: expect.stringContaining("(attempt 2).") }]);
  const full = await stage.run(["-p", "again", "--continue"]);
  expect(full.code).toBe(1);
  expect(full.stderr).toMatch(/fit|context/);
});

test("an interrupt ends the run with exit code 130 and a log that loads", async () => {
  const stage = await stageWith((_, turn) => (turn === 1 ? { hang: true } : { text: "Again." }));
  const child = stage.start(["-p", "hang", "--output-format", "json"]);
  const ending = finish(child, "");
  await until("the model is asked", () => stage.server.requests.length > 0);
  child.kill("SIGINT");
  const { code, stdout } = await ending;
  expect(code).toBe(130);
  const { sessionId, status } = JSON.parse(stdout);
  expect(status).toBe("interrupted");
  expect(await stage.run(["-p", "x", "--resume", sessionId])).toMatchObject({ code: 0, stdout: "Again.\n" });
});

test("works in a path with spaces and Unicode, in an empty folder, without git, with a closed stdin", async () => {
  const stage = await stageWith(() => ({ text: "Here." }), { name: "my répo ✓", files: {}, git: false });
  expect(await stage.run(["-p", "hi", "--permission-mode", "plan"])).toMatchObject({ code: 0, stdout: "Here.\n" });
});

test("a home that cannot be written is told, and nothing is run", async () => {
  const stage = await stageWith(() => ({ text: "never" }));
  writeFileSync(join(stage.repository, "..", "file"), "");
  const environment = { GROUNDPLAN_HOME: join(stage.repository, "..", "file", "home") };
  const { code, stderr } = await stage.run(["-p", "hi"], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain("GROUNDPLAN_HOME");
  expect(stage.server.requests).toHaveLength(0);
});

test("R14.7 logs and plans are for their owner alone", async () => {
  const stage = await stageWith(planner(plan));
  const { stdout } = await stage.run(["-p", "add b", "--permission-mode", "plan", "--output-format", "json"]);
  const { plan: written } = JSON.parse(stdout);
  expect(statSync(written.path).mode & 0o777).toBe(0o600);
  expect(statSync(join(stage.home, "sessions")).mode & 0o077).toBe(0);
});
