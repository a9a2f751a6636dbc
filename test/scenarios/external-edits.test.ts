/** Changes made outside: the model is told the difference once, before its next turn (B3.5). */
import { expect, test } from "vitest";
import type { ModelRequest } from "../../src/agent/ports/model.ts";
import { memoryFiles, scriptedModel, scriptedPerson, startHarness, approveShown } from "../../src/testing/index.ts";

const path = "/repo/a.ts";
const read = { tool: "Read", input: { file_path: path } };
const edit = (from: string, to: string) => ({
  tool: "Edit",
  input: { file_path: path, old_string: from, new_string: to },
});
const planFileIn = (request: ModelRequest): string =>
  /\/home\/ada\/\.groundplan\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.messages))![0];
const write = (content: string) => (request: ModelRequest) => ({
  tool: "Write",
  input: { file_path: planFileIn(request), content },
});
const timesTold = (request: ModelRequest | undefined): number =>
  JSON.stringify(request?.messages).split("was changed by the user or another program").length - 1;

test("B3.5 a file already read and changed outside is told with its difference, once; an edit then needs no second read", async () => {
  const files = memoryFiles({ [path]: "one\ntwo\n" });
  const model = scriptedModel(read, "Read.", "Seen.", edit("TWO", "three"), "Edited.");
  const { say, session, log } = await startHarness({ model, files, mode: "acceptEdits" });
  await say("read");
  await files.writeText(path, "one\nTWO\n");
  await say("what now?");
  await say("and edit");
  expect(JSON.stringify(model.requests[2]!.messages)).toContain("@@ line 2 @@\\n one\\n-two\\n+TWO");
  expect(model.requests.map(timesTold)).toEqual([0, 0, 1, 1, 1]);
  expect(files.contents.get(path)).toBe("one\nthree\n");
  const again = await startHarness({ model: scriptedModel("Still."), files, past: log });
  await again.say("more");
  expect(session.state.turn.requests).toBe(5);
  expect(again.log.filter(({ type }) => type === "files-edited")).toHaveLength(1);
});

test("B3.5 a file that was only touched, or is what it was again, says nothing", async () => {
  const files = memoryFiles({ [path]: "one\n" });
  const model = scriptedModel(read, "Read.", "Nothing new.");
  const { say } = await startHarness({ model, files });
  await say("read");
  await files.writeText(path, "two\n");
  await files.writeText(path, "one\n");
  await say("and?");
  expect(model.requests.map(timesTold)).toEqual([0, 0, 0]);
});

test("B3.5 a change that is too long is told without the difference, and must be read before an edit", async () => {
  const files = memoryFiles({ [path]: "one\n" });
  const model = scriptedModel(read, "Read.", edit("y", "z"), "Refused.", "Quiet.");
  const { say } = await startHarness({ model, files, mode: "acceptEdits" });
  await say("read");
  await files.writeText(path, `${"x\n".repeat(5_000)}y\n`);
  await say("edit");
  await say("again");
  expect(JSON.stringify(model.requests[2]!.messages)).toContain("read the file again before you rely on it");
  expect(model.requests.map(timesTold)).toEqual([0, 0, 1, 1, 1]);
  expect(files.contents.get(path)!.endsWith("y\n")).toBe(true);
});

test("B3.5 R14.4 the plan edited in another editor: the model hears the difference, the ledger gets a revision", async () => {
  const model = scriptedModel(write("# Plan\n1. do it\n"), "Written.", "I see.");
  const { say, session, files } = await startHarness({ model, mode: "plan" });
  await say("plan");
  const file = session.state.plan.file!;
  await files.writeText(file, "# Plan\n1. do it well\n");
  await say("look");
  expect(JSON.stringify(model.requests[2]!.messages)).toContain("-1. do it\\n+1. do it well");
  expect(session.state.plan.text).toBe("# Plan\n1. do it well\n");
  expect(session.state.plans[0]!.revisions.at(-1)).toMatchObject({ by: "person" });
});

test("B3.5 B5.1 a plan edited in the review itself is told with the approval, not again as a change from outside", async () => {
  const model = scriptedModel(write("# Plan"), { tool: "ExitPlanMode" }, "Started.", "More.");
  const person = scriptedPerson({ reviews: [approveShown({ plan: "# Plan, better" })] });
  const { say } = await startHarness({ model, person, mode: "plan" });
  await say("plan");
  await say("go on");
  expect(model.requests.map(timesTold)).toEqual([0, 0, 0, 0]);
});

test("B3.5 what a deny rule hides is not told, even when it was read before", async () => {
  const files = memoryFiles({ [path]: "one\n" });
  const model = scriptedModel(read, "Read.", "Quiet.");
  const { say, session } = await startHarness({ model, files });
  await say("read");
  await session.send({ type: "rules-changed", rules: { allow: [], ask: [], deny: ["Read(a.ts)"] } });
  await files.writeText(path, "hunter2\n");
  await say("and?");
  expect(JSON.stringify(model.requests)).not.toContain("hunter2");
});
