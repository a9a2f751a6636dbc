/** The main story: explore, write a plan, be sent back, be approved, work. */
import { expect, test } from "vitest";
import { items } from "../../src/core/chain.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import { approveShown, scriptedModel, scriptedPerson, startHarness } from "../../src/testing/index.ts";
import { planFileIn, writePlan } from "./plan-writer.ts";

test("R2.1 R7.4 R7.9 B3.3 a plan is written, sent back once, approved, and the chosen mode begins", async () => {
  const model = scriptedModel(
    { tool: "Write", input: { file_path: "/repo/app.ts", content: "too early" } },
    writePlan("# Plan\n1. do it"),
    { tool: "ExitPlanMode" },
    writePlan("# Plan\n1. do it\n2. test it"),
    { tool: "ExitPlanMode" },
    { tool: "Write", input: { file_path: "/repo/app.ts", content: "in time" } },
    "Finished.",
  );
  const person = scriptedPerson({
    reviews: [{ kind: "revise", feedback: "Add a test." }, approveShown({ mode: "acceptEdits" })],
  });
  const { session, files, log, say } = await startHarness({ model, person });
  await session.send({ type: "mode-chosen", mode: "plan" });
  await say("Refactor auth");

  expect(files.contents.get("/repo/app.ts")).toBe("in time");
  expect(session.state.permissions.mode).toEqual({ current: "acceptEdits" });
  expect(person.reviewed.map(({ plan, revision, previous }) => ({ plan, revision, previous }))).toEqual([
    { plan: "# Plan\n1. do it", revision: 1, previous: null },
    { plan: "# Plan\n1. do it\n2. test it", revision: 2, previous: "# Plan\n1. do it" },
  ]);
  const outcomes = items(session.state.transcript).flatMap((entry) =>
    entry.kind === "result" ? [entry.outcome.kind] : [],
  );
  expect(outcomes).toEqual(["denied", "ran", "revise", "ran", "approved", "ran"]);
  expect(JSON.stringify(model.requests[3]!.messages)).toContain("Add a test.");
  expect(JSON.stringify(model.requests[5]!.messages)).toContain("## Approved Plan:\\n# Plan\\n1. do it\\n2. test it");
  expect(replay(freshSession(), log)).toEqual(session.state);
});

test("B7.1 R5.4 system, tools and earlier messages are the same bytes in every request, through entering and leaving", async () => {
  const model = scriptedModel("Hello.", writePlan("# Plan"), { tool: "ExitPlanMode" }, "Done.", "More.");
  const person = scriptedPerson({ reviews: [approveShown()] });
  const { session, say } = await startHarness({ model, person });
  await say("hi");
  await session.send({ type: "mode-chosen", mode: "plan" });
  await say("plan it");
  await say("go on");
  expect(model.requests).toHaveLength(5);
  for (const [index, request] of model.requests.entries()) {
    const next = model.requests[index + 1];
    if (next === undefined) break;
    expect(next.system).toBe(request.system);
    expect(JSON.stringify(next.tools)).toBe(JSON.stringify(request.tools));
    const before = JSON.stringify(request.messages).slice(0, -1);
    const open = before.replace(/\]\}$/, "");
    expect(JSON.stringify(next.messages).startsWith(open)).toBe(true);
  }
});

test("B7.2 the very first request in plan mode carries the full reminder", async () => {
  const model = scriptedModel("I see.");
  const { say } = await startHarness({ model, mode: "plan" });
  await say("look around");
  expect(JSON.stringify(model.requests[0]!.messages)).toContain("<system-reminder>");
  expect(JSON.stringify(model.requests[0]!.messages)).toContain(planFileIn(model.requests[0]!));
  const { system, tools } = model.requests[0]!;
  expect(Buffer.byteLength(system + JSON.stringify(tools))).toBeLessThanOrEqual(14 * 1024);
});

test("R1.3 R8.5 entering and leaving before the model speaks leaves no contradictory reminders", async () => {
  const { session, say } = await startHarness({ model: scriptedModel("Hello.") });
  await session.send({ type: "mode-chosen", mode: "plan" });
  await session.send({ type: "mode-chosen", mode: "default" });
  await say("hi");
  expect(items(session.state.transcript).map(({ kind }) => kind)).toEqual(["user", "assistant"]);
});

test("R7.11 B2.2 where nobody can review, the plan stays pending and nothing is approved", async () => {
  const model = scriptedModel(writePlan("# Plan"), { tool: "ExitPlanMode" });
  const { session, say } = await startHarness({ model, mode: "plan" });
  await say("plan it");
  expect(session.state.permissions.mode).toEqual({ current: "plan", returnTo: "default" });
  expect(session.state.turn.open.map(({ state }) => state.kind)).toEqual(["reviewing"]);
});

test("B2.1 a plan that changes while it is reviewed is not approved; the new text is shown", async () => {
  const model = scriptedModel(writePlan("# Plan A"), { tool: "ExitPlanMode" }, "Done.");
  const harness = await startHarness({
    model,
    mode: "plan",
    person: scriptedPerson({
      reviews: [
        ({ planFile, hash }) => {
          harness.files.contents.set(planFile, "# Plan B, swapped");
          return { kind: "approve", hash };
        },
        { kind: "dismiss" },
      ],
    }),
  });
  await harness.say("plan it");
  expect(harness.session.state.permissions.mode.current).toBe("plan");
  expect(harness.session.state.plans.map(({ status, decisions }) => ({ status, decisions }))).toMatchObject([
    { status: "submitted", decisions: [{ kind: "dismiss" }] },
  ]);
});

test("R7.7 B3.3 a plan edited in the review is written first, approved by its own hash, and given to the model", async () => {
  const model = scriptedModel(writePlan("# Plan"), { tool: "ExitPlanMode" }, "Done.");
  const person = scriptedPerson({ reviews: [approveShown({ plan: "# Plan, better", notes: "Mind the cache." })] });
  const { session, files, say } = await startHarness({ model, person, mode: "plan" });
  await say("plan it");
  const file = person.reviewed[0]!.planFile;
  expect(files.contents.get(file)).toBe("# Plan, better");
  const told = JSON.stringify(model.requests[2]!.messages);
  expect(told).toContain("## Approved Plan (edited by user):");
  expect(told).toContain("Mind the cache.");
  expect(session.state.plans[0]).toMatchObject({ status: "approved", revisions: [{ by: "model" }, { by: "person" }] });
});

test("B1.9 R5.5 a write asked about before plan mode and answered after it does not happen", async () => {
  const model = scriptedModel({ tool: "Write", input: { file_path: "/repo/a.ts", content: "x" } }, "Fine.");
  const harness = await startHarness({
    model,
    person: scriptedPerson({
      permit: async () => {
        await harness.session.send({ type: "mode-chosen", mode: "plan" });
        return true;
      },
    }),
  });
  await harness.say("write it");
  expect(harness.files.contents.has("/repo/a.ts")).toBe(false);
});

test("B1.9 EnterPlanMode and Write in one turn: the write is judged in plan mode", async () => {
  const write = { tool: "Write", input: { file_path: "/repo/a.ts", content: "x" } };
  const model = scriptedModel({ calls: [write, { tool: "EnterPlanMode" }, write] }, "Planning.");
  const { files, say, session } = await startHarness({
    model,
    mode: "acceptEdits",
    person: scriptedPerson({ permit: () => true }),
  });
  await say("do it");
  expect(session.state.permissions.mode).toEqual({ current: "plan", returnTo: "acceptEdits" });
  expect(files.contents.has("/repo/a.ts")).toBe(false);
});

test("R14.2 R14.6 B2.2 after a crash with the dialog open, the same dialog comes back with the same hash", async () => {
  const model = scriptedModel(writePlan("# Plan"), { tool: "ExitPlanMode" });
  const first = await startHarness({ model, mode: "plan" });
  await first.say("plan it");
  const person = scriptedPerson({ reviews: [approveShown()] });
  const again = await startHarness({ model: scriptedModel("Started."), person, past: first.log, files: first.files });
  await again.session.settled();
  const shown = first.session.state.turn.open.flatMap(({ state }) =>
    state.kind === "reviewing" ? [state.request] : [],
  );
  expect(person.reviewed).toEqual(shown);
  expect(again.session.state.permissions.mode).toEqual({ current: "default" });
});
