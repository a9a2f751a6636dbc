import { expect, test } from "vitest";
import { approval, planFile, planning, play, reviewing, started } from "../testing/core-fixtures.ts";
import { memoryFiles } from "../testing/index.ts";
import { restorePlan } from "./restore-plan.ts";

async function restored(session: Parameters<typeof restorePlan>[0], initial: Record<string, string> = {}) {
  const files = memoryFiles(initial);
  const told: string[] = [];
  const plan = await restorePlan(session, { files, tell: (line) => told.push(line) });
  return { plan, text: files.contents.get(planFile), told: told.length };
}

test("R14.2 R14.4 a plan file that is gone is rebuilt from the newest snapshot, and the person is told", async () => {
  const { session } = play(
    planning(),
    { type: "plan-saved", text: "# One", by: "model", at: 1 },
    { type: "plan-saved", text: "# Two", by: "model", at: 2 },
  );
  expect(await restored(session)).toEqual({ plan: "# Two", text: "# Two", told: 1 });
});

test("R14.2 an approved plan is rebuilt from its approval, with the person's edit; so is the plan of a linked session", async () => {
  const edited = play(reviewing("# Plan"), ...approval({ plan: "# Mine" }), { type: "plan-written", callId: "exit" });
  expect(await restored(edited.session)).toEqual({ plan: null, text: "# Mine", told: 1 });
  const linked = started({ linked: { from: "s0", file: planFile, text: "# Plan", seen: [] } });
  expect(await restored(linked)).toEqual({ plan: null, text: "# Plan", told: 1 });
});

test("R14.2 a file that is there is what counts, whatever the log says", async () => {
  const { session } = play(planning(), { type: "plan-saved", text: "# One", by: "model", at: 1 });
  expect(await restored(session, { [planFile]: "# Edited since" })).toEqual({
    plan: "# Edited since",
    text: "# Edited since",
    told: 0,
  });
});
