/** What the person and the model are told besides the plan itself. */
import { expect, test } from "vitest";
import type { Happening } from "../../src/agent/ports/handle.ts";
import { noticeText } from "../../src/core/reminders/notice.ts";
import { pendingReview } from "../../src/core/selectors.ts";
import { scriptedModel, scriptedPerson, startHarness } from "../../src/testing/index.ts";
import { writePlan } from "./plan-writer.ts";

const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 };
const read = { calls: [{ tool: "Read", input: { file_path: "/repo/README.md" } }], usage };

function noticesOf(happenings: readonly Happening[]): readonly string[] {
  return happenings.flatMap((happening) =>
    happening.kind === "event"
      ? happening.effects.flatMap((effect) => (effect.type === "notify" ? [noticeText(effect.notice).text] : []))
      : [],
  );
}

test("B7.3 tokens of planning are counted, and a spent budget is told to model and person, once", async () => {
  const model = scriptedModel(read, read, read, "Enough.");
  const { session, say } = await startHarness({ model, mode: "plan", settings: { maxPlanningTokens: 1500 } });
  const heard: Happening[] = [];
  session.subscribe((happening) => heard.push(happening));
  await say("look");
  expect(session.state.usage.planning).toMatchObject({ inputTokens: 2700, requests: 4 });
  expect(noticesOf(heard).filter((text) => text.includes("1500"))).toEqual([
    "planning has used 2000 tokens of 1500 · the model was told to finish the plan",
  ]);
  const told = model.requests.map(({ messages }) => JSON.stringify(messages).split("2000 tokens").length - 1);
  expect(told).toEqual([0, 0, 1, 1]);
});

test("R15.5 a mode that cannot be had leaves the old one, and the person is told", async () => {
  const { session } = await startHarness({ model: scriptedModel() });
  const heard: Happening[] = [];
  session.subscribe((happening) => heard.push(happening));
  await session.send({ type: "mode-chosen", mode: "bypassPermissions" });
  expect(session.state.permissions.mode).toEqual({ current: "default" });
  expect(noticesOf(heard)).toEqual([
    "mode stays as it is · bypassPermissions: only where the start allowed it, by --allow-dangerously-skip-permissions",
  ]);
});

test("R14.4 every write of the plan leaves a snapshot in the log", async () => {
  const { log, say } = await startHarness({
    model: scriptedModel(writePlan("# One"), writePlan("# Two"), "Done."),
    mode: "plan",
  });
  await say("plan");
  expect(log.flatMap((event) => (event.type === "plan-saved" ? [event.text] : []))).toEqual(["# One", "# Two"]);
});

test("B4.3 a plain question in plan mode gets a plain answer, and a one-line hint instead of a loop", async () => {
  const model = scriptedModel("It adds numbers.");
  const { session, say } = await startHarness({ model, mode: "plan" });
  const heard: Happening[] = [];
  session.subscribe((happening) => heard.push(happening));
  await say("What does a.ts do?");
  expect(model.requests).toHaveLength(1);
  expect(noticesOf(heard)).toEqual(["still in plan mode · answer, or leave with shift+tab or /plan off"]);
  expect(session.state.plan.text).toBeNull();
});

function broken(): never {
  throw new Error("the window is gone");
}

test("B8.5 a surface that breaks answers nothing: the edit is denied, the plan stays unapproved, and the session goes on", async () => {
  const model = scriptedModel(
    { tool: "Write", input: { file_path: "/repo/app.ts", content: "unasked" } },
    "Not written.",
    writePlan("# Plan\n1. do it"),
    { tool: "ExitPlanMode" },
  );
  const person = scriptedPerson({ permit: broken, reviews: [broken] });
  const { session, files, say } = await startHarness({ model, person });
  await say("write it");
  await session.send({ type: "mode-chosen", mode: "plan" });
  await say("plan it");
  expect(files.contents.has("/repo/app.ts")).toBe(false);
  expect([session.state.permissions.mode.current, pendingReview(session.state)?.plan]).toEqual([
    "plan",
    "# Plan\n1. do it",
  ]);
});
