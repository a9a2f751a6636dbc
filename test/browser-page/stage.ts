/** A whole session in memory with the real review server and the real, built page. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach } from "vitest";
import type { Model } from "../../src/agent/ports/model.ts";
import { everyone } from "../../src/agent/answers/persons.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import type { PlanWords } from "../../src/agent/answers/plan-words.ts";
import { browserReview } from "../../src/faces/browser/desks/review.ts";
import { memoryFiles, scriptedModel, startHarness } from "../../src/testing/index.ts";
import type { Harness, ScriptedStep } from "../../src/testing/index.ts";
import { linkOf } from "../browser/stage.ts";
import { until } from "../support/until.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { remove } from "../support/remove.ts";

export interface PageStage {
  readonly harness: Harness;
  readonly link: () => Promise<string>;
  /** What the model has heard, as JSON. */
  readonly heard: () => string;
  /** What the page said while nothing was asked. */
  readonly said: readonly PlanWords[];
  readonly close: () => Promise<void>;
}

/** Stages that are cleared away after each test. */
export function useStages(): typeof stagePlans {
  const stages: PageStage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });
  return async (texts, options) => {
    const stage = await stagePlans(texts, options);
    stages.push(stage);
    return stage;
  };
}

/** Each text is submitted in turn, with words before it where the model says some. */
async function stagePlans(
  texts: readonly Submission[],
  { others = [], before = [], thinksMs = 0 }: StageOptions = {},
): Promise<PageStage> {
  const home = mkdtempSync(join(tmpdir(), "groundplan-page-"));
  const files = memoryFiles({ "/repo/README.md": "# Repo\n", "/repo/src/a.ts": "export {};\n" });
  const script = scriptedModel(...before, ...texts.flatMap(stepsOf));
  const model: Model = {
    ...script,
    async *stream(request, signal) {
      await pause(thinksMs);
      yield* script.stream(request, signal);
    },
  };
  const said: PlanWords[] = [];
  const say = async (words: PlanWords): Promise<boolean> => {
    said.push(words);
    return true;
  };
  const review = browserReview({ home, files, user: "ada", tell: () => undefined, say });
  const harness = await startHarness({
    model,
    mode: "plan",
    files,
    person: everyone(...others, review.person),
    listen: review.listen,
  });
  void harness.say("plan it");
  await until("the plan is submitted", () => harness.session.state.turn.open.some(({ state }) => "request" in state));
  return {
    harness,
    said,
    link: () => linkOf(review),
    heard: () => JSON.stringify(script.requests.map(({ messages }) => messages)),
    async close() {
      harness.session.close();
      await review.close();
      remove(home);
    },
  };
}

export interface StageOptions {
  /** Beside the browser. */
  readonly others?: readonly Person[];
  /** How long the model takes for each answer: what it writes is there before it is submitted. */
  readonly thinksMs?: number;
  /** What the model does first. */
  readonly before?: readonly ScriptedStep[];
}

export type Submission = string | { readonly says: string; readonly plan: string };

function stepsOf(submission: Submission): readonly ScriptedStep[] {
  const plan = typeof submission === "string" ? submission : submission.plan;
  const says = typeof submission === "string" ? "" : submission.says;
  return [writePlan(plan), { text: says, calls: [{ tool: "ExitPlanMode" }] }];
}
