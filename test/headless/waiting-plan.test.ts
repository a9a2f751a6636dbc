/** A session whose plan waits is resumed without a terminal: what is said reaches the model, or the run says why not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { hash, waiting } from "./waiting.ts";

const json = ["--output-format", "json"];
const write: ScriptedTurn = { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "b\n" } }] };

const spoken = [
  ["resumed, words on stdin", (id: string) => ["--resume", id], "where is a?"],
  ["continued", () => ["where is a?", "--continue"], ""],
] as const;
const modes = [[], ["--permission-mode", "acceptEdits"], ["--permission-mode", "default"]] as const;

test.each(spoken)(
  "R7.11 B4.1 words to a plan that waits reach the model, whatever the mode becomes: %s",
  async (...of) => {
    const [, args, stdin] = of;
    for (const mode of modes) {
      const stage = await waiting({ text: "In a.ts." });
      const { code, stdout, heard } = await stage.goOn([...args(stage.sessionId), ...mode], stdin);
      expect([mode, code, stdout]).toEqual([mode, 0, "In a.ts.\n"]);
      expect(heard).toContain("where is a?");
    }
  },
);

test("R7.11 B4.1 /plan with words answers a plan that waits as the words alone do", async () => {
  const stage = await waiting({ text: "Another one." });
  const { code, stdout, stderr, heard } = await stage.goOn(["/plan something else", "--resume", stage.sessionId]);
  expect([code, stdout]).toEqual([0, "Another one.\n"]);
  expect(heard).toContain("something else");
  expect(stderr).toContain("sent back");
});

test("R7.11 B3.3 a plan that words sent back is said to wait no longer, and how it goes on", async () => {
  const stage = await waiting({ text: "Because." });
  const why = await stage.goOn(["why?", "--resume", stage.sessionId]);
  expect(why).toMatchObject({ code: 0, stdout: "Because.\n" });
  expect(why.stderr).toContain("the plan was sent back with these words: it no longer awaits approval.");
  expect(why.stderr).toMatch(/the plan is not submitted again: .*\.md\. To go on: groundplan -p --resume/);
  const other = await waiting({ text: "Because." });
  const { stdout } = await other.goOn(["why?", "--resume", other.sessionId, ...json]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "done",
    plan: { status: "rejected" },
    notices: [{ text: "the plan was sent back with these words: it no longer awaits approval." }, {}],
  });
});

test("R7.11 B2.1 a slash command, and plan mode, do not go with --approve: nothing is approved, nothing said", async () => {
  const stage = await waiting(write, { text: "Done." });
  const approve = ["--resume", stage.sessionId, "--approve", hash];
  for (const command of ["/plan delete everything", "/mode plan", "/plan off", "/cost", "/help", "/todos", "/clear"]) {
    const refused = await stage.goOn([command, ...approve, "--permission-mode", "acceptEdits"]);
    expect(refused).toMatchObject({ code: 2, stdout: "", heard: "[]" });
    expect(refused.stderr).toContain(`${command.split(" ")[0]} does not go with --approve; nothing was approved.`);
  }
  const planning = await stage.goOn([...approve, "--permission-mode", "plan"]);
  expect(planning).toMatchObject({ code: 2, stdout: "", heard: "[]" });
  expect(planning.stderr).toContain("--approve ends plan mode");
  const driven = ["--input-format", "stream-json", "--output-format", "stream-json"];
  const driving = await stage.goOn([...approve, ...driven]);
  expect(driving).toMatchObject({ code: 2, stdout: "", heard: "[]" });
  expect(driving.stderr).toContain("a program that drives approves by a verdict line");
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
  const worked = await stage.goOn(["with a test", ...approve, "--permission-mode", "acceptEdits"]);
  expect(worked).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(worked.heard).toContain("with a test");
});

test("R14.1 a /compact that waits behind a plan is not said to be done", async () => {
  const stage = await waiting();
  const ran = await stage.goOn(["/compact", "--resume", stage.sessionId]);
  expect(ran).toMatchObject({ code: 0, stdout: "The conversation is not summarised yet.\n", heard: "[]" });
  expect(ran.stderr).toContain("/compact was not carried out yet, it is when the session goes on");
});

test("R7.11 words that wait behind a plan when a driven run ends are told, and heard by the next", async () => {
  const stage = await waiting({ text: "Fine." });
  const driven = ["--input-format", "stream-json", "--output-format", "stream-json"];
  const line = JSON.stringify({ type: "user", text: "and c" });
  const ran = await stage.goOn(["--resume", stage.sessionId, ...driven], `${line}\n`);
  expect(ran).toMatchObject({ code: 3, heard: "[]" });
  const told = "not heard by the model yet, kept for when the session goes on: and c";
  expect(ran.stderr).toContain(told);
  expect(JSON.parse(ran.stdout.trimEnd().split("\n").at(-1)!).notices).toContainEqual({ key: "program", text: told });
  expect((await stage.goOn(["why?", "--resume", stage.sessionId])).heard).toContain("and c");
});
