/** The page of a live session: reading, sending back, editing, approving, beside other surfaces. */
import { afterEach, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { scriptedModel, type ScriptedStep } from "../../src/testing/index.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { setStage, until, type Page, type Stage, type StageOptions } from "./stage.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const submit = { tool: "ExitPlanMode" } as const;

test("B3.6 B2.7 a plan is read, sent back with comments, read again with its difference, edited and approved", async () => {
  const { stage, page, model } = await planned(writePlan("# Plan\n\n- one\n- two"), submit, (request) => {
    expect(JSON.stringify(request.messages)).toContain("- Change, line 4:\\n> two\\nThree, please.");
    expect(JSON.stringify(request.messages)).toContain("- Question, line 3 (answer in text");
    return "One is enough because it is.";
  });
  void model;
  const first = await shown(page, 1);
  expect({ text: first.text, hash: first.hash, previous: first.previous }).toEqual({
    text: "# Plan\n\n- one\n- two",
    hash: hashText("# Plan\n\n- one\n- two"),
    previous: null,
  });
  const comments = [
    { id: "c1", kind: "change", from: 4, to: 4, quote: "two", text: "Three, please." },
    { id: "c2", kind: "question", from: 3, to: 3, quote: "one", text: "Why one?" },
  ];
  const sent = await page.post("verdict", { requestId: first.request!.id, hash: first.hash, kind: "revise", comments });
  expect(sent.status).toBe(200);
  expect(sent.value).toMatchObject({
    accepted: true,
    state: { request: null, answered: { kind: "revise", here: true } },
  });
  await stage.harness.session.settled();
});

async function planned(
  ...steps: readonly ScriptedStep[]
): Promise<{ stage: Stage; page: Page; model: ReturnType<typeof scriptedModel> }> {
  const model = scriptedModel(...steps);
  const stage = await open({ model, mode: "plan" });
  const page = await stage.page();
  void stage.harness.say("plan it");
  return { stage, page, model };
}

async function open(options: StageOptions): Promise<Stage> {
  const stage = await setStage(options);
  stages.push(stage);
  return stage;
}

function shown(page: Page, revision: number) {
  return until(`revision ${revision} is shown`, async () => {
    const state = await page.state();
    return state.request?.revision === revision ? state : null;
  });
}
