/** Agents under their parent's gate: what they try in plan mode, and what changes when their parent's mode does. */
import { describe, expect, test } from "vitest";
import type { Mode, WorkingMode } from "../../src/core/mode.ts";
import type { ModelRequest } from "../../src/agent/ports/model.ts";
import { approveShown, memoryFiles, scriptedModel, scriptedPerson, startHarness } from "../../src/testing/index.ts";
import type { HarnessOptions, ScriptedStep } from "../../src/testing/index.ts";
import { agentsOf, answersIn, outcomesOf, spawns, starts } from "./agents.ts";

const mischief: ScriptedStep = {
  calls: [
    { tool: "Write", input: { file_path: "/repo/new.ts", content: "x" } },
    { tool: "Write", input: { file_path: "/tmp/note.md", content: "x" } },
    { tool: "Edit", input: { file_path: "/repo/README.md", old_string: "# Repo", new_string: "gone" } },
    { tool: "Bash", input: { command: "rm -rf src" } },
    { tool: "Bash", input: { command: "echo x > a.ts" } },
    { tool: "Bash", input: { command: "make" } },
    spawns("Explore"),
    { tool: "EnterPlanMode" },
    { tool: "ExitPlanMode" },
  ],
};
const verdicts = { "rm -rf src": "writes", "echo x > a.ts": "writes", ls: "read-only" } as const;
const readOnlyDenials = [
  "EnterPlanMode enter-in-agent",
  "Write invalid",
  "Write invalid",
  "Edit invalid",
  "Bash plan-command-writes",
  "Bash plan-command-writes",
  "Bash plan-command-unproven",
  "Agent invalid",
];
const auditor = {
  name: "auditor",
  description: "reads",
  tools: ["Read", "Grep"],
  model: "session",
  body: "Audit.",
} as const;

async function story(options: Omit<HarnessOptions, "model">, agent: string, more = {}) {
  const files = memoryFiles({ "/repo/README.md": "# Repo\n" });
  const model = scriptedModel(...starts(spawns(agent, more)));
  const child = scriptedModel(mischief, "Report.");
  const agents = { modelFor: () => child, custom: [auditor] };
  const harness = await startHarness({ bypassAvailable: true, auto: true, verdicts, files, ...options, model, agents });
  return { harness, child };
}

const working: readonly WorkingMode[] = ["default", "acceptEdits", "auto", "bypassPermissions"];

describe.each(working)("a parent that came from %s", (mode) => {
  test.each(["Explore", "Plan"])(
    "B1.7 R10.1 R10.2 R10.6 in plan mode: %s changes nothing, each try is denied",
    async (agent) => {
      const { harness } = await story({ mode }, agent);
      await harness.session.send({ type: "mode-chosen", mode: "plan" });
      const before = treeOf(harness.files);
      await harness.say("look");
      const [state] = agentsOf(harness);
      expect(outcomesOf(state!)).toEqual([...readOnlyDenials, "ExitPlanMode exit-parent-planning"]);
      expect([treeOf(harness.files), harness.ran]).toEqual([before, []]);
      expect(answersIn(harness)).toEqual([{ text: "Report.", isError: false }]);
    },
  );

  test.each(["Explore", "Plan"])("R10.3 while the parent works: %s is read-only all the same", async (agent) => {
    const { harness } = await story({ mode }, agent);
    const before = treeOf(harness.files);
    await harness.say("look");
    const [state] = agentsOf(harness);
    expect(outcomesOf(state!)).toEqual([...readOnlyDenials, "ExitPlanMode no-plan"]);
    expect([treeOf(harness.files), harness.ran]).toEqual([before, []]);
  });

  test("B1.7 an agent of the person's own with readers alone starts while planning, and has these alone", async () => {
    const { harness } = await story({ mode }, "auditor");
    await harness.session.send({ type: "mode-chosen", mode: "plan" });
    await harness.say("look");
    const [state] = agentsOf(harness);
    expect(outcomesOf(state!).filter((line) => line.startsWith("Bash"))).toEqual(Array(3).fill("Bash invalid"));
    expect(harness.ran).toEqual([]);
  });

  test("B1.7 one that is not read-only does not start while planning", async () => {
    const { harness, child } = await story({ mode }, "general-purpose");
    await harness.session.send({ type: "mode-chosen", mode: "plan" });
    await harness.say("look");
    expect(outcomesOf(harness.session.state)).toEqual(["Agent plan-spawn"]);
    expect(child.requests).toEqual([]);
  });

  test("R2.5 started with mode plan it plans, whatever its parent does", async () => {
    const { harness } = await story({ mode, person: scriptedPerson({ permit: () => false }) }, "general-purpose", {
      mode: "plan",
    });
    const before = treeOf(harness.files);
    await harness.say("look");
    const [state] = agentsOf(harness);
    expect(state!.permissions.mode).toEqual({ current: "plan", returnTo: mode });
    expect(outcomesOf(state!)).toEqual([
      "EnterPlanMode enter-in-agent",
      "Write plan-write",
      "Write plan-write",
      "Edit plan-write",
      "Bash plan-command-writes",
      "Bash plan-command-writes",
      "Bash declined",
      "Agent invalid",
      "ExitPlanMode no-plan",
    ]);
    expect([treeOf(harness.files), harness.ran]).toEqual([before, []]);
  });
});

describe("live", () => {
  const write = { tool: "Write", input: { file_path: "/repo/a.ts", content: "x" } };

  test("B1.7 a child whose parent enters plan mode is gated at once, and free again when it leaves", async () => {
    const say: { to?: (mode: Mode) => Promise<unknown> } = {};
    const modes = async (mode: Mode) => say.to!(mode);
    const child = steered(["plan", write], ["acceptEdits", write], [null, "Report."]);
    const model = scriptedModel(...starts(spawns("general-purpose")));
    const harness = await startHarness({ model, mode: "acceptEdits", agents: { modelFor: () => child(modes) } });
    say.to = (mode) => harness.session.send({ type: "mode-chosen", mode });
    await harness.say("go");
    const [state] = agentsOf(harness);
    expect(outcomesOf(state!)).toEqual(["Write plan-write", "Write ran"]);
    expect(harness.files.contents.get("/repo/a.ts")).toBe("x");
    expect(answersIn(harness)).toEqual([{ text: "Report.", isError: false }]);
  });

  test("B1.7 R8.6 it hears of both in its own short form", async () => {
    const say: { to?: (mode: Mode) => Promise<unknown> } = {};
    const child = steered(["plan", { tool: "Bash", input: { command: "ls" } }], ["default", "Report."]);
    const requests: ModelRequest[] = [];
    const model = scriptedModel(...starts(spawns("general-purpose")));
    const agents = { modelFor: () => child(async (mode) => say.to!(mode), requests) };
    const harness = await startHarness({ model, verdicts, agents });
    say.to = (mode) => harness.session.send({ type: "mode-chosen", mode });
    await harness.say("go");
    expect(JSON.stringify(requests[0]!.messages)).not.toContain("Plan mode is on");
    expect(JSON.stringify(requests[1]!.messages)).toContain("Plan mode is on for you too. Write nothing at all");
  });

  test("B1.7 a question of a child is withdrawn when its parent enters plan mode, and a late yes does nothing", async () => {
    const model = scriptedModel(...starts(spawns("general-purpose")));
    const child = scriptedModel(write, "Report.");
    const say: { enter?: () => Promise<unknown> } = {};
    const person = scriptedPerson({ permit: async () => (await say.enter!(), true) });
    const harness = await startHarness({ model, person, agents: { modelFor: () => child } });
    say.enter = () => harness.session.send({ type: "mode-chosen", mode: "plan" });
    await harness.say("go");
    const [state] = agentsOf(harness);
    expect(outcomesOf(state!)).toEqual(["Write plan-write"]);
    expect(harness.files.contents.has("/repo/a.ts")).toBe(false);
    expect(person.asked.map(({ agent, id }) => id.startsWith(`${agent}:q`))).toEqual([true]);
  });

  test("R5.5 B1.7 a call that was allowed while the parent began to plan does not run", async () => {
    const say: { to?: (mode: Mode) => Promise<unknown> } = {};
    const keeping = async ({ type }: { readonly type: string }) => {
      if (type === "model-replied") await say.to!("plan");
    };
    const child = scriptedModel(
      { calls: [write, { tool: "Read", input: { file_path: "/repo/README.md" } }] },
      "Report.",
    );
    const model = scriptedModel(...starts(spawns("general-purpose")));
    const harness = await startHarness({ model, mode: "acceptEdits", agents: { modelFor: () => child, keeping } });
    say.to = (mode) => harness.session.send({ type: "mode-chosen", mode });
    await harness.say("go");
    expect(harness.files.contents.has("/repo/a.ts")).toBe(false);
    expect(outcomesOf(agentsOf(harness)[0]!)).toEqual(["Write ran", "Read ran"]);
    expect(JSON.stringify(child.requests[1]!.messages)).toContain("Denied by plan mode: /repo/a.ts");
  });

  test("R10.3 B1.7 a reader stays read-only when its parent leaves plan mode", async () => {
    const say: { to?: (mode: Mode) => Promise<unknown> } = {};
    const child = steered(["bypassPermissions", { tool: "Bash", input: { command: "rm -rf src" } }], [null, "Report."]);
    const model = scriptedModel(...starts(spawns("Explore")));
    const agents = { modelFor: () => child(async (mode) => say.to!(mode)) };
    const harness = await startHarness({ model, mode: "plan", bypassAvailable: true, verdicts, agents });
    say.to = (mode) => harness.session.send({ type: "mode-chosen", mode });
    await harness.say("go");
    expect([outcomesOf(agentsOf(harness)[0]!), harness.ran]).toEqual([["Bash plan-command-writes"], []]);
  });

  test("R5.6 a rule that the parent gets binds the child too", async () => {
    const rules = { allow: [], ask: [], deny: ["Edit(**)", "Write(**)"] };
    const model = scriptedModel(...starts(spawns("general-purpose")));
    const say: { send?: () => Promise<unknown> } = {};
    const child = steered(["plan", write], [null, "Report."]);
    const agents = { modelFor: () => child(async () => say.send!()) };
    const harness = await startHarness({ model, mode: "bypassPermissions", agents });
    say.send = () => harness.session.send({ type: "rules-changed", rules });
    await harness.say("go");
    expect(outcomesOf(agentsOf(harness)[0]!)).toEqual(["Write rule"]);
  });
});

describe("a plan of its own", () => {
  const planThenWork: readonly ScriptedStep[] = [
    (request) => ({ tool: "Write", input: { file_path: ownFile(request), content: "# Own plan" } }),
    { tool: "ExitPlanMode" },
    { tool: "Write", input: { file_path: "/repo/a.ts", content: "x" } },
    "Report.",
  ];

  test("R7.13 R3.2 the parent works: the person is asked, the request is the agent's, and the mode is the parent's at most", async () => {
    const model = scriptedModel(...starts(spawns("general-purpose", { mode: "plan" })));
    const person = scriptedPerson({ reviews: [approveShown()] });
    const agents = { modelFor: () => scriptedModel(...planThenWork) };
    const harness = await startHarness({ model, person, mode: "acceptEdits", bypassAvailable: true, agents });
    await harness.say("go");
    const [id] = harness.agentLogs.keys();
    expect(person.reviewed).toMatchObject([{ agent: id, plan: "# Own plan" }]);
    expect(person.reviewed[0]!.planFile).toMatch(new RegExp(`^/home/ada/.groundplan/plans/[a-z-]+-agent-${id}\\.md$`));
    const modes = person.reviewed[0]!.choices.flatMap((choice) => (choice.kind === "approve" ? [choice.mode] : []));
    expect(modes).toEqual(["default", "acceptEdits"]);
    expect(agentsOf(harness)[0]!.permissions.mode).toEqual({ current: "acceptEdits" });
    expect(harness.session.state.permissions.mode).toEqual({ current: "acceptEdits" });
    expect(harness.files.contents.get("/repo/a.ts")).toBe("x");
    expect(harness.seen.filter(({ type }) => type === "plan.submitted")).toMatchObject([{ agent: id }]);
  });

  test("R7.13 the parent plans meanwhile: leaving is denied, nobody is asked", async () => {
    const say: { to?: (mode: Mode) => Promise<unknown> } = {};
    const child = steered(["plan", { tool: "ExitPlanMode" }], [null, "Report."]);
    const model = scriptedModel(...starts(spawns("general-purpose", { mode: "plan" })));
    const person = scriptedPerson({ reviews: [approveShown()] });
    const harness = await startHarness({
      model,
      person,
      agents: { modelFor: () => child(async (mode) => say.to!(mode)) },
    });
    say.to = (mode) => harness.session.send({ type: "mode-chosen", mode });
    await harness.say("go");
    expect(outcomesOf(agentsOf(harness)[0]!)).toEqual(["ExitPlanMode exit-parent-planning"]);
    expect(person.reviewed).toEqual([]);
  });

  test("R7.11 R7.13 where nobody can approve, its answer is the plan that waits", async () => {
    const model = scriptedModel(...starts(spawns("general-purpose", { mode: "plan" })));
    const harness = await startHarness({ model, agents: { modelFor: () => scriptedModel(...planThenWork) } });
    await harness.say("go");
    expect(answersIn(harness)[0]!.text).toContain("Nobody could approve it here");
    expect(harness.files.contents.has("/repo/a.ts")).toBe(false);
  });
});

/** Changes the parent's mode before each step, as a person would in the middle. */
function steered(...steps: readonly (readonly [mode: Mode | null, step: ScriptedStep])[]) {
  return (change: (mode: Mode) => Promise<unknown>, requests: ModelRequest[] = []) => {
    const script = scriptedModel(...steps.map(([, step]) => step));
    return {
      async *stream(request: ModelRequest, signal: AbortSignal) {
        const mode = steps[requests.length]?.[0] ?? null;
        requests.push(request);
        if (mode !== null) await change(mode);
        yield* script.stream(request, signal);
      },
    };
  };
}

function treeOf({
  contents,
}: {
  readonly contents: ReadonlyMap<string, string>;
}): readonly (readonly [string, string])[] {
  return [...contents].filter(([path]) => !path.startsWith("/home/ada/.groundplan/plans/"));
}

function ownFile(request: ModelRequest): string {
  return /\/home[\w/.-]+-agent-[\w-]+\.md/.exec(JSON.stringify(request.messages))![0];
}
