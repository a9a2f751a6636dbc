/** Walls that stand behind another one: each holds alone, so that none is ever the only one by accident. */
import type { ReviewAnswer, Send } from "../../src/agent/ports/ports.ts";
import { afterEach, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { choicesFor, type ReviewRequest } from "../../src/core/plan/review.ts";
import { freshSession } from "../../src/core/session.ts";
import { liveReview } from "../../src/faces/browser/desks/live.ts";
import type { WaitingDesk } from "../../src/faces/browser/desks/desk.ts";
import { looseDesk } from "../../src/faces/browser/desks/loose-file.ts";
import { memoryFiles } from "../../src/testing/index.ts";
import { startServer } from "../../src/faces/browser/server/server.ts";
import { besiege } from "./siege.ts";
import { assets, visit } from "./stage.ts";

const file = "/repo/plan.md";
const text = "# Plan\n- one\n";
const approve = { requestId: "file-1", hash: hashText(text), kind: "approve" } as const;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function desk(isApproved = false) {
  const files = memoryFiles({ [file]: text });
  const options = { file, files, user: "ada", home: "/home/ada", project: "/repo", isApproved };
  const opened = (await looseDesk(options)) as WaitingDesk;
  ends.push(() => opened.close());
  return { files, opened };
}

test("B3.6 without the cookie nothing of the page is served, not even its scripts", async () => {
  const siege = await besiege();
  ends.push(siege.stage.close);
  const own = { "sec-fetch-site": "same-origin" };
  for (const route of ["assets/page-1.js", "api/state", "api/events"])
    expect((await siege.ask(route, { headers: own })).status).toBe(401);
  expect((await siege.page.send("assets/page-1.js")).status).toBe(200);
});

test("B2.1 a loose file: the right request with another hash approves nothing", async () => {
  const { opened } = await desk();
  expect(await opened.decide({ ...approve, hash: hashText("# Another\n") }, null)).toBe("stale");
  expect((await opened.state(null)).answered).toBe(null);
});

test.each([
  ["is gone", null],
  ["is empty", " \n"],
])("B2.1 B2.3 a loose file that %s by now is not approved", async (_, now) => {
  const { opened, files } = await desk();
  if (now === null) files.contents.delete(file);
  else await files.writeText(file, now);
  expect(await opened.decide(approve, null)).toBe("stale");
  expect((await opened.state(null)).answered).toBe(null);
});

test("B2.6 of two answers to a loose file at once one counts", async () => {
  const { opened } = await desk();
  const other = { ...approve, kind: "abandon" } as const;
  expect(await Promise.all([opened.decide(approve, "one"), opened.decide(other, "two")])).toEqual([null, "answered"]);
  expect(await opened.decided).toMatchObject({ kind: "approve" });
});

test("B5.1 a file that was approved in a session which is gone is not changed by an edit", async () => {
  const { opened, files } = await desk(true);
  expect(await opened.decide({ ...approve, plan: "# Other\n" }, null)).toBe("closed");
  expect(files.contents.get(file)).toBe(text);
  expect(await opened.decide(approve, null)).toBe(null);
});

test("B2.6 of two answers in the same moment the first leaves, and only its page is told that it counted", async () => {
  const live = liveReview({ files: memoryFiles({}), user: "ada", say: async () => false });
  ends.push(() => live.end());
  const request = { ...requestFor(text), id: "session-review-1" };
  const closed = new AbortController();
  const session = { ...freshSession(), id: "session" };
  const heard: NonNullable<ReviewAnswer>[] = [];
  /** As a session takes it: the first one, told to everybody before it is closed. */
  const send: Send<ReviewAnswer> = async (answer) => {
    if (heard.push(answer) > 1) return { reason: "already-answered", by: heard[0]!.by };
    await Promise.resolve();
    const effects = [{ type: "close-review", requestId: request.id, by: answer.by }] as const;
    const event = { type: "review-decided", requestId: request.id, ...answer, at: 1 } as const;
    live.listen({ kind: "event", event, effects, before: session, session });
    closed.abort();
    return null;
  };
  void live.person.review(request, closed.signal, send);
  const body = { requestId: request.id, hash: request.hash, kind: "approve", mode: "default" } as const;
  const taken = [live.desk.decide(body, "one"), live.desk.decide({ ...body, kind: "abandon" }, "two")];
  expect(await Promise.all(taken)).toEqual([null, "answered"]);
  expect(heard[0]!.verdict).toEqual({ kind: "approve", hash: request.hash, mode: "default" });
  expect((await live.desk.state("one")).answered?.here).toBe(true);
  expect((await live.desk.state("two")).answered?.here).toBe(false);
});

test("B2.6 a page whose answer nobody settles before the program ends is told so, and not left without an answer", async () => {
  const live = liveReview({ files: memoryFiles({}), user: "ada", say: async () => false });
  const server = await startServer({ desk: live.desk, assets, tell: () => undefined });
  if ("problem" in server) throw new Error(server.problem);
  ends.push(() => server.close());
  const request = { ...requestFor(text), id: "session-review-1" };
  const isSent = new Promise<void>((sent) => {
    const send = (): Promise<null> => {
      sent();
      return new Promise(() => undefined);
    };
    void live.person.review(request, new AbortController().signal, send);
  });
  const page = await visit(server.link());
  const answer = page.post("verdict", { requestId: request.id, hash: request.hash, kind: "approve", mode: "default" });
  await isSent;
  live.end();
  expect(await answer).toMatchObject({ status: 503, value: { problem: "unsettled" } });
});

function requestFor(plan: string): ReviewRequest {
  return {
    id: "",
    callId: "c",
    planFile: file,
    plan,
    hash: hashText(plan),
    modeRevision: 0,
    revision: 1,
    previous: null,
    comments: [],
    choices: choicesFor({ returnTo: "default", bypassAvailable: false, autoAvailable: true, ceiling: null }),
    again: null,
    stale: [],
    changed: [],
    agent: null,
  };
}

test("B2.1 on a live session the right request with another hash answers nothing, whatever the kind", async () => {
  const siege = await besiege();
  ends.push(siege.stage.close);
  for (const kind of ["approve", "revise", "save", "abandon"]) {
    const body = { requestId: siege.state.request!.id, hash: "0".repeat(64), kind };
    expect(await siege.page.post("verdict", body)).toMatchObject({ status: 409, value: { reason: "stale" } });
  }
  await siege.unharmed();
});

test("B2.1 text that no file can hold as it was sent is refused", async () => {
  const siege = await besiege();
  ends.push(siege.stage.close);
  const body = { ...(JSON.parse(siege.approval) as object), plan: "# Half of a letter \ud800\n" };
  expect(await siege.page.post("verdict", body)).toMatchObject({ status: 400, value: { problem: "malformed" } });
  await siege.unharmed();
});
