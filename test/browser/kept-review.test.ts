/** Kept answers inside one process: which of them count, for what, and what is told of the others. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerStore, type AnswerStore } from "../../src/agent/answers/kept-answers.ts";
import { keptReview, type KeptReview } from "../../src/agent/answers/kept-review.ts";
import { answerDesk, everyone, nobody } from "../../src/agent/answers/persons.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { pendingReview } from "../../src/core/selectors.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import {
  scriptedModel,
  scriptedPerson,
  startHarness,
  type Harness,
  type ScriptedStep,
} from "../../src/testing/index.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { until } from "../support/until.ts";
import { remove } from "../support/remove.ts";

let home: string;
let told: string[];
let kept: KeptReview;
let store: AnswerStore;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "groundplan-kept-"));
  told = [];
  kept = keptReview({ home, prompts: loadPrompts(), tell: (line) => void told.push(line) });
  store = answerStore(home, "session", () => undefined);
});
afterEach(() => remove(home));

const plan = "# Plan\n- one";
const steps: readonly ScriptedStep[] = [writePlan(plan), { tool: "ExitPlanMode" }];
const by = { user: "ada", surface: "browser" };
const id = "session-review-1";

test("B2.2 B4.4 where nobody is and nothing is kept, the plan waits; what is kept meanwhile counts after the resume", async () => {
  const first = await begin(nobody());
  await first.say("plan it");
  expect(pendingReview(first.session.state)?.id).toBe(id);
  await approve(id, plan);
  const resumed = await begin(nobody(), first);
  await resumed.session.settled();
  expect(resumed.session.state.plans[0]!.decisions).toMatchObject([{ kind: "approve", by, hash: hashText(plan) }]);
  await until("it is forgotten", async () => (await store.list()).length === 0);
  await expect.poll(() => told).toEqual([]);
});

test("B2.1 an approval of another text, or of an earlier request, is told and dropped", async () => {
  const first = await begin(nobody());
  await first.say("plan it");
  await approve(id, "# Another");
  await approve("session-review-0", plan);
  const resumed = await begin(nobody(), first);
  await resumed.session.settled();
  expect(pendingReview(resumed.session.state)?.id).toBe(id);
  await expect
    .poll(() => told)
    .toEqual(
      Array(2).fill("an answer (approve) that was kept for an earlier text of this plan does not count; look again"),
    );
  expect(await store.list()).toEqual([]);
});

test("B2.1 a save, a rejection or an end that was meant for another text does not count either", async () => {
  for (const verdict of [{ kind: "save" }, { kind: "abandon" }, { kind: "revise", feedback: "no" }] as const) {
    const first = await begin(nobody());
    await first.say("plan it");
    await store.keep({ requestId: id, file: "", hash: hashText("# Another"), verdict, by, at: 1 });
    const resumed = await begin(nobody(), first);
    await resumed.session.settled();
    expect(pendingReview(resumed.session.state)?.id).toBe(id);
    expect(resumed.session.state.plans[0]!.decisions).toEqual([]);
    expect(await store.list()).toEqual([]);
  }
});

test("B2.1 a kept answer that the session refuses (a mode that was not allowed at the start) is dropped, and the person is asked", async () => {
  const first = await begin(nobody());
  await first.say("plan it");
  const hash = hashText(plan);
  const verdict = { kind: "approve", hash, mode: "bypassPermissions" } as const;
  await store.keep({ requestId: id, file: "", hash, verdict, by, at: 1 });
  const resumed = await begin(nobody(), first);
  await resumed.session.settled();
  expect(resumed.session.state.permissions.mode.current).toBe("plan");
  expect([await store.list(), told.length]).toEqual([[], 1]);
});

test("B2.1 an answer that lay there before the plan was ever shown approves nothing", async () => {
  await approve(id, plan);
  const harness = await begin(nobody());
  await harness.say("plan it");
  expect(pendingReview(harness.session.state)?.id).toBe(id);
  await expect
    .poll(() => told)
    .toEqual(["an answer (approve) that was there before its question does not count and was removed"]);
  expect(await store.list()).toEqual([]);
});

test("B2.6 an answer from another process comes while the dialog is open: it counts, and the dialog closes", async () => {
  const desk = answerDesk({ user: "ada", surface: "terminal" });
  const harness = await begin(desk);
  const said = harness.say("plan it");
  await until("it is under review", () => pendingReview(harness.session.state));
  await approve(id, plan);
  await said;
  expect(harness.session.state.plans[0]!.decisions).toMatchObject([{ kind: "approve", by }]);
  expect(await desk.decide(id, { kind: "abandon" })).toEqual({ reason: "already-answered", by });
});

test("B2.6 an answer that comes after the terminal's is told and dropped", async () => {
  const desk = answerDesk({ user: "ada", surface: "terminal" });
  const harness = await begin(desk);
  const said = harness.say("plan it");
  await until("it is under review", () => pendingReview(harness.session.state));
  await approve(id, plan);
  await desk.decide(id, { kind: "abandon" });
  await said;
  expect(harness.session.state.plans[0]!.decisions).toMatchObject([{ kind: "abandon", by: { surface: "terminal" } }]);
  await until("it is forgotten", async () => (await store.list()).length === 0);
  await expect.poll(() => told).toEqual(["an answer (approve) that was kept came too late and did not count"]);
});

test("B3.2 words on a plan that is under review again send it back, quoted, and stay open in the next revision", async () => {
  const model = scriptedModel(...steps, writePlan(`# New\n${plan}`), { tool: "ExitPlanMode" });
  const first = await begin(nobody(), undefined, model);
  await first.say("plan it");
  const { planFile: file, hash } = pendingReview(first.session.state)!;
  const comment = { id: "c", kind: "change", from: 2, to: 2, quote: "- one", text: "Two." } as const;
  const verdict = { kind: "revise", feedback: "", comments: [comment] } as const;
  await store.keep({ requestId: null, file, hash, verdict, by, at: 1 });
  const more = scriptedModel(writePlan(`# New\n${plan}`), { tool: "ExitPlanMode" });
  const resumed = await begin(nobody(), first, more);
  await resumed.session.settled();
  expect(JSON.stringify(more.requests[0]!.messages)).toContain("- Change, line 2:\\n> - one\\nTwo.");
  expect(pendingReview(resumed.session.state)?.comments).toEqual([{ ...comment, from: 3, to: 3, anchor: "moved" }]);
});

test("B3.2 words on a plan that is not under review are said to the model, once", async () => {
  const model = scriptedModel("Hello.", "Because.", "More.");
  const harness = await begin(nobody(), undefined, model);
  await harness.say("hi");
  const verdict = {
    kind: "revise",
    feedback: "Shorter.",
    comments: [{ id: "c", kind: "question", from: 2, to: 3, quote: "- one\n- two", text: "Why?" }],
  } as const;
  await store.keep({ requestId: null, file: "/plans/a.md", hash: "", verdict, by, at: 1 });
  const stop = await kept.follow(() => harness.session);
  await harness.session.settled();
  stop();
  const said = JSON.stringify(model.requests[1]!.messages.at(-1));
  expect(said).toContain("About the plan /plans/a.md");
  expect(said).toContain("Feedback from the user:\\nShorter.");
  expect(said).toContain(
    "- Question, lines 2-3 (answer in text; no reason to rewrite the plan):\\n> - one\\n> - two\\nWhy?",
  );
  expect([model.requests.length, await store.list()]).toEqual([2, []]);
});

test("B2.6 a program that answers in the very event that it hears of the review in is heard, whether or not something is kept", async () => {
  for (const moment of [(act: () => void) => act(), (act: () => void) => void Promise.resolve().then(act)]) {
    const desk = answerDesk({ user: "ada", surface: "program" });
    const answers: Promise<unknown>[] = [];
    const verdict = { kind: "revise", feedback: "On another plan." } as const;
    await store.keep({ requestId: null, file: "/plans/other.md", hash: "", verdict, by, at: 1 });
    const harness = await startHarness({
      model: scriptedModel(...steps, "Done."),
      mode: "plan",
      person: kept.before(everyone(nobody(), desk)),
      listen(happening) {
        kept.listen(happening);
        if (happening.kind !== "event") return;
        const asked = happening.effects.find(({ type }) => type === "request-review");
        if (asked !== undefined) moment(() => answers.push(desk.decide(id, { kind: "abandon" })));
      },
    });
    await harness.say("plan it");
    expect(await Promise.all(answers)).toEqual([null]);
    expect(harness.session.state.plans[0]!.decisions).toMatchObject([{ kind: "abandon", by: { surface: "program" } }]);
  }
});

test("B2.6 a person whose session is resumed with a kept answer is not asked", async () => {
  const person = scriptedPerson({ reviews: [{ kind: "abandon" }] });
  const first = await begin(nobody());
  await first.say("plan it");
  await approve(id, plan);
  const resumed = await begin(person, first);
  await resumed.session.settled();
  expect([person.reviewed, resumed.session.state.permissions.mode.current]).toEqual([[], "default"]);
});

function begin(
  person: Parameters<KeptReview["before"]>[0],
  earlier?: Harness,
  model = scriptedModel(...steps),
): Promise<Harness> {
  const past = earlier === undefined ? {} : { past: [...earlier.log], files: earlier.files };
  return startHarness({ model, mode: "plan", person: kept.before(person), listen: kept.listen, ...past });
}

async function approve(requestId: string, text: string): Promise<void> {
  const hash = hashText(text);
  await store.keep({ requestId, file: "", hash, verdict: { kind: "approve", hash }, by, at: 1 });
}
