/** `groundplan review` on the plan of a session: kept where it does not run, heard at once where it does. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import type { RunResult } from "../../src/faces/headless/run-result.ts";
import type { Stage } from "../headless/program.ts";
import { headless, keptFiles, lastLine, plan, planned, programs, startLive, startReview } from "./programs.ts";
import { visit } from "./stage.ts";
import { until } from "../support/until.ts";

const all = programs();
afterEach(all.end);

test("B2.1 B2.7 a decision on a session that is not running is kept for this person alone, and counts when it is resumed", async () => {
  const stage = await planned(all);
  const { sessionId, plan: shown } = await headless(stage);
  const review = await startReview(all, stage, []);
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
  expect(result).toMatchObject({
    status: "done",
    mode: "acceptEdits",
    plan: { status: "executing", hash: state.hash },
  });
  expect(readFileSync(join(stage.repository, "b.ts"), "utf8")).toBe("carried out");
  expect(keptFiles(stage)).toEqual([]);
  expect(decisionsIn(stage, sessionId)).toMatchObject([
    { verdict: { kind: "approve", hash: state.hash, notes: "Go." }, by: { surface: "browser" } },
  ]);
});

test("B2.1 a kept approval of a text that is no longer the plan's does not count when the session is resumed", async () => {
  const stage = await planned(all);
  const { sessionId, plan: shown } = await headless(stage);
  const review = await startReview(all, stage, [shown!.path]);
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

test("B2.6 of two programs that review the same plan the first answer is kept; the other says whose it was; later it may be replaced", async () => {
  const stage = await planned(all);
  const { sessionId } = await headless(stage);
  const [one, other] = [await startReview(all, stage, []), await startReview(all, stage, [])];
  const [first, second] = [await visit(one.link), await visit(other.link)];
  const state = await first.state();
  const body = { requestId: state.request!.id, hash: state.hash, kind: "abandon" };
  expect((await second.state()).request).toEqual(state.request);
  expect((await first.post("verdict", body)).status).toBe(200);
  await one.ended;
  const late = await second.post("verdict", { ...body, kind: "approve" });
  expect(late).toMatchObject({
    status: 409,
    value: { reason: "answered", state: { request: null, answered: { kind: "abandon", here: false } } },
  });
  other.child.kill("SIGTERM");
  await other.ended;
  const again = await startReview(all, stage, []);
  const third = await visit(again.link);
  expect((await third.post("verdict", { ...body, kind: "approve" })).status).toBe(200);
  await again.ended;
  const resumed = await stage.run(["-p", "--resume", sessionId, "--output-format", "json"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ mode: "default", plan: { hash: state.hash } });
});

test("B2.1 a file that changed since it was submitted cannot be approved while the session does not run; words can be left", async () => {
  const stage = await planned(all);
  const { sessionId, plan: shown } = await headless(stage);
  writeFileSync(shown!.path, "# Something else\n");
  const review = await startReview(all, stage, []);
  const page = await visit(review.link);
  const state = await page.state();
  expect(state).toMatchObject({ request: null, text: "# Something else\n", previous: plan });
  const requestId = `${sessionId}-review-1`;
  for (const hash of [state.hash, shown!.hash]) {
    const refused = await page.post("verdict", { requestId, hash, kind: "approve" });
    expect(refused).toMatchObject({ status: 409, value: { reason: "stale" } });
  }
  const comments = [{ id: "c", kind: "change", from: 1, to: 1, quote: "else", text: "No." }];
  expect((await page.post("comments", { hash: state.hash, comments })).status).toBe(200);
  await review.ended;
  const asked = stage.server.requests.length;
  await stage.run(["-p", "--resume", sessionId]);
  const words = JSON.stringify(stage.server.requests[asked]!.body);
  expect(words).toContain("Not approved: the user wants changes.");
  expect(words).toContain("- Change, once line 1, no longer in the plan:\\n> else\\nNo.");
});

test("B3.5 an edit that was sent back while the session did not run is written when it is resumed, and the model hears of the difference", async () => {
  const stage = await planned(all);
  const { sessionId, plan: shown } = await headless(stage);
  const review = await startReview(all, stage, []);
  const page = await visit(review.link);
  const state = await page.state();
  const edited = plan.replace("Test it", "Test it well");
  const body = { requestId: state.request!.id, hash: state.hash, kind: "revise", feedback: "Like this.", plan: edited };
  expect((await page.post("verdict", body)).status).toBe(200);
  const ran = await review.ended;
  expect(ran.code).toBe(3);
  expect(JSON.parse(lastLine(ran))).toMatchObject({ kind: "revise", hash: hashText(edited), plan: edited });
  expect(readFileSync(shown!.path, "utf8")).toBe(plan);
  const asked = stage.server.requests.length;
  await stage.run(["-p", "--resume", sessionId]);
  const words = JSON.stringify(stage.server.requests[asked]!.body);
  expect(words).toContain("Like this.");
  expect(words).toContain("-- Test it\\n+- Test it well");
});

test("R7.7 an edit that was approved while the session did not run is written when it is resumed, and is what was approved", async () => {
  const stage = await planned(all);
  const { sessionId, plan: shown } = await headless(stage);
  const review = await startReview(all, stage, []);
  const page = await visit(review.link);
  const state = await page.state();
  const edited = plan.replace("Test it", "Test it well");
  const body = { requestId: state.request!.id, hash: state.hash, kind: "approve", plan: edited };
  expect((await page.post("verdict", body)).status).toBe(200);
  await review.ended;
  expect(readFileSync(shown!.path, "utf8")).toBe(plan);
  const resumed = await stage.run(["-p", "--continue", "--output-format", "json"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ sessionId, plan: { text: edited, hash: hashText(edited) } });
  expect(readFileSync(shown!.path, "utf8")).toBe(edited);
});

test("a session that is removed takes the answers that were kept for it along (R14.7)", async () => {
  const stage = await planned(all);
  const { sessionId } = await headless(stage);
  const review = await startReview(all, stage, []);
  const page = await visit(review.link);
  const state = await page.state();
  await page.post("verdict", { requestId: state.request!.id, hash: state.hash, kind: "save" });
  await review.ended;
  expect(keptFiles(stage)).toHaveLength(1);
  expect((await stage.run(["sessions", "rm", sessionId])).code).toBe(0);
  expect(existsSync(join(stage.home, "reviews", sessionId))).toBe(false);
});

test("B3.2 comments on a plan that is not under review reach the model, quoted with their lines, when the session is resumed", async () => {
  const stage = await planned(all);
  const { sessionId, plan: shown } = await headless(stage);
  await stage.run(["-p", "--resume", sessionId, "--approve", shown!.hash, "--output-format", "json"]);
  const review = await startReview(all, stage, [shown!.path]);
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
  const stage = await planned(all);
  const live = startLive(all, stage);
  const submitted = await live.event("plan.submitted");
  const review = await startReview(all, stage, []);
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
  expect(next).toMatchObject({ previous: plan, comments: [{ id: "c1", anchor: "changed" }] });
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
  const stage = await planned(all);
  const live = startLive(all, stage);
  const submitted = await live.event("plan.submitted");
  const review = await startReview(all, stage, []);
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

function decisionsIn({ home }: Stage, id: string): readonly unknown[] {
  const sessions = join(home, "sessions");
  const log = readFileSync(join(sessions, readdirSync(sessions)[0]!, `${id}.jsonl`), "utf8");
  return log
    .split("\n")
    .filter((line) => line.includes('"review-decided"'))
    .map((line) => (JSON.parse(line) as { event: unknown }).event);
}
