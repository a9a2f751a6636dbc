/** Stories of a teammate and its lead: whatever the lead does, one decision counts, and nothing is edited before it. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { scriptedPerson, approveShown } from "../../src/testing/index.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";
import type { Mailbox } from "../../src/mail/mailbox.ts";
import { createNatsMailbox } from "../../src/mail/nats/mailbox.ts";
import { answerPlan } from "../../src/program/team/requests.ts";
import {
  anHour,
  answerTo,
  better,
  by,
  eventually,
  homeFolder,
  plan,
  planHash,
  planThenWork,
  reasonsOf,
  tellStory,
  untouched,
  verdictsOf,
  worked,
} from "./story.ts";

test("R12.1 R12.4 a required plan goes to the lead as a request, and the teammate is told to wait", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const request = await story.incoming();
  const [letter] = await story.mailbox.peek({ team: "default", agent: "team-lead" });
  const { state } = story.harness.session;
  expect(request.id).toMatch(/^plan_approval:bo@default:session:1$/);
  expect({ ...letter, text: JSON.parse(letter!.text) }).toMatchObject({
    id: request.id,
    from: "bo",
    text: {
      type: "plan_approval_request",
      from: "bo",
      planFilePath: state.plan.file,
      planContent: plan,
      requestId: request.id,
      hash: planHash,
    },
  });
  expect(letter!.timestamp).toMatch(/^\d{4}-\d\d-\d\dT/);
  const finished = story.harness.seen.find((event) => event.type === "tool.finished" && event.tool === "ExitPlanMode");
  const filePath = state.plan.file;
  const output = { plan, isAgent: false, filePath, awaitingLeaderApproval: true, requestId: request.id };
  expect(finished).toHaveProperty("output", output);
  expect([state.permissions.mode.current, state.plan.awaiting?.id, story.tree()]).toEqual([
    "plan",
    request.id,
    untouched,
  ]);
  story.vanish();
});

test("R12.1 whoever finds a plan in the inbox finds its writer among the members, however slowly those are kept", async () => {
  const files = createFileMailbox({ home: homeFolder() });
  let isKept = false;
  const found: boolean[] = [];
  const put: Mailbox["snapshots"]["put"] = async (key, text, options) => {
    if (key.plan === "roster") await pause(200);
    const kept = await files.snapshots.put(key, text, options);
    isKept ||= key.plan === "roster";
    return kept;
  };
  const send: Mailbox["send"] = (to, message, options) => {
    if (to.agent === "team-lead") found.push(isKept);
    return files.send(to, message, options);
  };
  const story = await tellStory({ mailbox: { ...files, send, snapshots: { ...files.snapshots, put } } });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.incoming();
  expect(found).toEqual([true]);
  story.vanish();
});

test("R12.2 the lead rejects with feedback, then approves: it works only after the yes, in the mode granted", async () => {
  const story = await tellStory({ mode: "default" });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const first = await story.incoming();
  await story.leadSays(answerTo(first.id, false, { feedback: "Add a test." }));
  await eventually(() => story.harness.session.state.plan.awaiting?.plan === better, "the second plan");
  expect([story.harness.session.state.permissions.mode.current, story.tree()]).toEqual(["plan", untouched]);
  await story.leadSays(answerTo(story.harness.session.state.plan.awaiting!.id, true, { mode: "acceptEdits" }));
  await story.settled();
  expect([story.harness.session.state.permissions.mode, story.tree()]).toEqual([{ current: "acceptEdits" }, worked]);
  expect(verdictsOf(story)).toEqual(["revise", "approve"]);
  story.vanish();
});

test.each([
  ["default", "default"],
  ["acceptEdits", "acceptEdits"],
] as const)("R12.2 R7.4 a yes without a mode leads back to prePlanMode (%s)", async (mode, after) => {
  const story = await tellStory({ mode });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.leadSays(answerTo((await story.incoming()).id, true));
  await story.settled();
  expect(story.harness.session.state.permissions.mode).toEqual({ current: after });
  story.vanish();
});

test("B9.1 the lead is absent and nobody else is there: it ends at the deadline, unapproved, nothing edited", async () => {
  const story = await tellStory({ everyMs: 20 });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  await eventually(() => story.news.length > 0, "it says that it waits");
  expect([story.harness.session.state.plan.awaiting?.id, verdictsOf(story)]).toEqual([id, []]);
  story.timePasses(anHour);
  await story.settled();
  const { permissions, plan: state } = story.harness.session.state;
  expect([permissions.mode.current, state.awaiting, story.tree()]).toEqual(["plan", null, untouched]);
  expect(story.news.map(({ type }) => type)).toEqual(["team.waiting", "team.escalated", "team.expired"]);
  expect(verdictsOf(story)).toEqual(["dismiss"]);
  story.vanish();
});

test("B9.1 the lead is absent and a person is there: the person is asked, with the same text, and the answer counts", async () => {
  const person = scriptedPerson({ reviews: [approveShown({ mode: "acceptEdits" })] });
  const story = await tellStory({ answerWithin: 300, person });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.settled();
  expect(person.reviewed.map(({ plan: shown, agent, id }) => ({ shown, agent, id }))).toEqual([
    { shown: plan, agent: "bo@default", id: "plan_approval:bo@default:session:1" },
  ]);
  expect(story.tree()).toEqual(worked);
  story.vanish();
});

test("B9.1 the lead is slow: an answer within the time counts, a late one does not", async () => {
  const slow = await tellStory();
  await slow.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await slow.incoming();
  slow.timePasses(anHour / 2);
  await slow.leadSays(answerTo(id, true));
  await slow.settled();
  expect(slow.tree()).toEqual(worked);
  slow.vanish();

  const late = await tellStory({ everyMs: 20 });
  await late.harness.session.send({ type: "user-said", text: "write app.ts" });
  const missed = await late.incoming();
  late.timePasses(anHour);
  await late.settled();
  await late.leadSays(answerTo(missed.id, true));
  await eventually(() => reasonsOf(late).length > 0, "the late answer");
  expect([late.tree(), reasonsOf(late)]).toEqual([untouched, [`nobody waits for an answer to ${missed.id}`]]);
  const decision = { approve: true, hash: planHash } as const;
  for (const now of [missed.deadline! + 1_000, missed.deadline! - 1_000]) {
    const answering = await answerPlan(late.mailbox, missed, { decision, by, now });
    expect(answering).toEqual({ kind: "closed", why: "the time for an answer is over" });
  }
  late.vanish();
});

test.each([
  ["answers twice", [true, true]],
  ["contradicts itself: yes, then no", [true, false]],
] as const)(
  "B9.1 R12.2 the lead %s: the first answer counts, the other is ignored and logged",
  async (_, [first, second]) => {
    const story = await tellStory();
    await story.harness.session.send({ type: "user-said", text: "write app.ts" });
    const { id } = await story.incoming();
    await Promise.all([
      story.leadSays(answerTo(id, first, { feedback: "one" })),
      story.leadSays(answerTo(id, second, { feedback: "two" })),
    ]);
    await eventually(() => reasonsOf(story).length > 0, "the second answer");
    await story.settled();
    expect([verdictsOf(story), reasonsOf(story), story.tree()]).toEqual([
      ["approve"],
      [`nobody waits for an answer to ${id}`],
      worked,
    ]);
    story.vanish();
  },
);

test("B9.1 R12.2 no, then yes to the same request: the no counts, and nothing is edited", async () => {
  const story = await tellStory({ steps: [...planThenWork.slice(0, 3), "I think about it."] });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  await story.leadSays(answerTo(id, false, { feedback: "no" }));
  await story.leadSays(answerTo(id, true));
  await eventually(() => reasonsOf(story).length > 0, "the second answer");
  await story.settled();
  expect([verdictsOf(story), story.harness.session.state.permissions.mode.current, story.tree()]).toEqual([
    ["revise"],
    "plan",
    untouched,
  ]);
  story.vanish();
});

test("R12.2 B9.1 answers with a foreign or stale id, from somebody else, or malformed are ignored and logged", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  await story.leadSays(answerTo("plan_approval:bo@default:other:1", true));
  await story.leadSays(answerTo(id, true), { from: "cy" });
  await story.leadSays({ type: "plan_approval_response", requestId: id, approve: "yes" });
  await story.leadSays({ type: "plan_approval_granted", requestId: id });
  await story.leadSays("approved!");
  await story.leadSays(answerTo(id, true, { hash: "0".repeat(64) }));
  await story.leadSays(answerTo(id, true, { mode: "bypassPermissions" }));
  await story.leadSays({ type: "shutdown_request", requestId: "stop:1", session: "another" });
  await eventually(() => reasonsOf(story).length === 8, "word of each of them");
  expect(reasonsOf(story)).toEqual([
    "nobody waits for an answer to plan_approval:bo@default:other:1",
    "its plan_approval_response counts only from the lead",
    expect.stringContaining("its plan_approval_response is malformed"),
    '"plan_approval_granted" is not known here',
    "it is no message of a team",
    `the answer to ${id} does not count: other-hash`,
    `the answer to ${id} does not count: mode-not-available`,
    "its shutdown_request is for another session, another",
  ]);
  expect([verdictsOf(story), story.harness.session.state.plan.awaiting?.id, story.tree()]).toEqual([[], id, untouched]);
  story.vanish();
});

test("B2.1 R12.2 the file changed while the lead looked: the yes does not count, the new text goes to the lead", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const first = await story.incoming();
  story.harness.files.contents.set(first.path, `${plan}\n2. and more`);
  await story.leadSays(answerTo(first.id, true));
  await eventually(async () => (await story.incoming()).id !== first.id, "the new request");
  const second = await story.incoming();
  expect([second.plan, second.previous, story.tree()]).toEqual([`${plan}\n2. and more`, plan, untouched]);
  expect(second.deadline).toBe(first.deadline);
  await story.leadSays(answerTo(second.id, true));
  await story.settled();
  expect([story.tree(), story.harness.session.state.plan.approved?.text]).toEqual([worked, `${plan}\n2. and more`]);
  story.vanish();
});

test("R7.7 R12.2 the lead's own edit is written to the file, approved, and carried out", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const request = await story.incoming();
  await answerPlan(story.mailbox, request, {
    decision: { approve: true, hash: planHash, plan: better },
    by,
    now: Date.now(),
  });
  await story.settled();
  expect([story.harness.files.contents.get(request.path), story.harness.session.state.plan.approved?.text]).toEqual([
    better,
    better,
  ]);
  expect(story.harness.session.state.plans[0]!.decisions.at(-1)).toMatchObject({ kind: "approve", by });
  story.vanish();
});

test("B9.1 R14.2 killed while waiting, answered meanwhile, resumed: the same request, not sent twice, and the answer is taken", async () => {
  const home = homeFolder();
  const before = await tellStory({ home });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await before.incoming();
  before.vanish();
  await before.leadSays(answerTo(id, true));
  const after = await tellStory({
    home,
    files: before.harness.files,
    past: [...before.harness.log],
    steps: planThenWork.slice(3),
  });
  await after.settled();
  expect([verdictsOf(after), after.tree()]).toEqual([["approve"], worked]);
  expect((await after.mailbox.peek({ team: "default", agent: "team-lead" })).map((letter) => letter.id)).toEqual([id]);
  after.vanish();
});

test("B9.1 R12.2 an answer whose letter is taken while it is also found where it is kept counts once, and nothing is said against it", async () => {
  const home = homeFolder();
  const before = await tellStory({ home });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const request = await before.incoming();
  before.vanish();
  await answerPlan(before.mailbox, request, { decision: { approve: true, hash: planHash }, by, now: Date.now() });
  const files = createFileMailbox({ home });
  const taken = gate();
  const put: Mailbox["snapshots"]["put"] = async (key, text, options) => {
    const kept = await files.snapshots.put(key, text, options);
    if (key.plan === request.id) await taken.opened;
    return kept;
  };
  const after = await tellStory({
    files: before.harness.files,
    past: [...before.harness.log],
    steps: planThenWork.slice(3),
    mailbox: { ...files, snapshots: { ...files.snapshots, put } },
  });
  await eventually(() => verdictsOf(after).length > 0, "the letter is taken");
  taken.open();
  await after.settled();
  await after.teammate.leave("done");
  expect([verdictsOf(after), after.tree(), reasonsOf(after)]).toEqual([["approve"], worked, []]);
  after.vanish();
});

test("B9.1 R7.7 while the edit of an answer is being written the same answer comes once more: it counts once, and nothing is said against it", async () => {
  const home = homeFolder();
  const before = await tellStory({ home });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const request = await before.incoming();
  before.vanish();
  const decision = { approve: true, hash: planHash, plan: better } as const;
  await answerPlan(before.mailbox, request, { decision, by, now: Date.now() });
  const mailbox = createFileMailbox({ home });
  const writing = gate();
  const cameAgain = gate();
  const put: Mailbox["snapshots"]["put"] = async (key, text, options) => {
    const kept = await mailbox.snapshots.put(key, text, options);
    if (key.plan === request.id) await writing.opened;
    return kept;
  };
  const { files } = before.harness;
  const writeText: typeof files.writeText = async (...args) => {
    writing.open();
    await cameAgain.opened;
    return files.writeText(...args);
  };
  const after = await tellStory({
    files: { ...files, writeText },
    past: [...before.harness.log],
    steps: planThenWork.slice(3),
    mailbox: { ...mailbox, snapshots: { ...mailbox.snapshots, put } },
  });
  after.harness.session.subscribe((happening) => {
    if (happening.kind !== "event") return;
    if (happening.effects.some((effect) => effect.type === "refuse" && effect.reason === "already-answered"))
      cameAgain.open();
  });
  await after.settled();
  await after.teammate.leave("done");
  expect([verdictsOf(after), after.tree(), reasonsOf(after)]).toEqual([["approve"], worked, []]);
  expect(after.harness.session.state.plan.approved?.text).toBe(better);
  after.vanish();
});

test("B4.4 B9.1 an answer that comes when it was interrupted and has not left yet stays in the inbox: the resumed session takes it", async () => {
  const home = homeFolder();
  const mailbox = createFileMailbox({ home });
  const handed = gate();
  const receive: Mailbox["receive"] = (inbox, take, options) =>
    mailbox.receive(inbox, (letter) => (handed.open(), take(letter)), options);
  const before = await tellStory({ home, mailbox: { ...mailbox, receive } });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await before.incoming();
  before.teammate.interrupt();
  await before.settled();
  await before.leadSays(answerTo(id, true));
  await handed.opened;
  await before.teammate.leave("awaiting_approval");
  before.vanish();
  expect(reasonsOf(before)).toEqual([]);
  const past = [...before.harness.log];
  const after = await tellStory({ home, files: before.harness.files, past, steps: planThenWork.slice(3) });
  await after.settled();
  expect([verdictsOf(after), after.tree()]).toEqual([["approve"], worked]);
  after.vanish();
});

test("B9.1 killed while waiting, resumed without an answer: it waits for the same request until the same deadline", async () => {
  const home = homeFolder();
  const before = await tellStory({ home });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const first = await before.incoming();
  before.vanish();
  const past = [...before.harness.log];
  const after = await tellStory({
    home,
    files: before.harness.files,
    past,
    steps: ["?"],
    later: anHour / 2,
    everyMs: 20,
  });
  const { awaiting } = after.harness.session.state.plan;
  expect([awaiting?.id, awaiting?.deadline]).toEqual([first.id, first.deadline]);
  after.timePasses(anHour / 2);
  await after.settled();
  expect([verdictsOf(after), after.tree()]).toEqual([["dismiss"], untouched]);
  expect((await after.mailbox.peek({ team: "default", agent: "team-lead" })).map(({ id }) => id)).toEqual([first.id]);
  after.vanish();
});

test.each([
  ["before the deadline counts, although it is resumed after it", 0, ["approve"]],
  ["after the deadline does not", anHour + 60_000, ["dismiss"]],
] as const)("B9.1 killed while waiting; an answer that was given %s", async (_, after, verdicts) => {
  const home = homeFolder();
  const before = await tellStory({ home });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await before.incoming();
  before.vanish();
  await before.leadSays(answerTo(id, true, { timestamp: new Date(Date.now() + after).toISOString() }));
  const resumed = await tellStory({
    home,
    files: before.harness.files,
    past: [...before.harness.log],
    steps: planThenWork.slice(3),
    later: anHour + 60_000,
  });
  await resumed.settled();
  expect([verdictsOf(resumed), resumed.tree()]).toEqual([verdicts, after === 0 ? worked : untouched]);
  expect(reasonsOf(resumed)).toEqual(after === 0 ? [] : [`the answer to ${id} came too late`]);
  resumed.vanish();
});

test("B9.1 the lead goes away after it decided and before it could tell: the decision is found, once", async () => {
  const home = homeFolder();
  const before = await tellStory({ home });
  await before.harness.session.send({ type: "user-said", text: "write app.ts" });
  const request = await before.incoming();
  before.vanish();
  const kept = JSON.stringify(answerTo(request.id, true));
  await before.mailbox.snapshots.put({ team: "default", plan: request.id }, kept, { expected: 1 });
  const after = await tellStory({
    home,
    files: before.harness.files,
    past: [...before.harness.log],
    steps: planThenWork.slice(3),
  });
  await after.settled();
  expect([verdictsOf(after), after.tree()]).toEqual([["approve"], worked]);
  after.vanish();
});

test("B9.1 an answer in time whose letter never comes is found at the deadline, where it is kept", async () => {
  const story = await tellStory({ everyMs: 3_000 });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  const kept = JSON.stringify(answerTo(id, true));
  const key = { team: "default", plan: id };
  expect(await story.mailbox.snapshots.put(key, kept, { expected: 1 })).toEqual({ kind: "kept", revision: 2 });
  story.timePasses(anHour);
  await story.settled();
  expect([verdictsOf(story), story.tree()]).toEqual([["approve"], worked]);
  story.vanish();
});

test("B9.1 shutdown and status are heard while it waits; a stopped teammate waits for nobody", async () => {
  const story = await tellStory();
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  const { id } = await story.incoming();
  await story.leadSays({ type: "status_request", requestId: "status:1" });
  await story.leadSays({ type: "shutdown_request", requestId: "stop:1", reason: "not needed" });
  await story.settled();
  await eventually(
    async () => (await story.mailbox.peek({ team: "default", agent: "team-lead" })).length === 3,
    "replies",
  );
  const said = (await story.mailbox.peek({ team: "default", agent: "team-lead" })).map(({ text }) => JSON.parse(text));
  expect(said.slice(1)).toEqual([
    {
      type: "status_report",
      requestId: "status:1",
      status: "awaiting_approval",
      mode: "plan",
      session: "session",
      awaiting: id,
    },
    { type: "shutdown_response", requestId: "stop:1", approve: true },
  ]);
  expect([verdictsOf(story), story.tree()]).toEqual([["dismiss"], untouched]);
  const other = { decision: { approve: true, hash: planHash }, by, now: Date.now() } as const;
  const request = { id, from: "bo", team: "default", hash: planHash, deadline: null } as never;
  expect(await answerPlan(story.mailbox, request, other)).toEqual({ kind: "closed", why: "the teammate was stopped" });
  story.vanish();
});

test("R7.10 R12.1 a required plan that is missing is not sent: the model is told, and stays in plan mode", async () => {
  const story = await tellStory({
    steps: [{ tool: "ExitPlanMode" }, { tool: "Write", input: { file_path: "/repo/app.ts", content: "x" } }, "Stuck."],
  });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.settled();
  const denied = story.harness.seen.filter((event) => event.type === "tool.denied").map(({ code }) => code);
  expect(denied).toEqual(["no-plan", "plan-write"]);
  expect([await story.mailbox.peek({ team: "default", agent: "team-lead" }), story.tree()]).toEqual([[], untouched]);
  story.vanish();
});

test("R12.3 a teammate that chose plan mode itself leaves without the lead, to its own earlier mode", async () => {
  const story = await tellStory({
    planRequired: false,
    mode: "acceptEdits",
    steps: [
      { tool: "EnterPlanMode" },
      planThenWork[0]!,
      { tool: "ExitPlanMode" },
      { tool: "Write", input: { file_path: "/repo/app.ts", content: "done" } },
      "Done.",
    ],
  });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.settled();
  expect([story.harness.session.state.permissions.mode, story.tree()]).toEqual([{ current: "acceptEdits" }, worked]);
  expect(await story.mailbox.peek({ team: "default", agent: "team-lead" })).toEqual([]);
  story.vanish();
});

test("B9.2 the connection is lost from the start: it is said, and work that needs no answer goes on", async () => {
  const mailbox = createNatsMailbox({ url: "nats://127.0.0.1:1", environment: {}, patienceMs: 500 });
  const steps = [{ tool: "Write", input: { file_path: "/repo/app.ts", content: "done" } }, "Done."];
  const story = await tellStory({ mailbox, planRequired: false, steps });
  await story.harness.session.send({ type: "user-said", text: "write app.ts" });
  await story.settled();
  expect(story.tree()).toEqual(worked);
  await eventually(() => story.news.some(({ type }) => type === "team.connection"), "word of the connection");
  await story.teammate.leave("done");
  await mailbox.close();
});

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open?.() };
}
