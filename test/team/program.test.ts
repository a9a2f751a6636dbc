/** Teammates and leads as real processes: the program, a server on loopback, inboxes on disk. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { publicEventShape } from "../../src/agent/ports/event-shapes.ts";
import { team } from "../../src/cli/commands/team/team.ts";
import { lookAtInbox, type PendingPlan } from "../../src/program/team/requests.ts";
import { keepMember, readMembers } from "../../src/program/team/roster.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import {
  planFileIn,
  finish,
  openStage,
  program,
  treeHashes,
  type Ran,
  type Stage,
  type StageOptions,
} from "../headless/program.ts";
import { answerTo, eventually, homeFolder, sealedFiles } from "./story.ts";

const text = "# Add b\n\n1. Create `b.ts`\n";
const hash = createHash("sha256").update(text).digest("hex");

/** Writes a plan, submits it, waits; woken with a yes it writes a file, with a no it plans better. */
function planner(): StageOptions["script"] {
  return (request): ScriptedTurn => {
    const body = JSON.stringify(request.body);
    const said = (words: string): number => body.split(words).length - 1;
    const isApproved = body.includes("Your team lead approved the plan");
    if (isApproved && body.includes("export const b")) return { text: "Done." };
    if (isApproved)
      return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "export const b = 2;\n" } }] };
    const rejected = said("did not approve the plan");
    if (said("Your plan was sent to the team lead") > rejected) return { text: "I wait." };
    const plan = rejected === 0 ? text : `${text}2. Test it, ${rejected}\n`;
    const wrote = said("# Add b");
    if (wrote === rejected || (rejected > 0 && !body.includes(`Test it, ${rejected}`)))
      return { calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: plan } }] };
    return { calls: [{ tool: "ExitPlanMode", input: {} }] };
  };
}

async function stageWith(script: StageOptions["script"] = planner()): Promise<Stage> {
  return openStage({ script });
}

async function inbox(stage: Stage): Promise<readonly PendingPlan[]> {
  return (await lookAtInbox(await sealedFiles(stage.home), "default", Date.now())).pending;
}

async function waiting(stage: Stage, fits: (plan: PendingPlan) => boolean = () => true): Promise<PendingPlan> {
  let found: PendingPlan | undefined;
  await eventually(async () => (found = (await inbox(stage)).find(fits)) !== undefined, "a plan in the inbox");
  return found!;
}

const start = ["team", "start", "bo", "add b", "--plan-required", "--permission-mode", "acceptEdits"];

function begin(
  stage: Stage,
  ...more: readonly string[]
): { readonly ran: Promise<Ran>; readonly kill: (signal: NodeJS.Signals) => void } {
  const child = stage.start([...start, ...more]);
  return { ran: finish(child, ""), kill: (signal) => void child.kill(signal) };
}

test("R12.1 a member whose plan is in the lead's inbox waits, whatever it wrote of itself last", async () => {
  const stage = await stageWith();
  const { ran } = begin(stage, "--output-format", "stream-json", "--deadline", "3600");
  const { id } = await waiting(stage);
  const mailbox = await sealedFiles(stage.home);
  const record = () => readMembers(mailbox, "default");
  await eventually(async () => (await record())[0]?.status === "awaiting_approval", "the member's own word");
  for (const status of ["planning", "working"] as const) {
    await keepMember(mailbox, "default", { ...(await record())[0]!, status, requestId: null });
    const told = await stage.run(["team", "status", "--json"]);
    expect(JSON.parse(told.stdout)).toMatchObject([{ name: "bo", status: "awaiting_approval", requestId: id }]);
  }
  expect((await stage.run(["team", "approve", id])).code).toBe(0);
  expect((await ran).code).toBe(0);
});

test("R12.1 R12.2 B9.2 a teammate plans, waits, is sent back, is approved by another process, and only then edits", async () => {
  const stage = await stageWith();
  const before = treeHashes(stage.repository);
  const { ran } = begin(stage, "--output-format", "stream-json", "--deadline", "3600");
  const first = await waiting(stage);
  const listed = await stage.run(["team", "inbox", "--json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id: first.id, title: "Add b", agent: "bo@default", hash, bytes: 26 },
  ]);
  const shown = await stage.run(["team", "show", "bo"]);
  expect([shown.code, shown.stdout.startsWith(text.trimEnd()), shown.stdout.includes(`Hash: ${hash}`)]).toEqual([
    0,
    true,
    true,
  ]);
  const status = await stage.run(["team", "status", "--json"]);
  expect(JSON.parse(status.stdout)).toMatchObject([
    { name: "bo", status: "awaiting_approval", requestId: first.id, task: "add b" },
  ]);
  const rejected = await stage.run(["team", "reject", first.id, "--feedback", "Test it."]);
  expect(rejected).toMatchObject({ code: 0, stdout: `Rejected ${first.id} of bo@default.\n` });
  const second = await waiting(stage, ({ id }) => id !== first.id);
  expect(treeHashes(stage.repository)).toEqual(before);
  const wrong = await stage.run(["team", "approve", second.id, "--hash", hash]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("another hash")]);
  const approved = await stage.run(["team", "approve", "bo", "--hash", second.hash]);
  expect(approved).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await ran;
  expect(stderr).not.toMatch(/does not count|leave with/);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    events.map((event) => publicEventShape.safeParse(event).error?.message ?? null).filter((one) => one !== null),
  ).toEqual([]);
  const told = events.filter(({ type }) =>
    ["plan.submitted", "plan.rejected", "plan.approved", "result"].includes(String(type)),
  );
  expect(told).toMatchObject([
    { type: "plan.submitted", id: first.id, awaitingLeaderApproval: true },
    { type: "plan.rejected", id: first.id, feedback: "Test it.", by: { surface: "command line" } },
    { type: "plan.submitted", id: second.id, awaitingLeaderApproval: true },
    { type: "plan.approved", id: second.id, hash: second.hash, mode: "acceptEdits" },
    { type: "result", status: "done", mode: "acceptEdits", changed: ["b.ts"] },
  ]);
  expect([code, readFileSync(join(stage.repository, "b.ts"), "utf8")]).toEqual([0, "export const b = 2;\n"]);
  expect(await inbox(stage)).toEqual([]);
});

test("B9.1 R7.11 no lead: at the deadline it ends with its plan, exit code 3, nothing edited, and a late yes is refused", async () => {
  const stage = await stageWith();
  const before = treeHashes(stage.repository);
  const { code, stderr, stdout } = await begin(stage, "--deadline", "5").ran;
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^groundplan: Nobody answered plan_approval:\S+: nothing was approved\.$/m),
  ]);
  const [, id = ""] = /Nobody answered (\S+):/.exec(stderr) ?? [];
  expect(stdout).toContain(`Hash: ${hash}`);
  expect(treeHashes(stage.repository)).toEqual(before);
  const late = await stage.run(["team", "approve", id]);
  expect([late.code, late.stderr]).toEqual([
    1,
    expect.stringContaining("needs no answer any more: the time for an answer is over"),
  ]);
});

test("B9.1 R14.2 killed with -9 while it waits, approved meanwhile, resumed: one request, one yes, and the work is done", async () => {
  const stage = await stageWith();
  const before = treeHashes(stage.repository);
  const first = begin(stage, "--output-format", "stream-json");
  const { id } = await waiting(stage);
  const status = await stage.run(["team", "status", "--json"]);
  const [{ session }] = JSON.parse(status.stdout) as [{ session: string }];
  first.kill("SIGKILL");
  await first.ran;
  expect(JSON.parse((await stage.run(["team", "status", "--json"])).stdout)).toMatchObject([
    { name: "bo", status: "gone" },
  ]);
  expect(await stage.run(["team", "approve", id])).toMatchObject({ code: 0 });
  expect(treeHashes(stage.repository)).toEqual(before);
  const resumed = await stage.run(["team", "start", "bo", "--resume", session, "--output-format", "json"]);
  expect([resumed.code, JSON.parse(resumed.stdout)]).toMatchObject([0, { status: "done", mode: "acceptEdits" }]);
  expect(resumed.stderr).not.toContain("does not count");
  expect([existsSync(join(stage.repository, "b.ts")), await inbox(stage)]).toEqual([true, []]);
});

test("B9.1 killed with -9, resumed without an answer: the same request still waits, and is not there twice", async () => {
  const stage = await stageWith();
  const first = begin(stage);
  const { id } = await waiting(stage);
  first.kill("SIGKILL");
  await first.ran;
  const child = stage.start(["-p", "--continue"]);
  const ran = finish(child, "go on");
  await eventually(
    async () => JSON.parse((await stage.run(["team", "status", "--json"])).stdout)[0].status !== "gone",
    "it is back",
  );
  expect((await inbox(stage)).map((one) => one.id)).toEqual([id]);
  expect(await stage.run(["team", "approve", id])).toMatchObject({ code: 0 });
  expect((await ran).code).toBe(0);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(true);
});

test("B9.1 asked to stop while it waits, it ends at once, nothing edited, and its plan waits for nobody", async () => {
  const stage = await stageWith();
  const before = treeHashes(stage.repository);
  const { ran } = begin(stage);
  await waiting(stage);
  expect(await stage.run(["team", "stop", "bo", "--feedback", "not needed"])).toMatchObject({ code: 0 });
  const { code, stderr } = await ran;
  expect([code, stderr]).toEqual([130, expect.stringContaining("The lead ended this session: not needed.")]);
  expect([treeHashes(stage.repository), await inbox(stage)]).toEqual([before, []]);
  expect(await stage.run(["team", "stop", "bo"])).toMatchObject({
    code: 1,
    stderr: "groundplan: bo is not at work (stopped); nobody was asked to end.\n",
  });
  const bo = { team: "default", agent: "bo" };
  expect(await (await sealedFiles(stage.home)).peek(bo)).toEqual([]);
});

test("B4.4 Ctrl-C while it waits ends it; the request stays, and a resumed session takes the answer", async () => {
  const stage = await stageWith();
  const { ran, kill } = begin(stage);
  const { id } = await waiting(stage);
  kill("SIGINT");
  expect((await ran).code).toBe(130);
  expect((await inbox(stage)).map((one) => one.id)).toEqual([id]);
});

test("B2.6 R12.2 several processes answer at once, some with yes, some with no: exactly one of them counts", async () => {
  const stage = await stageWith();
  const { ran } = begin(stage, "--output-format", "stream-json");
  const { id } = await waiting(stage);
  const answers = await Promise.all([
    stage.run(["team", "approve", id]),
    stage.run(["team", "reject", id, "--feedback", "no"]),
    stage.run(["team", "approve", id, "--mode", "default"]),
    stage.run(["team", "reject", id, "--feedback", "never"]),
  ]);
  expect(answers.map(({ code }) => code === 0).filter(Boolean)).toEqual([true]);
  if (answers[1].code === 0 || answers[3].code === 0) {
    const again = await waiting(stage);
    expect(again.id).not.toBe(id);
    await stage.run(["team", "stop", "bo"]);
  }
  const { stdout } = await ran;
  const verdicts = stdout.split("\n").filter((line) => /"type":"plan\.(approved|rejected)"/.test(line));
  expect(verdicts).toHaveLength(1);
});

test("R12.1 B1.1 a teammate that tries to approve its own plan through the shell does not get out of plan mode", async () => {
  const home: { folder?: string } = {};
  const stage = await stageWith((request) => {
    const body = JSON.stringify(request.body);
    if (!body.includes("# Add b"))
      return { calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: text } }] };
    if (!body.includes("Your plan was sent")) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    if (body.includes("team approve")) return { text: "I wait." };
    const command = `GROUNDPLAN_HOME=${home.folder} ${process.execPath} ${program} team approve bo --mode acceptEdits`;
    return { calls: [{ tool: "Bash", input: { command } }] };
  });
  home.folder = stage.home;
  const { ran } = begin(stage, "--deadline", "6", "--output-format", "stream-json");
  const { code, stdout } = await ran;
  expect(code).toBe(3);
  expect(stdout.split("\n").filter((line) => line.includes('"type":"plan.approved"'))).toEqual([]);
  expect(stdout).toContain("team approve bo");
  expect(stdout).toContain('"type":"team.expired","id":"plan_approval:bo@default:');
});

test("B2.6 a lead that another program drives: the plan arrives as an event, and a verdict line answers it", async () => {
  const stage = await stageWith();
  const settings = ["--settings", '{"team":{"role":"lead"}}', "--permission-mode", "acceptEdits"];
  const lead = stage.start(["-p", "--input-format", "stream-json", "--output-format", "stream-json", ...settings]);
  let heard = "";
  lead.stdout.setEncoding("utf8").on("data", (chunk: string) => (heard += chunk));
  const { ran } = begin(stage);
  await eventually(() => heard.includes('"type":"team.request"'), "the request as an event");
  const request = heard
    .split("\n")
    .map((line) => (line === "" ? {} : JSON.parse(line)))
    .find(({ type }) => type === "team.request");
  expect(request).toEqual({
    type: "team.request",
    id: expect.stringMatching(/^plan_approval:bo@default:/),
    from: "bo@default",
    title: "Add b",
    path: expect.stringContaining("/plans/"),
    hash,
    text,
    deadline: expect.any(Number),
  });
  lead.stdin.write(`${JSON.stringify({ type: "verdict", id: request.id, hash, kind: "approve" })}\n`);
  expect((await ran).code).toBe(0);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(true);
  lead.stdin.end();
  await new Promise((resolve) => lead.on("close", resolve));
});

test("B9.1 no lead, but a person behind the teammate: asked at the deadline, and the answer counts", async () => {
  const stage = await stageWith();
  const driven = ["--input-format", "stream-json", "--output-format", "stream-json", "--deadline", "2"];
  const teammate = stage.start([...start, ...driven]);
  let heard = "";
  teammate.stdout.setEncoding("utf8").on("data", (chunk: string) => (heard += chunk));
  const ended = new Promise<number | null>((resolve) => teammate.on("close", resolve));
  await eventually(() => heard.includes('"type":"team.escalated"'), "the person is asked");
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
  const { id } = JSON.parse(heard.split("\n").find((line) => line.includes('"type":"team.escalated"'))!) as {
    id: string;
  };
  teammate.stdin.write(`${JSON.stringify({ type: "verdict", id, hash, kind: "approve" })}\n`);
  await eventually(() => heard.includes("Done."), "the work is done");
  teammate.stdin.end();
  expect([await ended, existsSync(join(stage.repository, "b.ts")), heard.includes("team.expired")]).toEqual([
    0,
    true,
    false,
  ]);
});

test("R2.5 R12.1 the Agent tool with a name and mode plan: a teammate inside of the run, approved from another process", async () => {
  const inside = planner();
  const brief = "Brief for the teammate: add b.";
  const stage = await stageWith((request, turn) => {
    const body = JSON.stringify(request.body);
    const { messages } = request.body as { messages: readonly unknown[] };
    if (JSON.stringify(messages[0]).includes(brief)) return inside(request, turn);
    if (body.includes("tool_result")) return { text: "bo is done." };
    const input = { description: "add b", prompt: brief, subagent_type: "general-purpose", name: "bo", mode: "plan" };
    return { calls: [{ tool: "Agent", input }] };
  });
  const before = treeHashes(stage.repository);
  const ran = finish(
    stage.start(["-p", "let bo add b", "--permission-mode", "acceptEdits", "--output-format", "json"]),
    "",
  );
  const { id, hash: asked } = await waiting(stage);
  expect([asked, treeHashes(stage.repository)]).toEqual([hash, before]);
  expect(await stage.run(["team", "approve", id])).toMatchObject({ code: 0 });
  const { code, stdout } = await ran;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "done", result: "bo is done.", changed: ["b.ts"] }]);
});

test("R12.1 R7.10 a teammate that must plan and has no plan fails, and sends nothing", async () => {
  const stage = await stageWith((_, turn) =>
    turn === 1 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "No idea." },
  );
  const { code, stderr } = await begin(stage).ran;
  expect([code, stderr]).toEqual([1, expect.stringContaining("ended without a plan")]);
  expect(await inbox(stage)).toEqual([]);
});

test("wrong usage says what to do", async () => {
  process.env["GROUNDPLAN_HOME"] = homeFolder();
  const nowhere = '{"team":{"transport":"nats","natsUrl":"nats://127.0.0.1:1"}}';
  const lines: [readonly string[], number, string][] = [
    [["team"], 2, "groundplan team start"],
    [["team", "fly"], 2, "There is no groundplan team"],
    [["team", "start"], 2, "Name the teammate and its task"],
    [["team", "start", "../x", "task"], 2, "cannot name a team or an agent"],
    [["team", "start", "team-lead", "task"], 2, "the lead's own name"],
    [["team", "start", "bo", "task", "--deadline", "soon"], 2, "--deadline takes seconds"],
    [["team", "start", "bo", "task", "--team"], 2, "--team needs a value"],
    [["team", "start", "bo", "task", "--resume", "--plan-required"], 2, "chosen when a teammate starts"],
    [["team", "show"], 2, "exactly one id"],
    [["team", "show", "nobody"], 1, "waits in team default"],
    [["team", "stop", "nobody"], 1, "Nobody called nobody is in team default"],
    [["team", "approve", "x", "--mode", "plan"], 2, "--mode takes one of"],
    [["team", "approve", "x", "--hash", "abc"], 2, "--hash takes"],
    [["team", "reject", "x"], 2, "Say what should change"],
    [["team", "inbox", "--team", "a/b"], 2, "cannot name a team or an agent"],
    [["team", "inbox", "--settings", '{"team":{"transport":"nats"}}'], 2, "team.natsUrl is not set"],
    [["team", "inbox", "--settings", nowhere], 1, "cannot be read: No connection within 5 s"],
  ];
  for (const [args, code, words] of lines) {
    const said: string[] = [];
    const out = new Writable({ write: (chunk, _, done) => (said.push(String(chunk)), done()) });
    const ended = await team(args.slice(1), { stdin: Readable.from([]), stdout: out, stderr: out });
    expect([args.join(" "), ended, said.join("")]).toEqual([args.join(" "), code, expect.stringContaining(words)]);
  }
  delete process.env["GROUNDPLAN_HOME"];
});

test("R12.4 two processes under one name: the second is told who has it", async () => {
  const stage = await stageWith();
  const { ran } = begin(stage);
  await waiting(stage);
  const second = await stage.run(start);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining("bo is at work in team default already, in process"),
  ]);
  await stage.run(["team", "stop", "bo"]);
  await ran;
});

test("R12.2 B9.2 an answer that does not carry the team's seal is left out, in words that say what to do; the lead's own counts", async () => {
  const stage = await stageWith();
  const child = stage.start(start);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const ran = finish(child, "");
  const { id } = await waiting(stage);
  const folder = join(stage.home, "teams/default");
  expect([statSync(join(folder, "secret")).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  const yes = { from: "team-lead", text: JSON.stringify(answerTo(id, true)), timestamp: new Date().toISOString() };
  const file = join(folder, "inboxes/bo.json");
  writeFileSync(
    `${file}.hand`,
    JSON.stringify([
      { ...yes, id: "bare" },
      { ...yes, id: "forged", mac: "A".repeat(43) },
    ]),
  );
  renameSync(`${file}.hand`, file);
  await eventually(() => stderr.includes("bare") && stderr.includes("forged"), "word of both");
  expect(stderr).toContain("The message bare from team-lead is left out: it carries no seal of the team.");
  expect(stderr).toContain("its seal is not this team's, or it was changed on the way.");
  expect(stderr).toContain(join(folder, "secret"));
  await eventually(() => readFileSync(file, "utf8") === "[]\n", "both are taken away");
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
  expect(await stage.run(["team", "approve", id])).toMatchObject({ code: 0 });
  expect([(await ran).code, existsSync(join(stage.repository, "b.ts"))]).toEqual([0, true]);
});

test("R12.2 B9.2 a lead with another secret sees no plan and can approve none; with the same one it can", async () => {
  const stage = await stageWith();
  const { ran } = begin(stage);
  const { id } = await waiting(stage);
  const other = join(stage.repository, "../other-secret");
  writeFileSync(other, `${"b".repeat(43)}\n`, { mode: 0o600 });
  const environment = { GROUNDPLAN_TEAM_SECRET_FILE: other };
  const seen = await stage.run(["team", "inbox"], { environment });
  expect([seen.stdout.includes(id), seen.stderr]).toEqual([
    false,
    expect.stringContaining("the members of a team share one secret"),
  ]);
  expect((await stage.run(["team", "approve", id], { environment })).code).not.toBe(0);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
  rmSync(other);
  expect(await stage.run(["team", "inbox"], { environment })).toMatchObject({
    stderr: expect.stringContaining("GROUNDPLAN_TEAM_SECRET_FILE names") as string,
  });
  writeFileSync(other, readFileSync(join(stage.home, "teams/default/secret")), { mode: 0o644 });
  expect(await stage.run(["team", "inbox"], { environment })).toMatchObject({
    stderr: expect.stringContaining("chmod 600") as string,
  });
  rmSync(other);
  writeFileSync(other, readFileSync(join(stage.home, "teams/default/secret")), { mode: 0o600 });
  expect(await stage.run(["team", "approve", id], { environment })).toMatchObject({ code: 0 });
  expect((await ran).code).toBe(0);
});

test("R12.3 a teammate that chose plan mode itself leaves without a plan and without the lead, and is told one thing: to go on", async () => {
  const bodies: string[] = [];
  const stage = await stageWith((request) => {
    const body = JSON.stringify(request.body);
    bodies.push(body);
    if (!body.includes("Plan mode is on")) return { calls: [{ tool: "EnterPlanMode", input: {} }] };
    if (!body.includes("You left plan mode")) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    if (body.includes("export const b")) return { text: "Done." };
    return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "export const b = 2;\n" } }] };
  });
  const args = ["team", "start", "bo", "add b", "--permission-mode", "acceptEdits", "--output-format", "json"];
  const { code, stdout } = await stage.run(args);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "done", mode: "acceptEdits", changed: ["b.ts"] }]);
  const last = bodies.at(-1)!;
  const said = (words: string): number => last.split(words).length - 1;
  expect([said("You left plan mode"), said("Plan mode is off, as you chose"), said("nothing was approved")]).toEqual([
    1, 1, 0,
  ]);
  expect([said("Wait for"), said("Please write your plan"), said("is only a draft")]).toEqual([0, 0, 0]);
  expect(await inbox(stage)).toEqual([]);
});

test.each([
  ["whose only edit was denied", ["add b"], { code: 1, status: "failed" }],
  ["that ends a plan of its own in words", ["/plan add b"], { code: 0, status: "done" }],
])("R12.1 a teammate %s is to its team what its exit code says", async (_, prompt, { code, status }) => {
  const write = { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "b" } }] };
  const stage = await stageWith((_request, turn) => (turn === 1 && code === 1 ? write : { text: "So be it." }));
  expect(await stage.run(["team", "start", "bo", ...prompt])).toMatchObject({ code });
  const told = await stage.run(["team", "status", "--json"]);
  expect(JSON.parse(told.stdout)).toMatchObject([{ name: "bo", status }]);
});

test("R12.1 a teammate that was sent back and has no other plan says so, and not that nothing was sent", async () => {
  const plans = planner();
  const stage = await stageWith((request, turn) =>
    JSON.stringify(request.body).includes("did not approve the plan") ? { text: "No idea." } : plans(request, turn),
  );
  const { ran } = begin(stage, "--deadline", "3600");
  const { id } = await waiting(stage);
  await stage.run(["team", "reject", id, "--feedback", "Test it."]);
  const { code, stderr } = await ran;
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("ended without a plan: the lead sent the last one back."),
  ]);
  expect(stderr).not.toContain("does not count");
  const told = await stage.run(["team", "status", "--json"]);
  expect(JSON.parse(told.stdout)).toMatchObject([{ name: "bo", status: "failed" }]);
});
