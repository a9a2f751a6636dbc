/** `groundplan review` as a person and a script use it: the real program, in processes of its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import type { RunResult } from "../../src/cli/run-result.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { finish, planFileIn, setStage, type Ran, type Stage } from "../headless/program.ts";
import { pageAt, send, until, visit } from "./stage.ts";

const stages: Stage[] = [];
const children: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const stage of stages.splice(0)) await stage.close();
});

const plan = "# Change a\n\n- Change `a.ts`\n- Test it\n";

test("B3.6 a loose file waits for a decision: the link is the first line on stdout, the decision the last one", async () => {
  const { stage, file } = await loose(plan);
  const review = await startReview(stage, [file]);
  const page = await visit(review.link);
  const state = await page.state();
  expect(state).toMatchObject({ text: plan, hash: hashText(plan), session: null, request: { id: "file-1" } });
  const comments = [{ id: "c1", kind: "change", from: 3, to: 3, quote: "`a.ts`", text: "b, too" }];
  const verdict = { requestId: "file-1", hash: state.hash, kind: "revise", feedback: "Not yet.", comments };
  expect((await page.post("verdict", verdict)).status).toBe(200);
  const ran = await review.ended;
  expect(ran.code).toBe(3);
  expect(ran.stdout.trimEnd().split("\n")).toEqual([
    review.link,
    JSON.stringify({
      type: "review",
      kind: "revise",
      file,
      session: null,
      hash: hashText(plan),
      feedback: "Not yet.",
      comments,
    }),
  ]);
  expect(readFileSync(file, "utf8")).toBe(plan);
});

test("B2.1 R7.7 an edit made while approving is written to the loose file, and its hash is the approved one", async () => {
  const { stage, file } = await loose(plan);
  const review = await startReview(stage, [file]);
  const page = await visit(review.link);
  const edited = `${plan}- And document it ✓\n`;
  const body = { requestId: "file-1", hash: hashText(plan), kind: "approve", mode: "default", plan: edited };
  expect((await page.post("verdict", body)).status).toBe(200);
  const ran = await review.ended;
  expect(ran.code).toBe(0);
  expect(JSON.parse(lastLine(ran))).toEqual({
    type: "review",
    kind: "approve",
    file,
    session: null,
    hash: hashText(edited),
    mode: "default",
    plan: edited,
  });
  expect(readFileSync(file, "utf8")).toBe(edited);
});

test("B2.1 a loose file that changed on disk is not approved; the new text is shown with what was there before", async () => {
  const { stage, file } = await loose(plan);
  const review = await startReview(stage, [file]);
  const page = await visit(review.link);
  const before = await page.state();
  writeFileSync(file, "# Another plan\n");
  const refused = await page.post("verdict", { requestId: "file-1", hash: before.hash, kind: "approve" });
  expect(refused).toMatchObject({
    status: 409,
    value: { accepted: false, reason: "stale", state: { text: "# Another plan\n", previous: plan } },
  });
  review.child.kill("SIGTERM");
  expect(await review.ended).toMatchObject({ code: 130, stdout: `${review.link}\n` });
});

test("B2.2 an interrupted review approves nothing, ends at once and says so", async () => {
  const { stage, file } = await loose(plan);
  const review = await startReview(stage, [file]);
  const page = await visit(review.link);
  const listening = page.send("api/events");
  await page.state();
  review.child.kill("SIGINT");
  const ran = await review.ended;
  expect(ran).toMatchObject({ code: 130, stdout: `${review.link}\n` });
  expect(ran.stderr).toContain("nothing was approved");
  expect((await listening).body).toContain('event: gone\ndata: {"reason":"ended"}');
});

test("what cannot be reviewed is said in one line, and nothing is served", async () => {
  const { stage, file } = await loose("  \n");
  expect(await stage.run(["review", file])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["review", "nowhere.md"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["review"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["review", "a", "b"])).toMatchObject({ code: 2, stdout: "" });
  expect(await stage.run(["review", "--nothing"])).toMatchObject({ code: 2, stdout: "" });
});

test("a browser that cannot be opened is told on stderr alone; the link stands", async () => {
  const { stage, file } = await loose(plan);
  const review = await startReview(stage, [file], { environment: { BROWSER: "/nowhere/browser" }, open: true });
  await until("the failure is told", () => review.stderr().includes("could not be opened"));
  expect((await (await visit(review.link)).state()).text).toBe(plan);
});

test("B3.6 after a restart the port, the path and the cookie are the same; the secret is for this person alone", async () => {
  const { stage, file } = await loose(plan);
  const first = await startReview(stage, [file]);
  const page = await visit(first.link);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await startReview(stage, [file]);
  expect(second.link.split("?")[0]).toBe(first.link.split("?")[0]);
  expect((await page.state()).text).toBe(plan);
  expect((await send(first.link)).status).toBe(403);
  const folder = join(stage.home, "reviews", "files");
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600]);
});

test("B3.6 a port that somebody else took meanwhile: another one, another secret, and a clear line", async () => {
  const { stage, file } = await loose(plan);
  const first = await startReview(stage, [file]);
  const page = await visit(first.link);
  first.child.kill("SIGKILL");
  await first.ended;
  const { port } = new URL(first.link);
  const thief = createServer();
  await new Promise<void>((resolve) => void thief.listen(Number(port), "127.0.0.1", resolve));
  try {
    const second = await startReview(stage, [file]);
    expect(new URL(second.link).port).not.toBe(port);
    await until("the line", () => second.stderr().includes(`port ${port} is taken`));
    const stolen = pageAt(second.link.split("?")[0]!, page.cookie);
    expect((await stolen.send("api/state")).status).toBe(401);
  } finally {
    thief.close();
  }
});

test("B2.1 B2.7 a decision on a session that is not running is kept for this person alone, and counts when it is resumed", async () => {
  const stage = await planned();
  const { sessionId, plan: shown } = await headless(stage);
  const review = await startReview(stage, []);
  const page = await visit(review.link);
  const state = await page.state();
  expect(state).toMatchObject({ text: plan, hash: shown!.hash, session: { id: sessionId, live: false } });
  const body = { requestId: state.request!.id, hash: state.hash, kind: "approve", mode: "acceptEdits", notes: "Go." };
  expect((await page.post("verdict", body)).value).toMatchObject({ accepted: true, state: { request: null } });
  const ran = await review.ended;
  expect(ran.code).toBe(0);
  expect(JSON.parse(lastLine(ran))).toMatchObject({
    kind: "approve",
    session: sessionId,
    delivered: false,
    hash: state.hash,
  });
  expect(keptFiles(stage).map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);

  const resumed = await stage.run(["-p", "--resume", sessionId, "--output-format", "json"]);
  expect(resumed.code).toBe(0);
  const result = JSON.parse(resumed.stdout) as RunResult;
  expect(result).toMatchObject({ status: "done", mode: "acceptEdits", plan: { status: "approved", hash: state.hash } });
  expect(readFileSync(join(stage.repository, "b.ts"), "utf8")).toBe("carried out");
  expect(keptFiles(stage)).toEqual([]);
  expect(decisionsIn(stage, sessionId)).toMatchObject([
    { verdict: { kind: "approve", hash: state.hash, notes: "Go." }, by: { surface: "browser" } },
  ]);
});

test("B2.1 a kept approval of a text that is no longer the plan's does not count when the session is resumed", async () => {
  const stage = await planned();
  const { sessionId, plan: shown } = await headless(stage);
  const review = await startReview(stage, [shown!.path]);
  const page = await visit(review.link);
  const state = await page.state();
  await page.post("verdict", { requestId: state.request!.id, hash: state.hash, kind: "approve" });
  await review.ended;
  writeFileSync(shown!.path, "# Something else\n");
  const resumed = await stage.run(["-p", "--resume", sessionId, "--output-format", "json"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    status: "plan_ready",
    mode: "plan",
    plan: { text: "# Something else\n" },
  });
  expect(resumed.code).toBe(3);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
});

test("B3.2 comments on a plan that is not under review reach the model, quoted with their lines, when the session is resumed", async () => {
  const stage = await planned();
  const { sessionId, plan: shown } = await headless(stage);
  const approved = await stage.run(["-p", "--resume", sessionId, "--approve", shown!.hash, "--output-format", "json"]);
  expect(approved.code).toBe(0);
  const review = await startReview(stage, [shown!.path]);
  const page = await visit(review.link);
  const state = await page.state();
  expect(state).toMatchObject({ request: null, plan: { status: "approved" } });
  const comments = [{ id: "c9", kind: "question", from: 3, to: 3, quote: "Change `a.ts`", text: "And b.ts?" }];
  expect((await page.post("comments", { hash: state.hash, comments })).status).toBe(200);
  expect(JSON.parse(lastLine(await review.ended))).toMatchObject({ kind: "comment", comments, delivered: false });
  const asked = stage.server.requests.length;
  expect((await stage.run(["-p", "--resume", sessionId])).code).toBe(0);
  expect(stage.server.requests).toHaveLength(asked + 1);
  const words = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(words).toContain(
    "- Question, line 3 (answer in text; no reason to rewrite the plan):\\n> Change `a.ts`\\nAnd b.ts?",
  );
  expect(keptFiles(stage)).toEqual([]);
});

test("B2.6 B3.2 a session that runs in another process hears the page at once: sent back, shown again, approved", async () => {
  const stage = await planned();
  const live = startLive(stage);
  const submitted = await live.event("plan.submitted");
  const review = await startReview(stage, []);
  const page = await visit(review.link);
  const first = await until("it is open", async () => ((await page.state()).request === null ? null : page.state()));
  expect(first).toMatchObject({ hash: submitted["hash"], session: { live: true } });
  const comments = [{ id: "c1", kind: "change", from: 4, to: 4, quote: "Test it", text: "Twice." }];
  const sent = await page.post("verdict", { requestId: first.request!.id, hash: first.hash, kind: "revise", comments });
  expect(sent.status).toBe(200);
  const next = await until("the next revision", async () => {
    const state = await page.state();
    return state.request?.revision === 2 ? state : null;
  });
  expect(next).toMatchObject({ previous: plan, comments: [{ id: "c1", anchor: "kept" }] });
  const late = await page.post("verdict", { requestId: first.request!.id, hash: first.hash, kind: "approve" });
  expect(late).toMatchObject({ status: 409, value: { accepted: false } });
  const body = { requestId: next.request!.id, hash: next.hash, kind: "approve", mode: "acceptEdits" };
  expect((await page.post("verdict", body)).status).toBe(200);
  const ran = await review.ended;
  expect(ran.code).toBe(0);
  expect(JSON.parse(lastLine(ran))).toMatchObject({ kind: "approve", hash: next.hash, delivered: true });
  await live.event("plan.approved");
  live.child.stdin.end();
  expect((await live.ended).code).toBe(0);
  expect(keptFiles(stage)).toEqual([]);
});

test("B2.6 when the other surface answers first, the page's answer does not count and it is told who did", async () => {
  const stage = await planned();
  const live = startLive(stage);
  const submitted = await live.event("plan.submitted");
  const review = await startReview(stage, []);
  const page = await visit(review.link);
  const state = await until("it is open", async () => ((await page.state()).request === null ? null : page.state()));
  live.say({ type: "verdict", id: submitted["id"], hash: submitted["hash"], kind: "abandon" });
  await live.event("plan.closed");
  const late = await page.post("verdict", { requestId: state.request!.id, hash: state.hash, kind: "approve" });
  expect(late).toMatchObject({
    status: 409,
    value: {
      accepted: false,
      reason: "answered",
      state: { request: null, answered: { by: { surface: "stream-json" } } },
    },
  });
  live.child.stdin.end();
  await live.ended;
  expect(keptFiles(stage)).toEqual([]);
});

async function loose(text: string): Promise<{ readonly stage: Stage; readonly file: string }> {
  const stage = await setStage({ script: () => ({ text: "Hello." }), git: false });
  stages.push(stage);
  const file = join(stage.repository, "plan.md");
  writeFileSync(file, text);
  return { stage, file };
}

/** A model that plans, takes "Twice." into account, and carries the plan out. */
async function planned(): Promise<Stage> {
  const stage = await setStage({
    script: ({ body }): ScriptedTurn => {
      const said = JSON.stringify(body);
      const write = (content: string): ScriptedTurn => ({
        calls: [
          { tool: "Write", input: { file_path: planFileIn(said), content } },
          { tool: "ExitPlanMode", input: {} },
        ],
      });
      const last = JSON.stringify((body as { messages: readonly unknown[] }).messages.at(-1));
      if (last.includes("Not approved")) return write(plan.replace("Test it", "Test it twice"));
      if (last.includes("Approved Plan")) {
        return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "carried out" } }] };
      }
      return last.includes("change a") ? write(plan) : { text: "Done." };
    },
  });
  stages.push(stage);
  return stage;
}

async function headless(stage: Stage): Promise<RunResult> {
  const ran = await stage.run(["-p", "change a", "--permission-mode", "plan", "--output-format", "json"]);
  expect(ran.code).toBe(3);
  return JSON.parse(ran.stdout) as RunResult;
}

interface Reviewing {
  readonly child: ChildProcessWithoutNullStreams;
  readonly link: string;
  readonly ended: Promise<Ran>;
  readonly stderr: () => string;
}

async function startReview(
  stage: Stage,
  args: readonly string[],
  { environment = {}, open = false }: { environment?: Record<string, string>; open?: boolean } = {},
): Promise<Reviewing> {
  const child = stage.start(["review", ...(open ? [] : ["--no-open"]), ...args], { environment });
  children.push(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const ended = finish(child, "");
  const link = await until(`a link (${stderr})`, () => (stdout.includes("\n") ? stdout.split("\n")[0]! : null));
  return { child, link, ended, stderr: () => stderr };
}

function startLive(stage: Stage) {
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", ...streaming, "--permission-mode", "plan"]);
  children.push(child);
  const events: Record<string, unknown>[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop()!;
    events.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
  });
  const say = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  say({ type: "user", text: "change a" });
  const ended = new Promise<{ code: number | null }>((resolve) => child.on("close", (code) => resolve({ code })));
  const event = (wanted: string) => until(wanted, () => events.find(({ type }) => type === wanted) ?? null);
  return { child, say, event, ended };
}

function lastLine({ stdout }: Ran): string {
  return stdout.trimEnd().split("\n").at(-1)!;
}

function keptFiles({ home }: Stage): readonly string[] {
  const reviews = join(home, "reviews");
  mkdirSync(reviews, { recursive: true });
  return readdirSync(reviews, { recursive: true, encoding: "utf8" })
    .filter((name) => /answers\/.*\.json$/.test(name))
    .map((name) => join(reviews, name));
}

function decisionsIn({ home }: Stage, id: string): readonly unknown[] {
  const sessions = join(home, "sessions");
  const log = readFileSync(join(sessions, readdirSync(sessions)[0]!, `${id}.jsonl`), "utf8");
  return log
    .split("\n")
    .filter((line) => line.includes('"review-decided"'))
    .map((line) => (JSON.parse(line) as { event: unknown }).event);
}
