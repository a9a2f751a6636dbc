/** Whoever is killed: a review is never lost, and nothing is approved by accident (B11.5). */
import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { visit } from "../browser/stage.ts";
import { askProcess } from "../../src/clients/review/page-process.ts";
import { until } from "../support/until.ts";
import { finish } from "../headless/program.ts";
import { asked, decide, everything, isAlive, linkIn, program, reviewStage, type ReviewStage } from "./review-stage.ts";

const plan = "# One\n\n- a\n";

async function killed(stage: ReviewStage): Promise<void> {
  const pid = stage.end();
  expect(pid).not.toBeNull();
  await until("the page process is gone", () => !isAlive(pid!));
}

describe("B11.5 the page process is killed", () => {
  test("while a hook waits: it is started again, the page goes on, and the answer arrives", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan });
    const page = await presented.page();
    const { request } = await asked(page);
    await killed(stage);
    const again = await until("the page goes on", () => asked(page).catch(() => null));
    expect(again.request!.id).toBe(request!.id);
    expect(await decide(page, { kind: "approve" })).toBe(200);
    expect(await presented.answer).toMatchObject({ kind: "approved", plan });
  });

  test("while nobody waits: the same text finds its question again, another is the next revision", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan });
    const { request } = await asked(await first.page());
    first.kill();
    await first.answer;
    await killed(stage);
    const second = stage.present({ plan });
    const page = await second.page();
    expect((await asked(page)).request!.id).toBe(request!.id);
    second.kill();
    await second.answer;
    await killed(stage);
    const third = stage.present({ plan: "# Two\n" });
    const state = await asked(await third.page(), "# Two\n");
    expect({ revision: state.request!.revision, previous: state.previous }).toEqual({ revision: 2, previous: plan });
    third.kill();
    expect((await third.answer).kind).toBe("over");
  });

  test("after an answer that nobody waited for: it counts once, and only with the log", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan });
    const page = await first.page();
    await asked(page);
    first.kill();
    await first.answer;
    expect(await decide(page, { kind: "approve", mode: "acceptEdits" })).toBe(200);
    await until("the answer is kept", () => stage.files().some((name) => name.endsWith("undelivered.json")));
    await killed(stage);
    expect(await stage.present({ plan }).answer).toMatchObject({ kind: "approved", plan, mode: "acceptEdits" });
    const again = stage.present({ plan });
    const { request, hash } = await asked(await again.page());
    expect(request).not.toBeNull();
    again.kill();
    await again.answer;
    const forged = { kind: "approved", plan: "# Forged\n", mode: "default", notes: null, edited: true };
    const kept = stage.files().find((name) => name.endsWith("server.json"))!;
    const path = join(stage.home, kept.replace("server.json", "undelivered.json"));
    writeFileSync(path, JSON.stringify({ v: 1, hash, at: Date.now(), answer: forged }), { mode: 0o600 });
    const last = stage.present({ plan });
    await last.link();
    last.kill();
    expect((await last.answer).kind).toBe("over");
  });

  test("answered in the client meanwhile: it is started to note that, and says so", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan });
    const page = await first.page();
    await asked(page);
    first.kill();
    await first.answer;
    await killed(stage);
    await stage.tell("approved");
    const shown = stage.plans("show", "--json");
    expect(shown).toMatchObject({ status: "approved", text: plan, source: "claude" });
    expect(shown["decisions"]).toMatchObject([{ kind: "approve", by: { surface: "Claude Code" } }]);
  });
});

test("B11.5 a page process that is told to end approves nothing, and the plan waits on; a home with a long path, too", async () => {
  const stage = reviewStage(join("a".repeat(60), "b".repeat(60), "home"));
  const first = stage.present({ plan });
  const { request } = await asked(await first.page());
  expect(stage.record()!.socket!.startsWith(stage.home)).toBe(false);
  const pid = stage.end("SIGTERM")!;
  expect((await first.answer).kind).toBe("over");
  await until("it has ended", () => !isAlive(pid));
  const second = stage.present({ plan });
  const page = await second.page();
  expect((await asked(page)).request!.id).toBe(request!.id);
  await decide(page, { kind: "approve" });
  expect(await second.answer).toMatchObject({ kind: "approved", plan });
  const last = stage.end("SIGTERM")!;
  await until("it has ended", () => !isAlive(last));
});

test("B11.5 a page process whose home is removed ends, and makes none again", async () => {
  const stage = reviewStage();
  const presented = stage.present({ plan });
  await asked(await presented.page());
  const { pid } = stage.record()!;
  presented.kill();
  await presented.answer;
  rmSync(stage.home, { recursive: true, maxRetries: 20 });
  await until("it has ended", () => !isAlive(pid));
  expect(existsSync(stage.home)).toBe(false);
});

describe("B11.5 a hook is killed", () => {
  test("when the answer was sent to it, before it could say so: the next one is given it, once", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan });
    const page = await first.page();
    await asked(page);
    const { socket, secret } = stage.record()!;
    const body = { client: "claude", session: "s1", directory: stage.repository, plan, offer: everything };
    const { signal } = new AbortController();
    let lines = 0;
    const hear = (): void => void (lines += 1);
    const asking = { path: "/present", body: { ...body, environment: {} }, signal, hear } as const;
    const silent = askProcess({ socket: socket!, secret }, asking);
    await until("it waits, too", () => lines > 0);
    first.kill();
    await first.answer;
    expect(await decide(page, { kind: "approve", mode: "acceptEdits" })).toBe(200);
    await silent;
    expect(await stage.present({ plan }).answer).toMatchObject({ kind: "approved", plan, mode: "acceptEdits" });
    const again = stage.present({ plan });
    expect((await asked(await again.page())).request).not.toBeNull();
    again.kill();
    expect((await again.answer).kind).toBe("over");
  });

  test("before anything is shown, and while many start at once: one process, and the plan can be presented again", async () => {
    const stage = reviewStage();
    const all = [0, 1, 2, 3, 4].map((number) => stage.present({ plan, session: `s${number}` }));
    all[0]!.kill();
    expect((await all[0]!.answer).kind).toBe("over");
    const links = await Promise.all(all.slice(1).map((one) => one.link()));
    expect(new Set(links.map(({ link }) => new URL(link).origin)).size).toBe(1);
    const again = stage.present({ plan, session: "s0" });
    await decide(await again.page(), { kind: "approve" });
    expect(await again.answer).toMatchObject({ kind: "approved", plan });
    for (const one of all) one.kill();
    expect((await Promise.all(all.map((one) => one.answer))).map(({ kind }) => kind)).toEqual(all.map(() => "over"));
  });

  test("by SIGKILL, as a real process: its plan waits on, the next one joins it and says the approved bytes", async () => {
    const stage = reviewStage();
    const payload = {
      session_id: "s1",
      transcript_path: join(stage.folder, "none.jsonl"),
      cwd: stage.repository,
      permission_mode: "plan",
      hook_event_name: "PermissionRequest",
      tool_name: "ExitPlanMode",
      tool_input: { plan, planFilePath: join(stage.folder, "plans/x.md") },
    };
    const hook = () => {
      const env = { ...stage.environment, GROUNDPLAN_HOME: stage.home };
      const child = spawn(process.execPath, [program, "hook", "claude", "PermissionRequest"], {
        env,
        cwd: stage.repository,
      });
      child.stdin.end(JSON.stringify(payload));
      return child;
    };
    const first = hook();
    const page = await visit(linkIn(await until("the browser is opened", () => stage.opened()[0] ?? null)));
    const { request } = await asked(page);
    first.kill("SIGKILL");
    const second = hook();
    const finished = finish(second, "");
    await until("the browser is opened again", () => stage.opened()[1] ?? null);
    expect((await asked(page)).request!.id).toBe(request!.id);
    await decide(page, { kind: "approve", mode: "acceptEdits", plan: `${plan}- b\n` });
    const { stdout, code } = await finished;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: {
          behavior: "allow",
          updatedInput: { plan: `${plan}- b\n` },
          updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
        },
      },
    });
  });

  test("a page process that cannot be started: over, with the reason", async () => {
    const stage = reviewStage();
    const answer = await stage.present({ plan, starter: [process.execPath, "-e", "process.exit(3)"] }).answer;
    expect(answer).toMatchObject({
      kind: "over",
      why: expect.stringMatching(/could not be opened: .*ended with 3/) as string,
    });
    const missing = await stage.present({ plan, starter: ["/does/not/exist"] }).answer;
    expect(missing).toMatchObject({ kind: "over" });
  });

  test("the process ends by itself when nothing is open, and goes on at its port when something is", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan, grace: 1_000 });
    const page = await first.page();
    await decide(page, { kind: "revise", feedback: "More." });
    expect((await first.answer).kind).toBe("sent-back");
    /** Where it ended before the hook could say that it has the answer, another one was started to hear that. */
    await until("it has ended", () => stage.record()!.socket === null && !isAlive(stage.record()!.pid));
    const second = stage.present({ plan: "# Two\n" });
    expect((await until("the page goes on", () => asked(page, "# Two\n").catch(() => null))).request!.revision).toBe(2);
    await decide(page, { kind: "approve" });
    expect((await second.answer).kind).toBe("approved");
  });
});
