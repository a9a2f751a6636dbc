/** `/review` as the interactive session wires it: loaded when first wanted, beside the terminal, over a restart. */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionHandle } from "../../src/agent/ports/handle.ts";
import { answerDesk, everyone } from "../../src/agent/answers/persons.ts";
import { sessionReview, type SessionReview } from "../../src/cli/interactive/session-review.ts";
import type { Event } from "../../src/core/event.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { memoryFiles, scriptedModel, startHarness, type ScriptedModel } from "../../src/testing/index.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { visit } from "./stage.ts";
import { until } from "../support/until.ts";
import { remove } from "../support/remove.ts";

let home: string;
let told: string[];
const reviews: SessionReview[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "groundplan-slash-review-"));
  told = [];
});
afterEach(async () => {
  for (const review of reviews.splice(0)) await review.close();
  remove(home);
});

const steps = [writePlan("# Plan"), { tool: "ExitPlanMode" }] as const;
const files = memoryFiles({ "/repo/README.md": "# Repo\n" });

test("B2.6 B3.6 the page takes part although it was opened late; the terminal's dialog closes with its answer", async () => {
  const { review, harness, desk } = await begin(scriptedModel(...steps, "Done."));
  const said = harness.say("plan it");
  await until("it is under review", () =>
    harness.session.state.turn.open.some(({ state }) => state.kind === "reviewing"),
  );
  expect(existsSync(join(home, "reviews"))).toBe(false);
  const page = await visit(await review.open());
  const state = await until("it is shown", async () => ((await page.state()).request === null ? null : page.state()));
  await page.post("verdict", { requestId: state.request!.id, hash: state.hash, kind: "approve", mode: "acceptEdits" });
  await said;
  expect(harness.session.state.permissions.mode.current).toBe("acceptEdits");
  expect(await desk.decide(state.request!.id, { kind: "abandon" })).toMatchObject({
    reason: "already-answered",
    by: { surface: "browser" },
  });
  expect(told).toEqual([]);
});

test("B3.2 words from the page reach the model of the live session", async () => {
  const model = scriptedModel(...steps, "Done.", "Because.");
  const { review, harness, desk } = await begin(model);
  const said = harness.say("plan it");
  await until("it is under review", async () => (await desk.decide("session-review-1", { kind: "save" })) === null);
  await said;
  const page = await visit(await review.open());
  const { hash } = await page.state();
  const comments = [{ id: "c", kind: "question", from: 1, to: 1, quote: "Plan", text: "Which?" }];
  expect((await page.post("comments", { hash, comments })).status).toBe(200);
  await harness.session.settled();
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain(
    "(answer in text; no reason to rewrite the plan):\\n> Plan\\nWhich?",
  );
});

test("B3.6 after a restart the page goes on by itself; without an earlier page nothing is started", async () => {
  const first = await begin(scriptedModel(...steps));
  await first.review.goOn();
  expect(existsSync(join(home, "reviews"))).toBe(false);
  void first.harness.say("plan it");
  const page = await visit(await first.review.open());
  await until("it is shown", async () => (await page.state()).request);
  first.harness.session.close();
  await first.review.close();
  const second = await begin(scriptedModel("Done."), [...first.harness.log]);
  await second.review.goOn();
  expect((await page.state()).request).toMatchObject({ id: "session-review-1" });
});

test("a browser that cannot be opened is told; the link is given all the same", async () => {
  const { review } = await begin(scriptedModel("Hello."), undefined, "/nowhere/browser");
  expect(await review.open()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{16}\/\?token=[\w-]{32}$/);
  expect(told).toEqual([expect.stringContaining("the browser could not be opened (/nowhere/browser:")]);
});

async function begin(model: ScriptedModel, past?: readonly Event[], browser = "true") {
  let handle: SessionHandle | null = null;
  const review = sessionReview({
    environment: { GROUNDPLAN_HOME: home, BROWSER: browser, PATH: process.env["PATH"] },
    prompts: loadPrompts(),
    tell: (line) => void told.push(line),
    current: () => handle,
  });
  reviews.push(review);
  const desk = answerDesk({ user: "ada", surface: "terminal" });
  const harness = await startHarness({
    model,
    mode: "plan",
    files,
    person: everyone(desk, review.person),
    listen: review.listen,
    ...(past === undefined ? {} : { past }),
  });
  handle = harness.session;
  return { review, harness, desk };
}
