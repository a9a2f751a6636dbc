/** A lead's own surface: plans of teammates come to its review, the first answer wins, and nothing is granted that it has not. */
import { expect, test } from "vitest";
import type { SessionHandle, TeamNews } from "../../src/agent/ports/handle.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import type { Mode, WorkingMode } from "../../src/core/mode.ts";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { attachLead, type Lead } from "../../src/program/team/lead.ts";
import type { LeadOptions } from "../../src/program/team/lead-review.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";
import type { Mailbox } from "../../src/mail/mailbox.ts";
import { answerPlan, lookAtInbox } from "../../src/program/team/requests.ts";
import { approveShown, scriptedModel, scriptedPerson, startHarness } from "../../src/testing/index.ts";
import { anHour, eventually, homeFolder, plan, planHash, tellStory, verdictsOf } from "./story.ts";

const by = { user: "ada", surface: "terminal" };

interface Leading {
  readonly lead: Lead;
  readonly news: readonly TeamNews[];
}

function leads(mailbox: Mailbox, person: Person, more: Partial<LeadOptions> = {}): Leading {
  const news: TeamNews[] = [];
  const tell = (one: TeamNews): void => void news.push(one);
  return { news, lead: attachLead({ mailbox, team: "default", person, now: Date.now, tell, everyMs: 20, ...more }) };
}

/** The lead's own session in this mode. */
async function sessionIn(mode: Mode, returnTo: WorkingMode = "default"): Promise<SessionHandle> {
  const { session } = await startHarness({
    model: scriptedModel(),
    mode: mode === "plan" ? returnTo : mode,
    bypassAvailable: true,
  });
  if (mode === "plan") await session.send({ type: "mode-chosen", mode });
  return session;
}

/** A surface that shows what it is asked, until it is told to stop or to answer. */
function surface(): { person: Person; shown: ReviewRequest[]; closed: string[]; decide: (verdict: Verdict) => void } {
  const shown: ReviewRequest[] = [];
  const closed: string[] = [];
  const open: { decide?: (verdict: Verdict) => void } = {};
  return {
    shown,
    closed,
    decide: (verdict) => open.decide?.(verdict),
    person: {
      ...scriptedPerson(),
      review: (request, signal) =>
        new Promise((resolve) => {
          shown.push(request);
          open.decide = (verdict) => resolve({ verdict, by });
          signal.addEventListener("abort", () => {
            closed.push(request.id);
            resolve(null);
          });
        }),
    },
  };
}

test("R12.2 B2.6 a teammate's plan comes to the lead's review with its name, and the verdict goes back", async () => {
  const story = await tellStory({ mode: "default" });
  const person = scriptedPerson({ reviews: [approveShown({ mode: "acceptEdits", notes: "Mind the cache." })] });
  const { lead, news } = leads(story.mailbox, person);
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.settled();
  await lead.close();
  expect(person.reviewed.map(({ agent, plan: shown, hash, choices }) => ({ agent, shown, hash, choices }))).toEqual([
    {
      agent: "bo@default",
      shown: plan,
      hash: planHash,
      choices: [
        { kind: "approve", mode: "default", label: "each-edit" },
        { kind: "approve", mode: "acceptEdits", label: "accept-edits" },
        { kind: "revise" },
      ],
    },
  ]);
  expect(story.harness.session.state.permissions.mode).toEqual({ current: "acceptEdits" });
  expect(story.harness.session.state.plans[0]!.decisions.at(-1)).toMatchObject({
    by: { user: "ada", surface: "script" },
  });
  expect(news.map(({ type }) => type).filter((type) => type !== "team.answered")).toEqual(["team.request"]);
  story.vanish();
});

test("B2.6 R12.2 a lead hears in one line what it granted, or that it sent the plan back", async () => {
  const story = await tellStory({ mode: "default" });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { person, shown, decide } = surface();
  const { lead, news } = leads(story.mailbox, person);
  await eventually(() => shown.length === 1, "the first plan");
  decide({ kind: "revise", feedback: "Add a test." });
  await eventually(() => shown.length === 2, "the second plan");
  decide({ kind: "approve", hash: shown[1]!.hash, mode: "acceptEdits" });
  await eventually(() => news.filter(({ type }) => type === "team.answered").length === 2, "two answers");
  expect(news.filter(({ type }) => type === "team.answered")).toMatchObject([
    { from: "bo@default", title: "Plan", approved: false, mode: null },
    { from: "bo@default", title: "Plan", approved: true, mode: "acceptEdits" },
  ]);
  await lead.close();
  story.vanish();
});

test("B2.6 two surfaces of a lead: the first answer wins, the other closes and says who answered", async () => {
  const story = await tellStory();
  const one = surface();
  const other = surface();
  const first = leads(story.mailbox, one.person);
  const second = leads(createFileMailbox({ home: story.mailbox.connection().detail.split(" ").at(-1)! }), other.person);
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await eventually(() => one.shown.length === 1 && other.shown.length === 1, "both surfaces show it");
  one.decide({ kind: "approve", hash: planHash });
  await eventually(() => other.closed.length === 1, "the other surface closes");
  await story.settled();
  expect(second.news.at(-1)).toMatchObject({ type: "team.closed", why: "approved by ada (terminal)" });
  expect(verdictsOf(story)).toEqual(["approve"]);
  await Promise.all([first.lead.close(), second.lead.close()]);
  story.vanish();
});

test("B9.1 a lead that is restarted is shown again what it has not answered", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  const before = surface();
  const first = leads(story.mailbox, before.person);
  await eventually(() => before.shown.length === 1, "it is shown");
  await first.lead.close();
  const after = scriptedPerson({ reviews: [approveShown()] });
  const second = leads(story.mailbox, after);
  await story.settled();
  await second.lead.close();
  expect([before.shown[0]!.id, after.reviewed[0]!.id, verdictsOf(story)]).toEqual([id, id, ["approve"]]);
  story.vanish();
});

test("R12.2 B9.1 a lead that goes right after its answer still tells the teammate, and calls nothing unanswered", async () => {
  const story = await tellStory({ everyMs: anHour });
  const { mailbox } = story;
  const put: Mailbox["snapshots"]["put"] = (...args) => mailbox.snapshots.put(...args);
  let go: (() => void) | undefined;
  const goes = new Promise<void>((resolve) => (go = resolve));
  const keepSlowly: typeof put = async (key, text, options) => {
    const kept = await put(key, text, options);
    if (options.expected === 1) await goes;
    return kept;
  };
  const slow: Mailbox = { ...mailbox, snapshots: { ...mailbox.snapshots, put: keepSlowly } };
  const shown = surface();
  const { lead, news } = leads(slow, shown.person);
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await eventually(() => shown.shown.length === 1, "it is shown");
  const { id } = shown.shown[0]!;
  shown.decide({ kind: "approve", hash: planHash });
  const key = { team: "default", plan: id };
  await eventually(async () => (await mailbox.snapshots.get(key))?.revision === 2, "the answer is kept");
  const closing = lead.close();
  go?.();
  await closing;
  await story.settled();
  const others = news.map(({ type }) => type).filter((type) => type !== "team.answered");
  expect([verdictsOf(story), others]).toEqual([["approve"], ["team.request"]]);
  story.vanish();
});

test("R12.2 B9.1 an answer that is kept counts, although the teammate could not be told", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const request = await story.incoming();
  const deaf: Mailbox = {
    ...story.mailbox,
    send: async () => ({ kind: "refused", reason: "the disk is full", mayArrive: false }),
  };
  const decision = { approve: true, hash: planHash } as const;
  const facts = { decision, by, now: Date.now(), signal: AbortSignal.abort() };
  expect(await answerPlan(deaf, request, facts)).toEqual({ kind: "answered", untold: "the disk is full" });
  story.vanish();
  expect(await answerPlan(story.mailbox, request, { ...facts, by: { user: "bea", surface: "page" } })).toEqual({
    kind: "closed",
    why: "approved by ada (terminal)",
  });
});

test("R12.2 the next plan is shown as soon as one is answered, however seldom the lead looks", async () => {
  const home = homeFolder();
  const stories = await Promise.all(["ann", "bo", "cy"].map((name) => tellStory({ home, name })));
  for (const { harness } of stories) await harness.session.send({ type: "user-said", text: "write app.ts" });
  const mailbox = createFileMailbox({ home });
  await eventually(async () => (await lookAtInbox(mailbox, "default", Date.now())).pending.length === 3, "three plans");
  const person = scriptedPerson({ reviews: [approveShown(), approveShown(), approveShown()] });
  const { lead } = leads(mailbox, person, { everyMs: 600_000 });
  await Promise.all(stories.map(({ settled }) => settled()));
  expect(stories.map(verdictsOf)).toEqual([["approve"], ["approve"], ["approve"]]);
  await lead.close();
  stories.forEach((story) => story.vanish());
});

test("R12.2 a dialog that is dismissed answers nothing: the plan stays in the inbox", async () => {
  const story = await tellStory();
  const person = scriptedPerson({ reviews: [{ kind: "dismiss" }, { kind: "dismiss" }] });
  let looks = 0;
  const peek: Mailbox["peek"] = (...args) => {
    looks += 1;
    return story.mailbox.peek(...args);
  };
  const { lead, news } = leads({ ...story.mailbox, peek }, person);
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  await eventually(() => news.length === 2, "it is shown, and left");
  expect(news.at(-1)).toEqual({ type: "team.left", id, from: "bo@default" });
  const before = looks;
  await eventually(() => looks >= before + 3, "it looks again, more than once");
  expect([person.reviewed.length, (await story.incoming()).id, verdictsOf(story)]).toEqual([1, id, []]);
  await lead.close();
  story.vanish();
});

test("R12.2 a surface that breaks answers nothing, and takes nobody with it", async () => {
  const story = await tellStory();
  const broken: Person = { ...scriptedPerson(), review: () => Promise.reject(new Error("no screen")) };
  const { lead, news } = leads(story.mailbox, broken);
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  await eventually(() => news.length === 3, "it is said");
  expect(news.slice(1)).toEqual([
    { type: "team.closed", id, why: "it could not be shown: Error: no screen" },
    { type: "team.left", id, from: "bo@default" },
  ]);
  expect([(await story.incoming()).id, verdictsOf(story)]).toEqual([id, []]);
  await lead.close();
  story.vanish();
});

test.each([
  ["default", ["default"]],
  ["acceptEdits", ["default", "acceptEdits"]],
  ["plan", ["default"]],
] as const)("B1.7 R12.2 a lead in %s mode is offered %j to grant, and grants no more", async (mode, offered) => {
  const story = await tellStory({ mode: "default" });
  const person = scriptedPerson({ reviews: [approveShown({ mode: "bypassPermissions" })] });
  const session = await sessionIn(mode, "acceptEdits");
  const { lead } = leads(story.mailbox, person, { session });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.settled();
  await lead.close();
  const granted = person.reviewed[0]!.choices.flatMap((choice) => (choice.kind === "approve" ? [choice.mode] : []));
  expect([granted, story.harness.session.state.permissions.mode.current]).toEqual([offered, offered.at(-1)]);
  story.vanish();
});

test("B1.9 the lead's own mode changes while a plan is shown: it is shown again with what can be granted now", async () => {
  const story = await tellStory();
  const shown = surface();
  const session = await sessionIn("default");
  const { lead } = leads(story.mailbox, shown.person, { session });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await eventually(() => shown.shown.length === 1, "it is shown");
  await session.send({ type: "mode-chosen", mode: "acceptEdits" });
  await eventually(() => shown.shown.length === 2, "it is shown again");
  const modes = shown.shown.map(({ choices }) => choices.flatMap((one) => (one.kind === "approve" ? [one.mode] : [])));
  expect(modes).toEqual([["default"], ["default", "acceptEdits"]]);
  await lead.close();
  story.vanish();
});

test("B9.1 a plan whose time is over is taken off the surface, and cannot be answered", async () => {
  const story = await tellStory({ everyMs: 20 });
  const shown = surface();
  const { lead, news } = leads(story.mailbox, shown.person);
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await eventually(() => shown.shown.length === 1, "it is shown");
  story.timePasses(anHour);
  await story.settled();
  await eventually(() => shown.closed.length === 1, "it closes");
  await lead.close();
  expect(news.at(-1)).toMatchObject({ type: "team.closed", why: "the time for an answer is over" });
  story.vanish();
});

test("R12.2 what is malformed, forged or foreign in the lead's inbox is logged once, shown to nobody, and cleared away", async () => {
  const mailbox = createFileMailbox({ home: homeFolder() });
  const request = {
    type: "plan_approval_request",
    from: "cy",
    timestamp: new Date().toISOString(),
    planFilePath: "/p.md",
    planContent: "# P",
    requestId: "plan_approval:cy@default:s:1",
  };
  const letters: [string, unknown][] = [
    ["cy", "hello"],
    ["cy", { ...request, planContent: 1 }],
    ["di", request],
    ["cy", { ...request, requestId: "plan_approval:bo@default:s:1" }],
    ["cy", { ...request, hash: "0".repeat(64) }],
    ["cy", { ...request, planContent: " \n" }],
  ];
  for (const [index, [from, text]] of letters.entries()) {
    const message = { from, text: JSON.stringify(text), timestamp: request.timestamp };
    await mailbox.send({ team: "default", agent: "team-lead" }, message, { id: `m${index}` });
  }
  const person = scriptedPerson();
  const { lead, news } = leads(mailbox, person);
  await eventually(
    async () => (await mailbox.peek({ team: "default", agent: "team-lead" })).length === 0,
    "it is cleared",
  );
  await lead.close();
  const reasons = news.map((one) => (one.type === "team.ignored" ? one.reason : one.type));
  expect(reasons.map((reason) => reason.replace(/^A message from .. is ignored: /, ""))).toEqual([
    "it is no message of a team.",
    expect.stringContaining("its plan_approval_request is malformed"),
    "it says that it is from cy, and is not.",
    "its id does not name its sender.",
    "its hash is not that of its plan.",
    "it holds no plan.",
  ]);
  expect(person.reviewed).toEqual([]);
});

test("R12.2 a request of another program, with the fields of section 12 alone, is shown and answered", async () => {
  const mailbox = createFileMailbox({ home: homeFolder() });
  const requestId = "plan_approval:cy@default:4711";
  const text = JSON.stringify({
    type: "plan_approval_request",
    from: "cy",
    timestamp: new Date().toISOString(),
    planFilePath: "/p.md",
    planContent: "# P",
    requestId,
  });
  const message = { from: "cy", text, timestamp: new Date().toISOString() };
  await mailbox.send({ team: "default", agent: "team-lead" }, message, { id: "x" });
  const { pending } = await lookAtInbox(mailbox, "default", Date.now());
  expect(pending.map(({ id, title }) => ({ id, title }))).toEqual([{ id: requestId, title: "P" }]);
  const decision = { approve: true, hash: pending[0]!.hash, mode: "acceptEdits" } as const;
  expect(await answerPlan(mailbox, pending[0]!, { decision, by, now: Date.now() })).toEqual({ kind: "answered" });
  expect(await answerPlan(mailbox, pending[0]!, { decision, by, now: Date.now() })).toEqual({
    kind: "closed",
    why: "approved by ada (terminal)",
  });
  const [answer, ...more] = await mailbox.peek({ team: "default", agent: "cy" });
  expect([JSON.parse(answer!.text), more]).toEqual([
    {
      type: "plan_approval_response",
      requestId,
      approve: true,
      mode: "acceptEdits",
      timestamp: expect.any(String),
      hash: decision.hash,
      by,
    },
    [],
  ]);
});
