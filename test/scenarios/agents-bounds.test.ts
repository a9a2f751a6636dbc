/** Agents within their bounds: limits, what they cost, whom they ask, and what is said where they cannot start. */
import { describe, expect, test } from "vitest";
import { agentKinds } from "../../src/agent/agents/agent-kinds.ts";
import type { Model } from "../../src/agent/ports/model.ts";
import { createAgents } from "../../src/agent/tools/agent.ts";
import { createTools, describeTools } from "../../src/agent/tools/registry.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { scriptedModel, scriptedPerson, startHarness } from "../../src/testing/index.ts";
import { answersIn, gateway, spawns, starts, used } from "./agents.ts";

describe("bounds and answers", () => {
  const endless = { tool: "Glob", input: { pattern: "*.md" } };

  test.each([
    ["turns", { turns: 3 }, "3 turns"],
    ["tokens", { tokens: 30 }, "30 tokens"],
    ["time", { milliseconds: 30 }, "0 minutes"],
  ])("R10.5 an agent is stopped at its limit of %s, and its answer says so", async (_, limits, words) => {
    const slow = { hang: true } as const;
    const steps = [
      { text: "I found a.", calls: [endless], usage: used },
      ...Array.from({ length: 9 }, () => ({ calls: [endless], usage: used })),
    ];
    const child = scriptedModel(...(words === "0 minutes" ? [steps[0]!, slow] : steps));
    const model = scriptedModel(...starts(spawns("Explore")));
    const harness = await startHarness({ model, agents: { modelFor: () => child, limits } });
    await harness.say("look");
    expect(answersIn(harness)).toEqual([
      {
        text: `I found a.\n\nThe agent was stopped at its limit of ${words}. Above is what it said last; the work may be incomplete.`,
        isError: false,
      },
    ]);
    expect(child.requests.length).toBeLessThanOrEqual(3);
  });

  test("B7.3 what agents used is part of the session's total, for planning too", async () => {
    const model = scriptedModel({ calls: [spawns("Explore"), spawns("Explore")], usage: used }, "Done.");
    const report = { calls: [endless], usage: used };
    const agents = { modelFor: () => scriptedModel(report, "Report.") };
    const harness = await startHarness({ model, mode: "plan", agents });
    await harness.say("look");
    const total = { inputTokens: 30, outputTokens: 6, cacheReadTokens: 9, cacheWriteTokens: 12, requests: 6 };
    expect(harness.session.state.usage).toEqual({ total, planning: total });
  });

  test("B7.3 R10.5 what was used before the turn was stopped counts too", async () => {
    const model = scriptedModel(...starts(spawns("Explore")));
    const say: { stop?: () => void } = {};
    const child = scriptedModel({ calls: [endless], usage: used }, () => (say.stop!(), { hang: true }));
    const harness = await startHarness({ model, agents: { modelFor: () => child } });
    say.stop = () => void harness.session.send({ type: "turn-cancelled" });
    await harness.say("look");
    await expect.poll(() => harness.session.state.usage.total).toEqual({ ...used, requests: 2 });
    expect(replay(freshSession(), harness.log)).toEqual(harness.session.state);
  });

  test("R10.5 no more than ten run at once", async () => {
    const { open, passed } = gateway();
    const script = scriptedModel(...Array.from({ length: 10 }, () => "Report."));
    const waiting: Model = {
      async *stream(request, signal) {
        await passed;
        yield* script.stream(request, signal);
      },
    };
    const model = scriptedModel(...starts(...Array.from({ length: 11 }, () => spawns("Explore"))));
    const harness = await startHarness({ model, agents: { modelFor: () => waiting } });
    const listening = harness.session.subscribe((happening) => {
      if (happening.kind !== "event" || happening.event.type !== "tool-finished") return;
      listening();
      open();
    });
    await harness.say("look");
    const texts = answersIn(harness).map(({ text }) => text);
    expect(texts[0]).toContain("10 agents run already");
    expect(texts.slice(1)).toEqual(Array.from({ length: 10 }, () => "Report."));
  });

  test("R10.6 a question of Plan reaches the person through the parent's surface, labelled", async () => {
    const asked: string[] = [];
    const question = {
      question: "Which store?",
      header: "Store",
      options: [
        { label: "a", description: "" },
        { label: "b", description: "" },
      ],
      multiSelect: false,
    };
    const person = scriptedPerson({
      answer: (questions) => (
        asked.push(questions[0]!.header),
        { status: "answered", answers: { "Which store?": "a" } }
      ),
    });
    const child = scriptedModel({ tool: "AskUserQuestion", input: { questions: [question] } }, "Report.");
    const harness = await startHarness({
      model: scriptedModel(...starts(spawns("Plan"))),
      person,
      agents: { modelFor: () => child },
    });
    await harness.say("plan");
    expect(asked).toEqual(["Plan: Store"]);
    expect(JSON.stringify(child.requests[1]!.messages)).toContain("Which store?");
  });

  test("B7.4 a model that cannot be had is said, and no other takes its place", async () => {
    const model = scriptedModel(...starts(spawns("Explore"), spawns("explore")));
    const harness = await startHarness({
      model,
      agents: { modelFor: () => ({ problem: "There is no key for google." }) },
    });
    await harness.say("look");
    const text = "Explore was not started, because its model cannot be had: There is no key for google. Tell the user.";
    expect(answersIn(harness)).toEqual([
      { text, isError: true },
      { text, isError: true },
    ]);
  });

  test("R12.4 where there are no teams no teammate starts, and unknown agents are named with the known ones", async () => {
    const model = scriptedModel(...starts(spawns("general-purpose", { name: "ann" }), spawns("fixer")));
    const harness = await startHarness({ model, agents: { modelFor: () => scriptedModel() } });
    await harness.say("look");
    expect(answersIn(harness)[0]!.text).toBe("The teammate was not started: there are no teams here.");
    expect(JSON.stringify(model.requests[1]!.messages)).toContain(
      "there is no agent fixer, only Explore, Plan, general-purpose",
    );
  });

  test("R10.4 the plan reminder tells how many may start", async () => {
    const model = scriptedModel("Hm.");
    const harness = await startHarness({ model, mode: "plan", agents: { modelFor: () => scriptedModel() } });
    await harness.say("plan");
    const words = JSON.stringify(model.requests[0]!.messages);
    expect([words.includes("up to 3 Explore agents"), words.includes("Start one Plan agent")]).toEqual([true, true]);
  });

  test("B7.2 with the Agent tool, tools and system prompt stay under 14 KB", () => {
    const prompts = loadPrompts();
    const base = createTools({ modelMayEnterPlan: "ask", planEagerness: "reserved" });
    const custom = Array.from({ length: 5 }, (_, index) => ({
      name: `agent-${index}`,
      description: "d".repeat(100),
      tools: null,
      model: "session" as const,
      body: "x",
    }));
    const { tool } = createAgents({ kinds: agentKinds(custom, base) } as never);
    const [agent] = describeTools([tool], prompts);
    const { properties } = agent!.schema as { properties: object };
    expect(Object.keys(properties)).toEqual([
      "description",
      "prompt",
      "subagent_type",
      "mode",
      "fork",
      "name",
      "team_name",
    ]);
    const bytes = Buffer.byteLength(JSON.stringify(describeTools([...base, tool], prompts)) + prompts("system"));
    expect(bytes).toBeLessThan(14 * 1024);
  });
});
