/** A run that carries out an approved plan tells what was denied and what was done, and nothing else. */
import { expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { hash, waiting } from "./waiting.ts";

const json = ["--output-format", "json"];
const writing = (file_path: string): ScriptedTurn => ({
  calls: [{ tool: "Write", input: { file_path, content: "b\n" } }],
});
const write = writing("b.ts");
const done: ScriptedTurn = { text: "All done." };

/** The session lets an agent write, and is done with that. */
const byAgent =
  (write: ScriptedTurn) =>
  ({ body }: LoopbackRequest): ScriptedTurn => {
    const input = { description: "write", prompt: "Write it.", subagent_type: "general-purpose" };
    const isAgent = JSON.stringify(body["system"]).includes("You are an agent that another agent sent");
    const isAnswered = JSON.stringify((body["messages"] as unknown[]).at(-1)).includes("tool_result");
    if (isAgent) return isAnswered ? { text: "That was it." } : write;
    return JSON.stringify(body).includes('"name":"Agent","input"') ? done : { calls: [{ tool: "Agent", input }] };
  };

test("R7.11 R17.1 after an approval, edits that a rule denied are a failure with the denials, told on stderr", async () => {
  const deny = ["--settings", JSON.stringify({ permissions: { deny: ["Edit", "Write"] } })];
  const stage = await waiting(write, done);
  const approve = ["--resume", stage.sessionId, "--approve", hash, "--permission-mode", "acceptEdits"];
  const ran = await stage.goOn([...approve, ...deny]);
  expect(ran).toMatchObject({ code: 1, stdout: "All done.\n" });
  expect(ran.stderr).toMatch(/^groundplan: Every edit was denied; nothing was changed:\n {2}Write: .*\n$/);
});

test("R7.11 R10.3 after an approval, edits of an agent that nobody could be asked about are a failure, too", async () => {
  const stage = await waiting(byAgent(write));
  const approve = ["--resume", stage.sessionId, "--approve", hash, "--permission-mode", "default"];
  const { code, stdout } = await stage.goOn([...approve, ...json]);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    status: "failed",
    result: expect.stringMatching(/^All done\.\n\nEvery edit was denied; nothing was changed:\n {2}Write: /),
    denials: [{ tool: "Write", code: "nobody" }],
  });
});

test("R7.11 R11.1 what auto mode's side model denies is told on stderr", async () => {
  const auto = ["--settings", '{"autoMode":{"enabled":true}}', "--permission-mode", "auto"];
  let hasRun = false;
  const stage = await waiting(({ body }) => {
    if (JSON.stringify(body).includes("You judge one tool call"))
      return { text: '{"verdict":"deny","reason":"not part of the task"}' };
    if (hasRun) return done;
    hasRun = true;
    return { calls: [{ tool: "Bash", input: { command: "sh x.sh" } }] };
  });
  const ran = await stage.goOn(["--resume", stage.sessionId, "--approve", hash, ...auto]);
  expect(ran).toMatchObject({ code: 0, stdout: "All done.\n" });
  expect(ran.stderr).toMatch(/Denied:\n {2}Bash: .*not part of the task/);
});

test("B6.2 of an edit outside of the plan that failed it is not said that it was made", async () => {
  const edit = { tool: "Edit", input: { file_path: "a.ts", old_string: "1", new_string: "2" } };
  const read = { tool: "Read", input: { file_path: "a.ts" } };
  const approve = ["--approve", hash, "--permission-mode", "acceptEdits"];
  const failing = await waiting({ calls: [edit] }, done);
  const failed = await failing.goOn(["--resume", failing.sessionId, ...approve]);
  expect(failed).toMatchObject({ code: 0, stderr: "" });
  const working = await waiting({ calls: [read] }, { calls: [edit] }, done);
  const { stderr } = await working.goOn(["--resume", working.sessionId, ...approve]);
  expect(stderr).toMatch(/the plan does not name .*a\.ts · it was edited all the same/);
});

test("B6.2 an agent's edit outside of the plan is told, too", async () => {
  const stage = await waiting(byAgent(writing("c.ts")));
  const approve = ["--resume", stage.sessionId, "--approve", hash, "--permission-mode", "acceptEdits"];
  const { code, stderr } = await stage.goOn(approve);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/the plan does not name .*c\.ts · it was edited all the same/),
  ]);
});
