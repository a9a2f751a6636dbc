/** What nobody could be asked about, and commands that were not carried out: said as it was, and nothing is lost by it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { finish, stageWith, type StageOptions } from "./program.ts";

const json = ["--output-format", "json"];
const driven = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
const write: ScriptedTurn = { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "b\n" } }] };
const make: ScriptedTurn = { calls: [{ tool: "Bash", input: { command: "mkdir -p out" } }] };

function turns(...all: readonly ScriptedTurn[]): StageOptions["script"] {
  return (_request, number) => all[Math.min(number, all.length) - 1]!;
}

function lines(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("R7.11 a denied command alone is no failure: the answer is printed, the denial told", async () => {
  const stage = await stageWith(turns(make, { text: "It works like this." }));
  const ran = await stage.run(["-p", "how does it work?"]);
  expect(ran).toMatchObject({ code: 0, stdout: "It works like this.\n" });
  expect(ran.stderr).toMatch(/^groundplan: Denied, as nobody could be asked:\n {2}Bash: Not run: /);
  expect(existsSync(join(stage.repository, "out"))).toBe(false);
});

test("R7.11 where every edit was denied the model's words are on stdout, and the denials behind them", async () => {
  const stage = await stageWith(turns(write, { text: "I could not write b.ts." }));
  const ran = await stage.run(["-p", "add b"]);
  expect(ran).toMatchObject({ code: 1, stdout: "I could not write b.ts.\n" });
  expect(ran.stderr).toMatch(/^groundplan: Every edit was denied; nothing was changed:\n {2}Write: Not run: /);
});

test("R7.11 a rule's denial is an answer, not a failure", async () => {
  const stage = await stageWith(turns(write, { text: "It is forbidden." }));
  const settings = JSON.stringify({ permissions: { deny: ["Edit", "Write"] } });
  const { code, stdout } = await stage.run(["-p", "add b", "--settings", settings, ...json]);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    status: "done",
    result: "It is forbidden.",
    denials: [{ tool: "Write", code: "rule" }],
  });
});

test("R7.11 an agent's denied edit does not make the run fail", async () => {
  const input = { description: "write", prompt: "Write b.ts.", subagent_type: "general-purpose" };
  const stage = await stageWith(({ body }) => {
    const isAgent = JSON.stringify(body["system"]).includes("You are an agent that another agent sent");
    const [first, last] = isAgent ? [write, "Denied."] : [{ calls: [{ tool: "Agent", input }] }, "The answer."];
    return JSON.stringify(body).includes('"tool_result"') ? { text: last } : first;
  });
  const { code, stdout } = await stage.run(["-p", "ask an agent", ...json]);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    status: "done",
    result: "The answer.",
    denials: [{ tool: "Write", code: "nobody" }],
  });
});

test("R7.11 what the person declines is no failure", async () => {
  const stage = await stageWith(turns(write, { text: "As you like." }));
  const child = stage.start(driven);
  let out = "";
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    const id = /"type":"permission.requested","id":"([^"]+)"/.exec(out)?.[1];
    if (id === undefined || child.stdin.writableEnded) return;
    child.stdin.end(`${JSON.stringify({ type: "permission", id, allow: false })}\n`);
  });
  child.stdin.write(`${JSON.stringify({ type: "user", text: "add b" })}\n`);
  expect(await ended).toBe(0);
  expect(lines(out).at(-1)).toMatchObject({ status: "done", result: "As you like.", denials: [{ code: "declined" }] });
});

test("R4.1 a command that was not carried out says so: nothing to summarise", async () => {
  const stage = await stageWith(turns({ text: "Hello." }));
  const empty = await stage.run(["-p", "/compact"]);
  expect(empty).toMatchObject({ code: 2, stdout: "" });
  expect(empty.stderr).toContain("/compact is refused here. There is nothing to summarise yet.");
  expect(await stage.run(["-p", "hello"])).toMatchObject({ code: 0 });
  expect(await stage.run(["-p", "--continue", "/compact"])).toMatchObject({
    code: 0,
    stdout: "The conversation was summarised.\n",
  });
});

test("R4.1 a driven /clear while the model is at work is refused", async () => {
  const stage = await stageWith(turns({ hang: true }));
  const child = stage.start(driven);
  const told = [{ type: "user", text: "hello" }, { type: "user", text: "/clear" }, { type: "interrupt" }];
  const { stdout } = await finish(child, told.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const events = lines(stdout);
  expect(events).toContainEqual({
    type: "refused",
    event: "user",
    reason: "/clear is refused here. The model is at work; nothing was changed.",
  });
  expect(events.filter(({ type }) => type === "command.answered")).toEqual([]);
});

test("--continue passes over sessions in which nobody said anything", async () => {
  const stage = await stageWith(turns({ text: "Hello." }));
  await stage.run(["-p", "/cost"]);
  const none = await stage.run(["-p", "--continue", "go on"]);
  expect(none).toMatchObject({ code: 1, stdout: "" });
  expect(none.stderr).toContain("There is no session in this project to go on with.");
  const { sessionId } = JSON.parse((await stage.run(["-p", "hello", ...json])).stdout);
  await stage.run(["-p", "/cost"]);
  const again = JSON.parse((await stage.run(["-p", "--continue", "go on", ...json])).stdout);
  expect(again.sessionId).toBe(sessionId);
});

test("a session that there is not is named, also without a prompt; an empty id is none", async () => {
  const stage = await stageWith(turns({ text: "Hello." }));
  const { sessionId } = JSON.parse((await stage.run(["-p", "hello", ...json])).stdout);
  const unknown = await stage.run(["-p", "--resume", "hi"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("There is no session hi in this project");
  for (const id of ["", " "]) {
    const refused = await stage.run(["sessions", "rm", id]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("The id of a session is missing");
  }
  expect((await stage.run(["sessions", "show", sessionId])).code).toBe(0);
});

test("a run without a terminal names no keys", async () => {
  const stage = await stageWith(turns({ text: "Which database?" }));
  const { stderr, stdout } = await stage.run(["-p", "plan it", "--permission-mode", "plan", ...json]);
  expect(stderr).toContain("still in plan mode · go on with words, or leave with /plan off");
  expect(`${stderr}${stdout}`).not.toContain("shift+tab");
});

test.each([".vscode/tasks.json", ".husky/pre-commit", ".claude/settings.json"])(
  "R17.1 acceptEdits does not write %s unasked: others run code by it",
  async (file_path) => {
    const edit = { calls: [{ tool: "Write", input: { file_path, content: "x\n" } }] };
    const stage = await stageWith(turns(edit, { text: "Denied." }, edit, { text: "Denied." }));
    const rule = JSON.stringify({ permissions: { allow: ["Edit", "Write"] } });
    for (const more of [[], ["--settings", rule]]) {
      const { stdout } = await stage.run(["-p", "go", "--permission-mode", "acceptEdits", ...more, ...json]);
      expect(JSON.parse(stdout)).toMatchObject({ denials: [{ tool: "Write", code: "nobody" }], changed: [] });
    }
    expect(existsSync(join(stage.repository, file_path))).toBe(false);
  },
);
