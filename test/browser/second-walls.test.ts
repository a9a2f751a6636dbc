/** Walls that stand behind another one: each holds alone, so that none is ever the only one by accident. */
import { afterEach, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { looseDesk, type WaitingDesk } from "../../src/faces/browser/loose-file.ts";
import { memoryFiles, scriptedModel } from "../../src/testing/index.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { besiege } from "./siege.ts";
import { setStage, until, type Stage } from "./stage.ts";

const file = "/repo/plan.md";
const text = "# Plan\n- one\n";
const approve = { requestId: "file-1", hash: hashText(text), kind: "approve" } as const;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function desk(isApproved = false) {
  const files = memoryFiles({ [file]: text });
  const options = { file, files, user: "ada", home: "/home/ada", project: "/repo", isApproved };
  const opened = (await looseDesk(options)) as WaitingDesk;
  ends.push(() => opened.close());
  return { files, ...opened };
}

test("B3.6 without the cookie nothing of the page is served, not even its scripts", async () => {
  const siege = await besiege();
  ends.push(siege.stage.close);
  const own = { "sec-fetch-site": "same-origin" };
  for (const route of ["assets/page-1.js", "api/state", "api/events"])
    expect((await siege.ask(route, { headers: own })).status).toBe(401);
  expect((await siege.page.send("assets/page-1.js")).status).toBe(200);
});

test("B2.1 a loose file: the right request with another hash approves nothing", async () => {
  const { decide, state } = await desk();
  expect(await decide({ ...approve, hash: hashText("# Another\n") }, null)).toBe("stale");
  expect((await state(null)).answered).toBe(null);
});

test.each([
  ["is gone", null],
  ["is empty", " \n"],
])("B2.1 B2.3 a loose file that %s by now is not approved", async (_, now) => {
  const { decide, state, files } = await desk();
  if (now === null) files.contents.delete(file);
  else await files.writeText(file, now);
  expect(await decide(approve, null)).toBe("stale");
  expect((await state(null)).answered).toBe(null);
});

test("B2.6 of two answers to a loose file at once one counts", async () => {
  const { decide, decided } = await desk();
  const other = { ...approve, kind: "abandon" } as const;
  expect(await Promise.all([decide(approve, "one"), decide(other, "two")])).toEqual([null, "answered"]);
  expect(await decided).toMatchObject({ kind: "approve" });
});

test("B5.1 a file that was approved in a session which is gone is not changed by an edit", async () => {
  const { decide, files } = await desk(true);
  expect(await decide({ ...approve, plan: "# Other\n" }, null)).toBe("closed");
  expect(files.contents.get(file)).toBe(text);
  expect(await decide(approve, null)).toBe(null);
});

test("B2.6 of two pages that answer at once one is told that it counted, the other that it did not", async () => {
  const stage: Stage = await setStage({
    model: scriptedModel(writePlan(text), { tool: "ExitPlanMode" }),
    mode: "plan",
  });
  ends.push(stage.close);
  const page = await stage.page();
  void stage.harness.say("plan it");
  const { request, hash } = await until("it is shown", async () => {
    const state = await page.state();
    return state.request === null ? null : state;
  });
  const body = { requestId: request!.id, hash, kind: "approve", mode: "default" };
  const replies = await Promise.all([page.post("verdict", body, "one"), page.post("verdict", body, "two")]);
  expect(replies.map(({ status, value }) => [status, "state" in value && value.state.answered?.here])).toEqual([
    [200, true],
    [409, false],
  ]);
});

test("B2.1 on a live session the right request with another hash answers nothing, whatever the kind", async () => {
  const siege = await besiege();
  ends.push(siege.stage.close);
  for (const kind of ["approve", "revise", "save", "abandon"]) {
    const body = { requestId: siege.state.request!.id, hash: "0".repeat(64), kind };
    expect(await siege.page.post("verdict", body)).toMatchObject({ status: 409, value: { reason: "stale" } });
  }
  await siege.unharmed();
});

test("B2.1 text that no file can hold as it was sent is refused", async () => {
  const siege = await besiege();
  ends.push(siege.stage.close);
  const body = { ...(JSON.parse(siege.approval) as object), plan: "# Half of a letter \ud800\n" };
  expect(await siege.page.post("verdict", body)).toMatchObject({ status: 400, value: { problem: "malformed" } });
  await siege.unharmed();
});
