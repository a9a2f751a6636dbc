/** Whole sessions of the real program, driven line by line: what the model is told, what the person hears, what lies on disk. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { drive, type Driven, type Event } from "./driving.ts";
import { planFileIn, setStage, type Stage, type StageOptions } from "./program.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

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
  const stage = await setStage({
    ...options,
    script: (request) => {
      const body = JSON.stringify(request.body);
      const other = aside(request);
      if (other === null) bodies.push(body);
      const turn = other ?? turns.shift() ?? { text: "Done." };
      return typeof turn === "function" ? turn(body) : turn;
    },
  });
  stages.push(stage);
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
  return plans()[seen] as unknown as { readonly id: string; readonly hash: string };
}

interface Request {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const plan = "# Add b\n\n1. Create `b.ts`\n";
const better = `${plan}2. Test it\n`;

test("R1.1 R1.3 R1.4 R7.5 R7.9 R8.5 B2.3 B4.2 B4.3 B7.1 in and out of plan mode, sent back, approved: one reminder each, the same head, no settings written", async () => {
  const { stage, next, bodies } = await stageOf();
  const session = drive(stage, ["--permission-mode", "acceptEdits"]);
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

  next(writePlan(plan), exit, exit, exit, { text: "unreached" });
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
  expect(
    session
      .events()
      .filter(({ type }) => type === "mode.changed")
      .at(-1),
  ).toMatchObject({ mode: "acceptEdits" });

  const requests = bodies.map((body) => JSON.parse(body) as Request);
  const heads = new Set(requests.map(({ system, tools }) => JSON.stringify([system, tools])));
  expect(heads.size).toBe(1);
  const bare = (request: Request): readonly string[] =>
    request.messages.flatMap(({ role, content }) =>
      (content as readonly object[]).map((part) => JSON.stringify([role, { ...part, cache_control: undefined }])),
    );
  for (const [at, request] of requests.slice(1).entries())
    expect(bare(request).slice(0, bare(requests[at]!).length)).toEqual(bare(requests[at]!));
  session.child.stdin.end();
  await session.ended;
  expect([join(stage.home, "settings.json"), join(stage.repository, ".groundplan")].filter(existsSync)).toEqual([]);
}, 60_000);

test("R1.2 R1.5 R3.8 R13.3 R14.1 compacted, killed with -9, resumed and cleared: mode, plan and todos come from disk; a cleared session has another file", async () => {
  const { stage, next, bodies } = await stageOf();
  const session = drive(stage, ["--permission-mode", "plan"]);
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

  const again = drive(stage, ["--resume", id]);
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
}, 60_000);
