/** A full disk, several processes at one session: an error that says so, and nothing is lost. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { finish, planFileIn, program, stageWith, type Ran, type Stage, type StageOptions } from "./program.ts";

const plan = `# Long\n\n${"1. A step with a good many words in it\n".repeat(250)}`;

const planner: StageOptions["script"] = (request) => {
  const body = JSON.stringify(request.body);
  const file_path = planFileIn(body);
  const calls = body.split('"tool_use"').length - 1;
  if (calls === 0) return { calls: [{ tool: "Write", input: { file_path, content: plan } }] };
  return calls === 1 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "Done." };
};

/** The program below a line of shell. */
function below(stage: Stage, line: string, args: readonly string[]): Promise<Ran> {
  const child = spawn("bash", ["-c", line, "bash", process.execPath, program, ...args], {
    cwd: stage.repository,
    env: { PATH: process.env["PATH"], HOME: stage.home, GROUNDPLAN_HOME: stage.home, ...stage.server.environment() },
  });
  return finish(child, "");
}

test.skipIf(!existsSync("/dev/full"))(
  "R14.5 a plan that could not be written out is an error that says so",
  async () => {
    for (const format of ["text", "json", "stream-json"]) {
      const stage = await stageWith(planner);
      const args = ["-p", "plan it", "--permission-mode", "plan", "--output-format", format];
      const full = await below(stage, 'exec "$@" >/dev/full', args);
      expect(full.code).toBe(1);
      expect(full.stderr).toMatch(
        /the output cannot be written: ENOSPC.* The session is kept: groundplan --resume \S+/,
      );
    }
  },
);

test.skipIf(!existsSync("/dev/full"))("help that could not be written out is an error in words", async () => {
  const stage = await stageWith(planner);
  for (const words of [["--help"], ["--version"], ["check", "--help"], ["team", "--help"], ["review", "-h"]]) {
    const { code, stderr } = await below(stage, 'exec "$@" >/dev/full', words);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "groundplan: the output cannot be written: ENOSPC: no space left on device, write\n",
    });
  }
});

test.skipIf(!existsSync("/proc/self"))("a home that cannot be made is said in a line", async () => {
  const stage = await stageWith(planner);
  const environment = { GROUNDPLAN_HOME: "/proc/nowhere", TMPDIR: "/proc/nowhere" };
  for (const words of [
    ["team", "inbox"],
    ["team", "start", "ann", "task", "--plan-required"],
    ["-p", "hi"],
  ]) {
    const { code, stderr } = await stage.run(words, { environment });
    expect({
      words,
      code,
      lines: stderr
        .trimEnd()
        .split("\n")
        .filter((line) => !line.startsWith("groundplan: ")),
    }).toEqual({ words, code: 1, lines: [] });
    expect(stderr).toContain("/proc/nowhere");
  }
});

test("R14.5 a disk that is full at any moment is an error that says so; a plan that is said to be ready can be approved", async () => {
  const codes = new Set<number | null>();
  for (const blocks of [4, 16, 24, 32, 48, 400]) {
    const stage = await stageWith(planner);
    const args = ["-p", "plan it", "--permission-mode", "plan", "--output-format", "json"];
    const ran = await below(stage, `ulimit -f ${blocks}; exec "$@"`, args);
    codes.add(ran.code);
    if (ran.code === 1) {
      expect(`${ran.stdout}${ran.stderr}`).toMatch(/cannot be (written|kept|made)|EFBIG|file too large/i);
      continue;
    }
    const result = JSON.parse(ran.stdout);
    expect({ blocks, code: ran.code, status: result.status }).toEqual({ blocks, code: 3, status: "plan_ready" });
    expect(readFileSync(result.plan.path, "utf8")).toBe(plan);
    const approved = await stage.run(["-p", "--resume", result.sessionId, "--approve", result.plan.hash]);
    expect(approved).toMatchObject({ code: 0, stdout: "Done.\n" });
  }
  expect(codes).toEqual(new Set([1, 3]));
});

test("R14.5 several processes at one session: one goes on, the others say who has it, and every word is in the log", async () => {
  const stage = await stageWith(() => ({ text: "Heard." }));
  const first = JSON.parse((await stage.run(["-p", "begin", "--output-format", "json"])).stdout);
  const words = Array.from({ length: 6 }, (_, at) => `word ${at}`);
  const all = await Promise.all(
    words.map(async (word) => ({ word, ...(await stage.run(["-p", "--resume", first.sessionId, word])) })),
  );
  const heard = all.filter(({ code }) => code === 0).map(({ word }) => word);
  expect(heard.length).toBeGreaterThan(0);
  for (const { code, stderr } of all.filter((one) => one.code !== 0)) {
    expect(code).toBe(1);
    expect(stderr).toMatch(/is open in |was changed by another process/);
  }
  await stage.run(["-p", "--resume", first.sessionId, "last"]);
  const body = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(words.filter((word) => body.includes(word)).toSorted()).toEqual(heard.toSorted());
  expect(await stage.run(["sessions", "show", first.sessionId])).toMatchObject({ code: 0, stderr: "" });
});
