/** The page of a live session: reading, sending back, editing, approving, beside other surfaces. */
import { afterEach, describe, expect, test } from "vitest";
import { answerDesk } from "../../src/agent/answers/persons.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import type { ReviewState } from "../../src/faces/browser/desks/wire.ts";
import { memoryFiles, scriptedModel, type ScriptedModel, type ScriptedStep } from "../../src/testing/index.ts";
import { agentsOf, spawns, starts } from "../scenarios/agents.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { linkOf, pageAt, setStage, visit, type Page, type Stage, type StageOptions } from "./stage.ts";
import { until } from "../support/until.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const submit = { tool: "ExitPlanMode" } as const;
const first = "# Plan\n\n- one\n- two";

test("B3.6 B3.2 B2.7 a plan is read, sent back with comments, answered, read again with its difference, edited and approved", async () => {
  const second = "# Plan\n\nMore.\n\n- one\n- three";
  const { stage, page, model } = await planned(
    writePlan(first),
    submit,
    { text: "One, because it is enough.", calls: [{ tool: "Glob", input: { pattern: "**/*" } }] },
    writePlan(second),
    submit,
    "Carried out.",
  );
  const shown = await revision(page, 1);
  expect(shown).toMatchObject({ text: first, hash: hashText(first), previous: null, reply: null, answered: null });
  expect(shown.request!.choices.map(({ kind }) => kind)).toEqual([
    "approve",
    "approve",
    "approve-fresh",
    "save",
    "revise",
    "abandon",
  ]);

  const comments = [
    { id: "c1", kind: "change", from: 4, to: 4, quote: "two", text: "Three, please." },
    { id: "c2", kind: "question", from: 3, to: 3, quote: "- one", text: "Why one?" },
    { id: "c3", kind: "note", from: 1, to: 1, quote: "Plan", text: "Nice." },
  ];
  const sent = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "revise", comments });
  expect(sent).toMatchObject({
    status: 200,
    value: {
      accepted: true,
      state: { request: null, answered: { kind: "revise", by: { user: "ada", surface: "browser" }, here: true } },
    },
  });
  const next = await revision(page, 2);
  const told = JSON.stringify(model.requests[2]!.messages);
  expect(told).toContain("- Change, line 4:\\n> two\\nThree, please.");
  expect(told).toContain("- Question, line 3 (answer in text; no reason to rewrite the plan):\\n> - one\\nWhy one?");
  expect(next).toMatchObject({ text: second, previous: first, reply: "One, because it is enough." });
  expect(next.comments.map(({ id, anchor, from }) => ({ id, anchor, from }))).toEqual([
    { id: "c1", anchor: "changed", from: 6 },
    { id: "c2", anchor: "moved", from: 5 },
  ]);
  expect(next.revisions.map(({ number, text }) => ({ number, text }))).toEqual([
    { number: 1, text: first },
    { number: 2, text: second },
  ]);

  const edited = `${second}\n- four`;
  const approve = { requestId: next.request!.id, hash: next.hash, kind: "approve", mode: "acceptEdits", plan: edited };
  const approved = await page.post("verdict", approve);
  expect(approved).toMatchObject({
    status: 200,
    value: {
      state: { text: edited, plan: { status: "approved" }, answered: { kind: "approve", mode: "acceptEdits" } },
    },
  });
  await stage.harness.session.settled();
  const { plans, plan, permissions } = stage.harness.session.state;
  expect(permissions.mode.current).toBe("acceptEdits");
  expect(plan.approved).toMatchObject({ text: edited, hash: hashText(edited) });
  expect(stage.harness.files.contents.get(plan.approved!.file)).toBe(edited);
  expect(plans[0]!.decisions.map(({ kind, by, hash, mode }) => ({ kind, by, hash, mode }))).toEqual([
    { kind: "revise", by: { user: "ada", surface: "browser" }, hash: hashText(first), mode: "plan" },
    { kind: "approve", by: { user: "ada", surface: "browser" }, hash: hashText(edited), mode: "acceptEdits" },
  ]);
});

test("B3.2 a question alone is answered with the plan as it is, and stays open until it is resolved", async () => {
  const { page } = await planned(writePlan(first), submit, { text: "Because.", calls: [submit] }, "I see.", submit);
  const shown = await revision(page, 1);
  const comments = [{ id: "q", kind: "question", from: 3, to: 3, quote: "- one", text: "Why one?" }];
  await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "revise", comments });
  const again = await until("it is shown again", async () => {
    const state = await page.state();
    return state.request !== null && state.request.id !== shown.request!.id ? state : null;
  });
  expect(again).toMatchObject({ text: first, reply: "Because.", comments: [{ id: "q", anchor: "kept" }] });
  const more = { requestId: again.request!.id, hash: again.hash, kind: "revise", feedback: "Go on.", resolved: ["q"] };
  expect((await page.post("verdict", more)).value).toMatchObject({ accepted: true, state: { comments: [] } });
});

test("B3.5 an edit that is sent back is written, and the model hears of the difference, once", async () => {
  const { stage, page, model } = await planned(writePlan(first), submit, "I see.");
  const shown = await revision(page, 1);
  const plan = first.replace("two", "2");
  const body = { requestId: shown.request!.id, hash: shown.hash, kind: "revise", feedback: "Like this.", plan };
  expect((await page.post("verdict", body)).status).toBe(200);
  await stage.harness.session.settled();
  const told = JSON.stringify(model.requests[2]!.messages);
  expect(told).toContain("-- two\\n+- 2");
  expect(told.split("+- 2")).toHaveLength(2);
  expect(stage.harness.files.contents.get(stage.harness.session.state.plan.file!)).toBe(plan);
});

describe("B2.1 only what was shown", () => {
  test("a file that changed while the page was open is not approved; the new text is shown with the difference", async () => {
    const { stage, page } = await planned(writePlan(first), submit);
    const shown = await revision(page, 1);
    stage.harness.files.contents.set(stage.harness.session.state.plan.file!, "# Swapped");
    const refused = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "approve" });
    expect(refused).toMatchObject({
      status: 409,
      value: {
        accepted: false,
        reason: "stale",
        state: { text: "# Swapped", previous: first, request: { again: "changed" }, answered: { kind: "withdrawn" } },
      },
    });
    expect(stage.harness.session.state.permissions.mode.current).toBe("plan");
  });

  test("an answer after a mode change does not count, and nothing was approved", async () => {
    const { stage, page } = await planned(writePlan(first), submit);
    const shown = await revision(page, 1);
    await stage.harness.session.send({ type: "mode-chosen", mode: "default" });
    const refused = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "approve" });
    expect(refused).toMatchObject({
      status: 409,
      value: { accepted: false, state: { request: null, answered: { by: null, kind: "withdrawn" } } },
    });
    expect(stage.harness.session.state.plans.flatMap(({ decisions }) => decisions)).toEqual([]);
  });

  test("an answer to an earlier revision does not count for the next one", async () => {
    const { page } = await planned(writePlan(first), submit, writePlan(`${first}\n- three`), submit);
    const old = await revision(page, 1);
    await page.post("verdict", { requestId: old.request!.id, hash: old.hash, kind: "revise", feedback: "More." });
    const next = await revision(page, 2);
    const refused = [
      await page.post("verdict", { requestId: old.request!.id, hash: old.hash, kind: "approve" }),
      await page.post("verdict", { requestId: next.request!.id, hash: old.hash, kind: "approve" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect((await page.state()).request).toEqual(next.request);
  });

  test("a log that cannot be written means that nothing counts, and the page is told", async () => {
    const model = scriptedModel(writePlan(first), submit);
    const { page } = await open({ model, mode: "plan", appendFails: ({ type }) => type === "review-decided" });
    const shown = await revision(page, 1);
    const refused = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "approve" });
    expect(refused).toMatchObject({ status: 409, value: { reason: "write-failed" } });
  });
});

describe("B2.6 several surfaces", () => {
  test("of two tabs the first counts; the other is told who answered, and which of them it was", async () => {
    const { stage, page } = await planned(writePlan(first), submit, "Done.");
    const other = await stage.page();
    const shown = await revision(page, 1);
    const body = { requestId: shown.request!.id, hash: shown.hash, kind: "approve" };
    const both = await Promise.all([page.post("verdict", body, "tab-1"), other.post("verdict", body, "tab-2")]);
    expect(both.map(({ status }) => status)).toEqual([200, 409]);
    expect(both[1].value).toMatchObject({ reason: "answered", state: { answered: { here: false } } });
    expect(stage.harness.log.filter(({ type }) => type === "review-decided")).toHaveLength(1);
  });

  test("the terminal's answer closes the page's, which says who it was; the page's closes the terminal's", async () => {
    const desk = answerDesk({ user: "ada", surface: "terminal" });
    const model = scriptedModel(writePlan(first), submit, writePlan(`${first}\n- three`), submit, "Done.");
    const { page } = await open({ model, mode: "plan", others: [desk] });
    const shown = await revision(page, 1);
    expect(await desk.decide(shown.request!.id, { kind: "revise", feedback: "More." })).toBeNull();
    const late = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "approve" });
    expect(late).toMatchObject({
      status: 409,
      value: { reason: "answered", state: { answered: { kind: "revise", by: { surface: "terminal" } } } },
    });
    const next = await revision(page, 2);
    await page.post("verdict", { requestId: next.request!.id, hash: next.hash, kind: "approve" });
    expect(await desk.decide(next.request!.id, { kind: "abandon" })).toEqual({
      reason: "already-answered",
      by: { user: "ada", surface: "browser" },
    });
  });

  test("news come by themselves: a page that listens hears of the next revision and of the end", async () => {
    const { stage, page } = await planned(writePlan(first), submit);
    let news: readonly number[] = [];
    const listening = page.send("api/events", { heard: (text) => (news = versionsIn(text)) });
    await until("it listens", () => news.length > 0);
    const before = (await revision(page, 1)).version;
    const shown = await page.state();
    await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "save" });
    await until("it hears of it", () => news.at(-1)! > before);
    await stage.close();
    const heard = (await listening).body;
    const versions = versionsIn(heard);
    expect(versions.length).toBeGreaterThan(1);
    expect(versions.at(-1)).toBeGreaterThan(before);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    expect(heard.trimEnd().endsWith('event: gone\ndata: {"reason":"ended"}')).toBe(true);
  });
});

function versionsIn(heard: string): readonly number[] {
  return [...heard.matchAll(/event: changed\ndata: \{"version":(\d+)\}/g)].map((match) => Number(match[1]));
}

test("R7.13 B2.6 an agent's plan is shown with the agent's name, and its approval counts for the agent alone", async () => {
  const child = scriptedModel(
    ({ messages }) => {
      const file = /\/home\/ada\/\.groundplan\/plans\/[\w-]+\.md/.exec(JSON.stringify(messages))![0];
      return { tool: "Write", input: { file_path: file, content: "# The agent's plan" } };
    },
    submit,
    "Found it.",
  );
  const model = scriptedModel(...starts(spawns("general-purpose", { mode: "plan" })));
  const { stage, page } = await open({ model, agents: { modelFor: () => child }, rules: { allow: ["Agent"] } });
  const shown = await revision(page, 1);
  expect(shown).toMatchObject({ text: "# The agent's plan", plan: { status: "submitted" } });
  expect(shown.request!.agent).not.toBeNull();
  const approved = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "approve" });
  expect(approved).toMatchObject({ status: 200, value: { state: { answered: { kind: "approve", here: true } } } });
  await stage.harness.session.settled();
  expect(agentsOf(stage.harness).map(({ plan }) => plan.approved?.text)).toEqual(["# The agent's plan"]);
  expect(stage.harness.session.state.plans).toEqual([]);
});

test("B2.2 B3.6 after a crash the same session goes on with the same page: same port, same cookie, same dialog", async () => {
  const files = memoryFiles({ "/repo/README.md": "# Repo\n" });
  const { stage, page } = await open({ model: scriptedModel(writePlan(first), submit), mode: "plan", files });
  const shown = await revision(page, 1);
  stage.harness.session.close();
  await stage.review.close();
  await expect(page.state()).rejects.toThrow();

  const past = [...stage.harness.log];
  const resumed = await setStage({ model: scriptedModel("Done."), files, past, home: stage.home });
  stages.push(resumed);
  await resumed.review.goOn();
  const again = await page.state();
  expect(again.version).toBeGreaterThan(shown.version);
  expect({ ...again, version: 0 }).toEqual({ ...shown, version: 0 });
  const approved = await page.post("verdict", { requestId: again.request!.id, hash: again.hash, kind: "approve" });
  expect(approved.status).toBe(200);
  expect(resumed.harness.session.state.plan.approved).toMatchObject({ hash: shown.hash });
});

test("a session whose page was never opened starts no server when it is resumed", async () => {
  const { stage } = await open({ model: scriptedModel("Hello."), mode: "plan" }, "unopened");
  await stage.review.goOn();
  expect(stage.told).toEqual([]);
});

test("words while no plan is under review are given at once; an edit of an approved plan is refused (B5.1)", async () => {
  const { stage, page } = await planned(writePlan(first), submit, "Done.");
  const shown = await revision(page, 1);
  await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "approve" });
  await stage.harness.session.settled();
  const comments = [{ id: "c", kind: "note", from: 1, to: 1, quote: "Plan", text: "Thanks." }];
  expect((await page.post("comments", { hash: shown.hash, comments })).status).toBe(200);
  const { file } = stage.harness.session.state.plan.approved!;
  expect(stage.said).toEqual([{ file, feedback: "", comments, resolved: [] }]);
  const edit = await page.post("comments", { hash: shown.hash, plan: "# Other" });
  expect(edit).toMatchObject({ status: 409, value: { reason: "closed" } });
  expect(stage.harness.files.contents.get(file)).toBe(first);
});

interface Opened {
  readonly stage: Stage;
  readonly page: Page;
}

async function planned(...steps: readonly ScriptedStep[]): Promise<Opened & { readonly model: ScriptedModel }> {
  const model = scriptedModel(...steps);
  return { ...(await open({ model, mode: "plan" })), model };
}

async function open(options: StageOptions, how: "opened" | "unopened" = "opened"): Promise<Opened> {
  const stage = await setStage(options);
  stages.push(stage);
  const page = how === "opened" ? await visit(await linkOf(stage.review)) : pageAt("http://127.0.0.1:1/", "");
  void stage.harness.say("plan it");
  return { stage, page };
}

function revision(page: Page, number: number): Promise<ReviewState> {
  return until(`revision ${number} is shown`, async () => {
    const state = await page.state();
    return state.request?.revision === number ? state : null;
  });
}
