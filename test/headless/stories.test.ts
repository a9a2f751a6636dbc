/** Whole sessions of the real program, driven line by line: what the model is told, what the person hears, what lies on disk. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { drive, type Driven, type Event } from "./driving.ts";
import { driveEditor } from "../editor/driving.ts";
import { eventually } from "../team/story.ts";
import { openStage, planFileIn, type Stage, type StageOptions } from "./program.ts";

type Turn = ScriptedTurn | ((body: string) => ScriptedTurn | Promise<ScriptedTurn>);

interface Told {
  readonly stage: Stage;
  /** What the next requests are answered with, in order. */
  readonly next: (...turns: readonly Turn[]) => void;
  readonly bodies: readonly string[];
}

/** Requests of agents and side models are answered by `aside`, where it knows them. */
async function stageOf(
  options: Omit<StageOptions, "script"> = {},
  aside: (request: LoopbackRequest) => Turn | null = () => null,
): Promise<Told> {
  const turns: Turn[] = [];
  const bodies: string[] = [];
  const stage = await openStage({
    ...options,
    script: (request) => {
      const body = JSON.stringify(request.body);
      const other = aside(request);
      if (other === null) bodies.push(body);
      const turn = other ?? turns.shift() ?? { text: "Done." };
      return typeof turn === "function" ? turn(body) : turn;
    },
  });
  return { stage, next: (...more) => void turns.push(...more), bodies };
}

const call = (tool: string, input: object = {}): ScriptedTurn => ({ calls: [{ tool, input }] });
const exit = call("ExitPlanMode");
const writePlan =
  (content: string): Turn =>
  (body) =>
    call("Write", { file_path: planFileIn(body), content });
const count = (text: string, words: string): number => text.split(words).length - 1;

/** Says it, and waits until the model has answered in words. */
async function say(session: Driven, text: string): Promise<readonly Event[]> {
  const before = session.events().length;
  session.send({ type: "user", text });
  return answered(session, before);
}

async function answered(session: Driven, before: number): Promise<readonly Event[]> {
  const since = (): readonly Event[] => session.events().slice(before);
  await session.until(() => since().some(({ type, text }) => type === "message" && text !== ""));
  return since();
}

async function submitted(session: Driven, seen: number): Promise<{ readonly id: string; readonly hash: string }> {
  const plans = (): readonly Event[] => session.events().filter(({ type }) => type === "plan.submitted");
  await session.until(() => plans().length > seen);
  const { id, hash } = plans()[seen] as unknown as { readonly id: string; readonly hash: string };
  return { id, hash };
}

interface Request {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** What was said, part by part, without the marks for the cache. */
const bare = (request: Request): readonly string[] =>
  request.messages.flatMap(({ role, content }) =>
    (content as readonly object[]).map((part) => JSON.stringify([role, { ...part, cache_control: undefined }])),
  );
const agent = (name: string) => ({ description: name, prompt: `BRIEF-${name}`, subagent_type: "Explore" });
const write = (name: string) => ({ tool: "Write", input: { file_path: name, content: name } });
const bash = (command: string) => ({ tool: "Bash", input: { command } });
const plan = "# Add b\n\n1. Create `b.ts`\n";
const better = `${plan}2. Test it\n`;

test("R3.7 R8.6 R10.3 R10.5 R10.6 agents run side by side under a short reminder of their own; one that fails, or that tries what it may not, hinders no other", async () => {
  const arrived = new Set<string>();
  const waits: (() => void)[] = [];
  const both = new Promise<void>((resolve) => waits.push(resolve));
  const seen: string[] = [];
  let file = "";
  const aside = ({ body }: LoopbackRequest): Turn | null => {
    const text = JSON.stringify(body);
    const name = /BRIEF-([ABC])/.exec(JSON.stringify((body as unknown as Request).messages[0]))?.[1];
    if (name === undefined) return null;
    arrived.add(name);
    if (arrived.size === 3) waits.forEach((go) => go());
    if (name === "B") seen.push(text);
    if (name === "C") return { refusal: "unknown-model", message: "C broke" };
    if (name === "A" || text.includes("tool_result")) return async () => (await both, { text: `${name} saw it.` });
    const start = { description: "x", prompt: "BRIEF-D", subagent_type: "Explore" };
    const foreign = { file_path: file, content: "# Not mine" };
    return async () => (
      await both,
      {
        calls: [
          { tool: "Agent", input: start },
          { tool: "Write", input: foreign },
        ],
      }
    );
  };
  const { stage, next, bodies } = await stageOf({}, aside);
  next((body) => {
    file = planFileIn(body);
    return { calls: ["A", "B", "C"].map((name) => ({ tool: "Agent", input: agent(name) })) };
  });
  const { code } = await stage.run(["-p", "look", "--permission-mode", "plan"]);
  expect([code, existsSync(file), bodies.length]).toEqual([0, false, 2]);
  expect(bodies[1]).toMatch(/A saw it\..*B saw it\./);
  expect(bodies[1]).toMatch(/"is_error":true/);
  expect(seen).toHaveLength(2);
  for (const body of seen) {
    const { tools } = JSON.parse(body) as { readonly tools: readonly { readonly name: string }[] };
    expect(tools.map(({ name }) => name)).not.toContain("Agent");
    expect([body.includes("Plan mode is on for you too."), body.includes("five phases")]).toEqual([true, false]);
  }
  expect(seen.map((body) => count(body, "CRITICAL: you are read-only."))).toEqual([1, 2]);
  next({ text: "Elsewhere." });
  await stage.run(["-p", "another session", "--permission-mode", "plan"]);
  expect(planFileIn(bodies.at(-1)!)).not.toBe(file);
});

/** Every way in which another program drives a session. */
const surfaces = [
  ["stream-json", drive],
  ["the Agent Client Protocol", driveEditor],
] as const;

describe.each(surfaces)("B12.6 by %s", (surface, drive) => {
  test("R1.1 R1.3 R1.4 R7.5 R7.9 R8.5 B2.3 B4.2 B4.3 B7.1 in and out of plan mode, sent back, approved: one reminder each, the same head, no settings written", async () => {
    const { stage, next, bodies } = await stageOf();
    const session = await drive(stage, ["--permission-mode", "acceptEdits"]);
    await say(session, "hello");
    for (const mode of ["plan", "acceptEdits", "plan", "acceptEdits", "plan"]) session.send({ type: "mode", mode });
    next({ text: "It is a cart." });
    const plain = await say(session, "what is this?");
    expect([count(bodies.at(-1)!, "Plan mode is on."), count(bodies.at(-1)!, "Plan mode is off")]).toEqual([1, 0]);
    expect(plain.filter(({ type }) => type === "plan.submitted")).toEqual([]);

    next(exit, writePlan(" \n\t\n"), exit, { text: "Nothing yet." });
    await say(session, "plan it");
    expect(session.events().filter(({ type }) => type === "plan.submitted")).toEqual([]);
    expect(count(bodies.at(-1)!, "No plan file found at") + count(bodies.at(-1)!, "is empty")).toBeGreaterThan(1);

    next(writePlan(plan), exit, exit, exit);
    session.send({ type: "user", text: "once more" });
    const first = await submitted(session, 0);
    session.send({ type: "verdict", ...first, kind: "revise", feedback: "SMALLER STEPS" });
    await session.until(({ type, outcome }) => type === "plan.returned" && outcome === "unchanged");
    const refusals = (): readonly Event[] => session.events().filter(({ type }) => type === "plan.returned");
    await session.until(() => refusals().length === 2);
    expect(session.events().filter(({ type }) => type === "plan.submitted")).toHaveLength(1);

    next(writePlan(better), exit, call("Write", { file_path: "b.ts", content: "export {};\n" }), { text: "Made." });
    session.send({ type: "user", text: "better" });
    const second = await submitted(session, 1);
    expect(count(bodies.at(-1)!, "SMALLER STEPS")).toBeGreaterThan(1);
    const before = session.events().length;
    session.send({ type: "verdict", ...second, kind: "approve" });
    await answered(session, before);
    expect(existsSync(join(stage.repository, "b.ts"))).toBe(true);
    const approved = bodies.at(-1)!;
    expect(approved).toMatch(/approved your plan: you may start coding.*todo list.*saved at .*## Approved Plan:/);
    expect(count(approved, "Plan mode is off: the plan was approved.")).toBe(1);
    await say(session, "and now?");
    await say(session, "and then?");
    expect(count(bodies.at(-1)!, "Plan mode is off")).toBe(1);
    expect(session.events().findLast(({ type }) => type === "mode.changed")).toMatchObject({ mode: "acceptEdits" });

    const requests = bodies.map((body) => JSON.parse(body) as Request);
    const heads = new Set(requests.map(({ system, tools }) => JSON.stringify([system, tools])));
    expect(heads.size).toBe(1);
    for (const [at, request] of requests.slice(1).entries())
      expect(bare(request).slice(0, bare(requests[at]!).length)).toEqual(bare(requests[at]!));
    session.child.stdin.end();
    await session.ended;
    expect([join(stage.home, "settings.json"), join(stage.repository, ".groundplan")].filter(existsSync)).toEqual([]);
  });

  test("R1.2 R1.5 R3.8 R13.3 R14.1 compacted, killed with -9, resumed and cleared: mode, plan and todos come from disk; a cleared session has another file", async () => {
    const { stage, next, bodies } = await stageOf();
    const session = await drive(stage, ["--permission-mode", "plan"]);
    const todos = [{ content: "READ THE CART", status: "in_progress", activeForm: "reading" }];
    next(writePlan(plan), call("TodoWrite", { todos }), { text: "Drafted." });
    await say(session, "plan it");
    const file = planFileIn(bodies[0]!);
    next({ text: "SUMMARY OF ALL" });
    session.send({ type: "user", text: "/compact" });
    await session.until(({ type }) => type === "context.compacted");
    next({ text: "On it." });
    await say(session, "go on");
    const after = bodies.at(-1)!;
    expect(after).toContain("SUMMARY OF ALL");
    expect(count(after, "plan it")).toBe(0);
    expect(after).toContain("1. Create `b.ts`");
    expect(after).toContain("READ THE CART");
    expect([count(after, "five phases"), planFileIn(after)]).toEqual([1, file]);
    const id = String(session.events().find(({ type }) => type === "session.started")!["sessionId"]);
    session.child.kill("SIGKILL");
    await session.ended;

    const again = await drive(stage, ["--resume", id]);
    next(call("Write", { file_path: "b.ts", content: "x" }), { text: "Denied." });
    await say(again, "write it");
    expect([existsSync(join(stage.repository, "b.ts")), planFileIn(bodies.at(-1)!)]).toEqual([false, file]);
    expect(bodies.at(-1)).toContain("READ THE CART");
    again.send({ type: "user", text: "/clear" });
    next({ text: "Fresh." });
    await say(again, "plan anew");
    const fresh = planFileIn(bodies.at(-1)!);
    expect(fresh).not.toBe(file);
    expect([readFileSync(file, "utf8"), count(bodies.at(-1)!, "SUMMARY")]).toEqual([plan, 0]);
    again.child.stdin.end();
    await again.ended;
  });

  test("R5.5 R6.6 a mode that changes while calls wait holds for them; entering is answered in a line, the rest comes by the reminder", async () => {
    const { stage, next, bodies } = await stageOf();
    mkdirSync(stage.home, { recursive: true });
    writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ modelMayEnterPlan: "allow" }));
    const session = await drive(stage);
    next({ calls: [write("b.ts"), write("c.ts")] }, { text: "Held." });
    session.send({ type: "user", text: "write both" });
    await session.until(({ type }) => type === "permission.requested");
    const before = session.events().length;
    session.send({ type: "mode", mode: "plan" });
    await answered(session, before);
    const denied = session.events().filter(({ type }) => type === "tool.denied");
    expect(denied.map(({ tool }) => tool)).toEqual(["Write", "Write"]);
    expect(["b.ts", "c.ts"].filter((name) => existsSync(join(stage.repository, name)))).toEqual([]);
    session.send({ type: "mode", mode: "default" });
    next(call("EnterPlanMode"), { text: "Planning." });
    await say(session, "plan it yourself");
    expect(bodies.at(-1)).toContain('"Plan mode is on. Explore and plan as the reminder says; change nothing yet."');
    expect(session.events().findLast(({ type }) => type === "mode.changed")).toMatchObject({ mode: "plan" });
    session.child.stdin.end();
    await session.ended;
  });

  test("R3.4 R5.3 B1.3 B1.5 B1.6 in plan mode paths are resolved, each command is judged and asked alone, the repository's programs do not run, and what others changed is told", async () => {
    const { stage, next } = await stageOf({ files: { "a.ts": "export const a = 1;\n", "run.sh": "echo ran\n" } });
    const marker = join(stage.repository, "marker");
    writeFileSync(join(stage.repository, "run.sh"), "echo runs\n");
    const git = (...args: string[]) => execFileSync("git", args, { cwd: stage.repository });
    git("config", "core.fsmonitor", `touch ${marker}`);
    git("config", "diff.external", `touch ${marker}`);
    git("config", "core.pager", `touch ${marker}`);
    const session = await drive(stage, ["--permission-mode", "plan", "--settings", '{"sandbox":"off"}'], {
      environment: { GIT_EXTERNAL_DIFF: `touch ${marker}`, GIT_PAGER: `touch ${marker}`, BASH_ENV: "/dev/null" },
    });
    const asked = (): readonly Event[] => session.events().filter(({ type }) => type === "permission.requested");
    const answer = async (number: number, allow: boolean): Promise<void> => {
      await session.until(() => asked().length === number);
      session.send({ type: "permission", id: asked()[number - 1]!["id"], allow });
    };
    next({ calls: [bash("cat a.ts"), bash("touch made")] });
    const looked = await say(session, "look");
    const outcomes = looked.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
    expect(outcomes.map(({ type }) => type)).toEqual(["tool.finished", "tool.denied"]);
    next({ calls: ["git status", "git diff", "git log -1", "sh run.sh", "sh run.sh"].map(bash) });
    session.send({ type: "user", text: "run these" });
    for (const number of [1, 2, 3, 4]) await answer(number, true);
    const before = session.events().length;
    await answer(5, false);
    const since = await answered(session, before);
    expect(asked().map(({ question }) => (question as { readonly command: string }).command)).toEqual([
      "git status",
      "git diff",
      "git log -1",
      "sh run.sh",
      "sh run.sh",
    ]);
    expect(since.filter(({ type }) => type === "tool.denied")).toHaveLength(1);
    expect([existsSync(marker), existsSync(join(stage.repository, "made"))]).toEqual([false, false]);

    const aside = join(stage.home, "plans");
    next(
      (body) => {
        const name = basename(planFileIn(body));
        mkdirSync(aside, { recursive: true });
        symlinkSync(join(stage.repository, "a.ts"), join(aside, "link.md"));
        const paths = [`../home/plans/../plans/${name}`, join(aside, "link.md"), `${aside}/../../repo/a.ts`];
        return { calls: paths.map((path) => ({ tool: "Write", input: { file_path: path, content: plan } })) };
      },
      { text: "Tried." },
    );
    const tried = await say(session, "write it");
    expect(tried.filter(({ type }) => type === "plan.saved" || type === "tool.denied").map(({ type }) => type)).toEqual(
      ["plan.saved", "tool.denied", "tool.denied"],
    );
    expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("export const a = 1;\n");

    const file = String(tried.find(({ type }) => type === "plan.saved")!["path"]);
    rmSync(file);
    mkdirSync(file);
    next(exit, { text: "No plan." });
    await say(session, "submit it");
    expect(session.events().filter(({ type }) => type === "plan.submitted")).toEqual([]);
    rmSync(file, { recursive: true });
    writeFileSync(join(stage.repository, "a.ts"), "somebody else\n");
    next(writePlan(plan), exit);
    session.send({ type: "user", text: "again" });
    await submitted(session, 0);
    expect(session.events().find(({ type }) => type === "plan.submitted")!["changed"]).toEqual(["a.ts"]);
    session.child.stdin.end();
    await session.ended;
    expect(session.stderr()).toContain("cannot be read: it is a folder, not a file");
  });

  test("R7.6 R11.2 a broad rule does not count in auto mode and counts again after it; auto that is gone meanwhile is not gone back to", async () => {
    const judged: string[] = [];
    const files = { "make.sh": 'echo made > "$1"\n' };
    const { stage, next } = await stageOf({ files }, ({ body }) => {
      const text = JSON.stringify(body);
      if (!text.includes("You judge one tool call")) return null;
      judged.push(text);
      return { text: '{"verdict":"deny","reason":"not asked for"}' };
    });
    const settle = (enabled: boolean): void => {
      const file = join(stage.home, "settings.json");
      writeFileSync(`${file}.new`, JSON.stringify({ autoMode: { enabled }, permissions: { allow: ["Bash"] } }));
      renameSync(`${file}.new`, file);
    };
    mkdirSync(stage.home, { recursive: true });
    settle(true);
    const session = await drive(stage, ["--permission-mode", "auto"]);
    next(call("Bash", { command: "sh make.sh one" }), { text: "Judged." });
    await say(session, "make one");
    session.send({ type: "mode", mode: "default" });
    next(call("Bash", { command: "sh make.sh two" }), { text: "Ran." });
    await say(session, "make two");
    expect([judged.length, ...["one", "two"].map((name) => existsSync(join(stage.repository, name)))]).toEqual([
      1,
      false,
      true,
    ]);
    session.send({ type: "mode", mode: "auto" });
    session.send({ type: "mode", mode: "plan" });
    next(
      (body) => {
        settle(false);
        return call("Write", { file_path: planFileIn(body), content: plan });
      },
      exit,
      { text: "Approved." },
    );
    session.send({ type: "user", text: "plan it" });
    const request = await submitted(session, 0);
    const before = session.events().length;
    session.send({ type: "verdict", ...request, kind: "approve" });
    await answered(session, before);
    expect(session.events().findLast(({ type }) => type === "mode.changed")).toMatchObject({ mode: "default" });
    session.child.stdin.end();
    await session.ended;
    /** In an editor the person chooses among the modes that are left. */
    if (surface === "stream-json") expect(session.stderr()).toContain("auto mode unavailable");
  });

  test("R14.6 killed with -9 in the middle of calls: a read runs again, of anything else it is said that it may have run", async () => {
    let asked = 0;
    const site = createServer((_, answer) => {
      asked += 1;
      if (asked > 1) answer.end("THE PAGE");
    });
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void (site.closeAllConnections(), site.close()));
    const address = site.address() as { readonly port: number };
    const { stage, next, bodies } = await stageOf();
    const started = join(stage.repository, "started");
    const session = await drive(stage, ["--dangerously-skip-permissions"]);
    next(call("Bash", { command: "touch started; while [ -e started ]; do sleep 0.1; done" }));
    session.send({ type: "user", text: "run it" });
    await session.until(({ type }) => type === "tool.started");
    await eventually(() => existsSync(started), "the command");
    const id = String(session.events().find(({ type }) => type === "session.started")!["sessionId"]);
    session.child.kill("SIGKILL");
    await session.ended;
    rmSync(started);

    const second = await drive(stage, ["--resume", id, "--dangerously-skip-permissions"]);
    next(call("WebFetch", { url: `http://127.0.0.1:${address.port}/` }));
    second.send({ type: "user", text: "go on" });
    await eventually(() => asked === 1, "the page is asked for");
    expect(bodies.at(-1)).toContain("interrupted; may have run.");
    second.child.kill("SIGKILL");
    await second.ended;
    const third = await drive(stage, ["--resume", id, "--dangerously-skip-permissions"]);
    next({ text: "Read." });
    await answered(third, 0);
    expect([asked, bodies.at(-1)!.includes("THE PAGE")]).toEqual([2, true]);
    third.child.stdin.end();
    await third.ended;
  });
});
