/** Auto mode in whole sessions: who is asked when the classifier cannot say, what the breaker counts, what never reaches it. */
import { describe, expect, test } from "vitest";
import { createClassifier } from "../../src/agent/auto/classifier.ts";
import type { Host } from "../../src/agent/ports/host.ts";
import { publicEvents } from "../../src/agent/loop/public-events.ts";
import type { PublicEvent } from "../../src/agent/ports/event-shapes.ts";
import type { Model } from "../../src/agent/ports/model.ts";
import { items } from "../../src/core/chain.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import {
  scriptedModel,
  scriptedPerson,
  startHarness,
  type Harness,
  type HarnessOptions,
  type ScriptedStep,
} from "../../src/testing/index.ts";

const prompts = loadPrompts();
const available = { optedIn: true, gateOpen: true };
const make = { tool: "Bash", input: { command: "make all" } };

function withSide(model: Model, timeoutMs = 60_000): NonNullable<Host["classify"]> {
  return createClassifier({ sideModel: { model, name: "small" }, timeoutMs, prompts, roots: ["/repo"] });
}

interface Watched extends Harness {
  readonly events: readonly PublicEvent[];
}

async function watch(options: HarnessOptions): Promise<Watched> {
  const harness = await startHarness({ auto: available, ...options });
  const events: PublicEvent[] = [];
  harness.session.subscribe((happening) => void events.push(...publicEvents(happening, prompts)));
  return { ...harness, events };
}

function outcomesOf({ session }: Harness): readonly Outcome[] {
  return items(session.state.transcript).flatMap((entry) => (entry.kind === "result" ? [entry.outcome] : []));
}

const failures: readonly (readonly [string, ScriptedStep, RegExp])[] = [
  ["a time limit", { hang: true }, /no answer within/],
  ["malformed JSON", "Looks fine to me!", /not the JSON/],
  ["an unreachable side model", { fail: "Nobody listens." }, /Nobody listens/],
  ["a verdict of unsure", '{"verdict":"unsure","reason":"cannot see"}', /cannot see/],
];

/** Short only for who never answers. */
function limitFor(step: ScriptedStep): number {
  return typeof step === "object" && "hang" in step ? 30 : 60_000;
}

describe.each(failures)("R11.1 after %s", (_, step, reason) => {
  test.each([true, false])("the person is asked, and their answer counts: %s", async (yes) => {
    const person = scriptedPerson({ permit: () => yes });
    const classify = withSide(scriptedModel(step), limitFor(step));
    const watched = await watch({ mode: "auto", model: scriptedModel(make), person, classify });
    await watched.say("Build it");
    expect(person.asked.map(({ call }) => call.input)).toEqual([make.input]);
    expect(watched.ran).toEqual(yes ? ["make all"] : []);
    expect(watched.session.state.auto).toEqual({ ...available, denials: 0, denialsInRow: 0 });
    const told = watched.events.filter(({ type }) => type === "notification");
    expect(told).toMatchObject([{ key: "auto-mode-unsure", text: expect.stringMatching(reason) }]);
    expect(watched.events).toContainEqual(
      expect.objectContaining({
        type: "permission.classified",
        answer: "unsure",
        reason: expect.stringMatching(reason),
      }),
    );
  });

  test("where there is nobody it is denied, and not counted by the breaker", async () => {
    const classify = withSide(scriptedModel(step, step, step, step), limitFor(step));
    const watched = await watch({ mode: "auto", model: scriptedModel(make, make, make, make), classify });
    await watched.say("Build it");
    expect(watched.ran).toEqual([]);
    const denied = { kind: "denied", denial: { code: "nobody", detail: null, part: null } };
    expect(outcomesOf(watched)).toEqual([denied, denied, denied, denied]);
    expect(watched.session.state.auto).toEqual({ ...available, denials: 0, denialsInRow: 0 });
    expect(watched.session.state.permissions.mode).toEqual({ current: "auto" });
  });
});

test("R11.1 R11.4 three denials by the side model close the gate: the fourth call is asked of the person", async () => {
  const no = '{"verdict":"deny","reason":"not part of the task"}';
  const person = scriptedPerson({ permit: () => false });
  const side = scriptedModel(no, no, no, no);
  const watched = await watch({
    mode: "auto",
    model: scriptedModel(make, make, make, make),
    person,
    classify: withSide(side),
    rules: { allow: ["Bash(python:*)"] },
  });
  await watched.say("Build it");
  expect(side.requests).toHaveLength(3);
  expect(person.asked).toHaveLength(1);
  const { auto, permissions } = watched.session.state;
  expect([auto.gateOpen, permissions.mode, permissions.rules.stripped]).toEqual([false, { current: "default" }, false]);
  expect(watched.events).toContainEqual(expect.objectContaining({ key: "auto-mode-unavailable" }));
  expect(watched.events).toContainEqual({ type: "mode.changed", from: "auto", mode: "default" });
});

test("R11.3 a surface sends changed settings: auto mode is there, and gone, at once", async () => {
  const { session } = await watch({ model: scriptedModel(), auto: { optedIn: false, gateOpen: true } });
  const { settings } = session.state;
  await session.send({ type: "settings-changed", settings, autoOptedIn: true });
  await session.send({ type: "mode-chosen", mode: "auto" });
  expect(session.state.permissions.mode).toEqual({ current: "auto" });
  await session.send({ type: "settings-changed", settings, autoOptedIn: false });
  expect(session.state.permissions.mode).toEqual({ current: "default" });
});

test("R11.2 R16.1 that auto mode begins and ends within plan mode is told, with the rules set aside", async () => {
  const rules = { allow: ["Bash(python:*)", "Bash(npm test)"] };
  const { session, events } = await watch({ model: scriptedModel(), rules });
  const { settings } = session.state;
  await session.send({ type: "mode-chosen", mode: "plan" });
  for (const useAutoModeDuringPlan of [true, false]) {
    await session.send({
      type: "settings-changed",
      settings: { ...settings, useAutoModeDuringPlan },
      autoOptedIn: true,
    });
  }
  expect(events.filter(({ type }) => type === "auto.changed")).toEqual([
    { type: "auto.changed", active: true, stripped: ["Bash(python:*)"] },
    { type: "auto.changed", active: false, stripped: [] },
  ]);
});

describe.each(["auto", "bypassPermissions"] as const)("R17.1 in %s", (mode) => {
  test("deny rules hold, and nobody is asked about what they name", async () => {
    const asked: unknown[] = [];
    const watched = await watch({
      mode,
      model: scriptedModel(
        { tool: "Write", input: { file_path: "/repo/locked/a.ts", content: "x" } },
        { tool: "Bash", input: { command: "make all" } },
        { tool: "Read", input: { file_path: "/repo/.env" } },
      ),
      rules: { deny: ["Edit(locked/**)", "Bash(make:*)", "Read(.env)"], allow: ["Edit", "Bash", "Read"] },
      classify: async (ask) => (asked.push(ask), { answer: "allow", reason: "" }),
    });
    await watched.say("go");
    expect(outcomesOf(watched).map((outcome) => (outcome.kind === "denied" ? outcome.denial : outcome))).toEqual(
      ["Edit(locked/**)", "Bash(make:*)", "Read(.env)"].map((detail) => ({ code: "rule", detail, part: null })),
    );
    expect([asked, watched.ran, watched.files.contents.has("/repo/locked/a.ts")]).toEqual([[], [], false]);
  });
});

describe.each(["default", "acceptEdits", "auto", "bypassPermissions"] as const)(
  "R11.4 B1.1 planning over %s",
  (mode) => {
    test("with auto on, the classifier hears of nothing that the gate decides, and nothing is written", async () => {
      const asked: string[] = [];
      const calls = [
        { tool: "Write", input: { file_path: "/repo/new.ts", content: "x" } },
        { tool: "Edit", input: { file_path: "/repo/README.md", old_string: "Repo", new_string: "Mine" } },
        { tool: "NotebookEdit", input: { notebook_path: "/repo/n.ipynb", new_source: "x" } },
        { tool: "Bash", input: { command: "touch x" } },
        { tool: "Bash", input: { command: "make all" } },
        { tool: "WebFetch", input: { url: "https://x.example/", prompt: "?" } },
        { tool: "EnterPlanMode", input: {} },
      ];
      const watched = await watch({
        mode,
        model: scriptedModel(...calls),
        settings: { useAutoModeDuringPlan: true, planNetwork: "off" },
        verdicts: { "touch x": "writes" },
        rules: { allow: ["Edit", "Bash"], ask: ["Edit", "Bash", "WebFetch"] },
        classify: async ({ call }) => (asked.push(call.tool), { answer: "allow", reason: "" }),
      });
      const before = new Map(watched.files.contents);
      await watched.session.send({ type: "mode-chosen", mode: "plan" });
      expect(watched.session.state.permissions.autoActive).toBe(mode !== "bypassPermissions");
      await watched.say("go");
      expect(asked).toEqual([]);
      expect(watched.ran).toEqual([]);
      expect(outcomesOf(watched).map(({ kind }) => kind)).toEqual(calls.map(() => "denied"));
      const plan = watched.session.state.plan.file;
      expect(
        new Map([...watched.files.contents].filter(([path]) => path !== plan && !path.includes("/plans/.claims/"))),
      ).toEqual(before);
    });
  },
);

test("R11.4 in plan mode it answers an ask rule on a read", async () => {
  const asked: string[] = [];
  const watched = await watch({
    mode: "auto",
    model: scriptedModel({ tool: "Read", input: { file_path: "/repo/README.md" } }),
    settings: { useAutoModeDuringPlan: true },
    rules: { ask: ["Read"] },
    classify: async ({ call }) => (asked.push(call.tool), { answer: "allow", reason: "" }),
  });
  await watched.session.send({ type: "mode-chosen", mode: "plan" });
  await watched.say("go");
  expect([asked, outcomesOf(watched).map(({ kind }) => kind)]).toEqual([["Read"], ["ran"]]);
});
