/** `groundplan review` on a file that no session knows: it waits for one decision, and a script can read it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import type { Stage } from "../headless/program.ts";
import { lastLine, plan, programs, startReview, type Reviewing } from "./programs.ts";
import { pageAt, send, visit } from "./stage.ts";
import { until } from "../support/until.ts";
import { writeProgram } from "../support/write-program.ts";

const all = programs();
afterEach(all.end);

test("B3.6 a loose file waits for a decision: the link is the first line on stdout, the decision the last one", async () => {
  const { stage, file } = await loose(plan);
  const review = await startReview(all, stage, [file]);
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
  const review = await startReview(all, stage, [file]);
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
  const review = await startReview(all, stage, [file]);
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
  const review = await startReview(all, stage, [file]);
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
  const review = await startReview(all, stage, [file], { environment: { BROWSER: "/nowhere/browser" }, open: true });
  await until("the failure is told", () => review.stderr().includes("could not be opened"));
  expect((await (await visit(review.link)).state()).text).toBe(plan);
});

test("B3.6 the link is in no program's arguments: the browser gets a page that only this person can read, and it is gone at the end", async () => {
  const { stage, file } = await loose(plan);
  const seen = join(stage.home, "seen");
  const browser = join(stage.home, "browser");
  mkdirSync(stage.home, { recursive: true, mode: 0o755 });
  writeProgram(browser, `#!/bin/sh\nprintf '%s\\n' "$*" > "${seen}.tmp"; mv "${seen}.tmp" "${seen}"\n`);
  const review = await startReview(all, stage, [file], { environment: { BROWSER: browser }, open: true });
  await until("the browser was started", () => existsSync(seen));
  const given = readFileSync(seen, "utf8").trim();
  const entry = fileURLToPath(given);
  const token = new URL(review.link).searchParams.get("token")!;
  const { port } = new URL(review.link);
  expect([given.includes(token), given.includes(port), given.startsWith("file:")]).toEqual([false, false, true]);
  const folders = [stage.home, join(stage.home, "reviews"), dirname(entry)];
  expect(folders.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  expect(statSync(entry).mode & 0o777).toBe(0o600);
  const text = readFileSync(entry, "utf8");
  expect(text).toContain(`content="0;url=${review.link}"`);
  expect(text).toContain('<meta name="referrer" content="no-referrer">');
  const page = await visit(review.link);
  await page.post("verdict", { requestId: "file-1", hash: hashText(plan), kind: "revise", feedback: "No." });
  await review.ended;
  expect(existsSync(entry)).toBe(false);
});

test("B3.6 each run has its own secret: an open page exchanges its cookie, and the old one is worth nothing to the run after", async () => {
  const { stage, file } = await loose(plan);
  const first = await startReview(all, stage, [file]);
  const page = await visit(first.link);
  await kill(first);
  const second = await startReview(all, stage, [file]);
  const answer = await page.send("api/state");
  expect(answer.status).toBe(200);
  const [cookie = ""] = String(answer.headers["set-cookie"]).split(";");
  expect(cookie).not.toBe(page.cookie);
  const renewed = pageAt(page.base, cookie);
  expect((await renewed.send("api/state")).headers["set-cookie"]).toBeUndefined();
  await kill(second);
  const third = await startReview(all, stage, [file]);
  expect((await page.send("api/state")).status).toBe(401);
  expect((await renewed.send("api/state")).status).toBe(200);
  await kill(third);
});

test("B3.6 a run that no page came to leaves the secret that the open page knows", async () => {
  const { stage, file } = await loose(plan);
  const first = await startReview(all, stage, [file]);
  const page = await visit(first.link);
  await kill(first);
  await kill(await startReview(all, stage, [file]));
  await startReview(all, stage, [file]);
  expect((await page.state()).text).toBe(plan);
});

test("B3.6 after a restart the port and the path are the same and the page goes on; the secret is for this person alone", async () => {
  const { stage, file } = await loose(plan);
  const first = await startReview(all, stage, [file]);
  const page = await visit(first.link);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await startReview(all, stage, [file]);
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
  const first = await startReview(all, stage, [file]);
  const page = await visit(first.link);
  first.child.kill("SIGKILL");
  await first.ended;
  const { port } = new URL(first.link);
  const thief = createServer();
  await new Promise<void>((resolve) => void thief.listen(Number(port), "127.0.0.1", resolve));
  try {
    const second = await startReview(all, stage, [file]);
    expect(new URL(second.link).port).not.toBe(port);
    await until("the line", () => second.stderr().includes(`port ${port} is taken`));
    const stolen = pageAt(second.link.split("?")[0]!, page.cookie);
    expect((await stolen.send("api/state")).status).toBe(401);
  } finally {
    thief.close();
  }
});

async function kill({ child, ended }: Reviewing): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

async function loose(text: string): Promise<{ readonly stage: Stage; readonly file: string }> {
  const stage = await all.stage({ script: () => ({ text: "Hello." }), git: false });
  const file = join(stage.repository, "plan.md");
  writeFileSync(file, text);
  return { stage, file };
}
