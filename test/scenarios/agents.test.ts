/** Stories of agents: side by side, one failing, one stopped, bounded, counted, with the right words and tools. */
import { describe, expect, test } from "vitest";
import type { Model, ModelRequest } from "../../src/agent/ports/model.ts";
import { scriptedModel, startHarness, type ScriptedStep } from "../../src/testing/index.ts";
import { agentsOf, answersIn, gateway, outcomesOf, spawns, starts, used } from "./agents.ts";

/** Models that are handed out one after the other, one for each agent. */
function inOrder(...models: readonly Model[]): () => Model {
  const left = [...models];
  return () => left.shift()!;
}

describe("R10.5 side by side", () => {
  test("R10.5 five run at once: each waits for all the others", async () => {
    const { open, passed } = gateway();
    let waiting = 0;
    const meeting = (): Model => {
      const script = scriptedModel("Report.");
      return {
        async *stream(request, signal) {
          waiting += 1;
          if (waiting === 5) open();
          await passed;
          yield* script.stream(request, signal);
        },
      };
    };
    const model = scriptedModel(...starts(...Array.from({ length: 5 }, () => spawns("Explore"))));
    const harness = await startHarness({ model, mode: "plan", agents: { modelFor: meeting } });
    await harness.say("look");
    expect(answersIn(harness)).toEqual(Array.from({ length: 5 }, () => ({ text: "Report.", isError: false })));
  });

  test("R10.5 one fails, one is stopped, the others go on", async () => {
    const model = scriptedModel(...starts(spawns("Explore"), spawns("Plan"), spawns("Explore"), spawns("Explore")));
    const third = scriptedModel({ tool: "Read", input: { file_path: "/repo/README.md" } }, "Third.");
    const modelFor = inOrder(scriptedModel({ fail: "The server is down." }), scriptedModel({ hang: true }), third, {
      stream: () => {
        throw new Error("broken");
      },
    });
    const harness = await startHarness({ model, agents: { modelFor } });
    const stop = harness.session.subscribe((happening) => {
      if (happening.kind !== "agent" || happening.news.kind !== "finished") return;
      stop();
      const plan = harness.agents.running().find((id) => id.startsWith("plan-"))!;
      expect([harness.agents.cancel(plan), harness.agents.cancel("nobody")]).toEqual([true, false]);
    });
    await harness.say("look");
    expect(answersIn(harness).toSorted((one, other) => one.text.localeCompare(other.text))).toEqual([
      { text: "The agent Explore failed: The request failed: Error: broken", isError: true },
      { text: "The agent Explore failed: The server is down.", isError: true },
      { text: "The user stopped this agent.", isError: true },
      { text: "Third.", isError: false },
    ]);
    expect(harness.agents.running()).toEqual([]);
  });

  test("R10.5 stopping the turn stops every agent", async () => {
    const model = scriptedModel(...starts(spawns("Explore"), spawns("Explore")));
    const harness = await startHarness({ model, agents: { modelFor: () => scriptedModel({ hang: true }) } });
    const stopping = harness.session.subscribe((happening) => {
      if (happening.kind !== "agent" || harness.agents.running().length < 2) return;
      stopping();
      void harness.session.send({ type: "turn-cancelled" });
    });
    await harness.say("look");
    await Promise.resolve();
    expect(outcomesOf(harness.session.state)).toEqual(["Agent cancelled", "Agent cancelled"]);
    await expect.poll(() => harness.agents.running()).toEqual([]);
  });

  test("R16.1 surfaces hear of the start, each tool, and the end, with ids", async () => {
    const model = scriptedModel(...starts(spawns("Explore")));
    const child = scriptedModel(
      {
        calls: [
          { tool: "Glob", input: { pattern: "*.md" } },
          { tool: "Write", input: {} },
        ],
        usage: used,
      },
      "Report.",
    );
    const harness = await startHarness({ model, agents: { modelFor: () => child } });
    await harness.say("look");
    const [id] = harness.agentLogs.keys();
    const usage = { ...used, requests: 2 };
    expect(harness.seen.filter(({ type }) => type.startsWith("agent."))).toEqual([
      {
        type: "agent.started",
        id,
        agent: "Explore",
        callId: "call_1",
        description: "a task",
        model: "scripted-Explore",
      },
      { type: "agent.progress", id, tool: "Write", denied: "invalid" },
      { type: "agent.progress", id, tool: "Glob" },
      { type: "agent.finished", id, agent: "Explore", callId: "call_1", status: "done", usage },
    ]);
    expect(harness.seen.filter((event) => event.type === "message").map(({ text }) => text)).toEqual(["Done."]);
  });
});

describe("what an agent is given", () => {
  test("R10.1 Explore: no tool that changes, asks, plans or starts agents", async () => {
    const { requests } = await requestsOf("Explore");
    expect(toolsOf(requests)).toEqual(["Read", "Glob", "Grep", "Bash", "WebFetch", "TodoWrite"]);
    expect(requests[0]!.system).toContain("You are Explore");
  });

  test("R10.2 R10.6 Plan: the same, and it may ask", async () => {
    const { requests } = await requestsOf("Plan");
    expect(toolsOf(requests)).toEqual(["Read", "Glob", "Grep", "Bash", "WebFetch", "TodoWrite", "AskUserQuestion"]);
    expect(requests[0]!.system).toContain("You are Plan");
  });

  test("R10.6 the one for work: everything but agents, questions and plan mode's tools", async () => {
    const { requests } = await requestsOf("general-purpose");
    const tools = ["Read", "Glob", "Grep", "Edit", "Write", "NotebookEdit", "Bash", "WebFetch", "TodoWrite"];
    expect(toolsOf(requests)).toEqual(tools);
    const planning = await requestsOf("general-purpose", { mode: "plan" });
    expect(toolsOf(planning.requests)).toEqual([...tools, "ExitPlanMode"]);
  });

  test.each([
    ["Explore", false],
    ["Plan", false],
    ["general-purpose", true],
  ])("R10.1 project memory: %s %s", async (agent, isGiven) => {
    const { requests } = await requestsOf(agent);
    const words = JSON.stringify(requests[0]!.messages);
    expect([words.includes("Surroundings."), words.includes("Project memory.")]).toEqual([true, isGiven]);
  });

  test.each(["Explore", "Plan"])("R10.3 %s: the critical reminder stands at the end of every turn", async (agent) => {
    const steps = Array.from({ length: 4 }, () => ({ tool: "Bash", input: { command: "ls" } }));
    const { requests } = await requestsOf(agent, {}, steps);
    expect(requests).toHaveLength(5);
    for (const { messages } of requests) {
      const end = messages.at(-1)!;
      expect(end.role === "user" && JSON.stringify(end.content.at(-1))).toContain("CRITICAL: you are read-only");
    }
  });

  test("B7.1 each request extends the one before, the reminders included", async () => {
    const steps = Array.from({ length: 3 }, () => ({ tool: "Bash", input: { command: "ls" } }));
    const { requests } = await requestsOf("Explore", {}, steps);
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
  });

  test("R8.6 its plan reminder is the short one, once", async () => {
    const { requests } = await requestsOf("Explore");
    const words = JSON.stringify(requests.at(-1)!.messages);
    expect(words.split("Plan mode is on for you too").length - 1).toBe(1);
    expect(words).not.toContain("ExitPlanMode");
  });

  test("R10.2 Plan may start with the conversation so far, without the project's memory; Explore does not", async () => {
    const plan = await requestsOf("Plan", { fork: true });
    const words = JSON.stringify(plan.requests[0]!.messages);
    expect(words).toContain("[user] Add a login.\\n\\n[assistant] I look for routes.\\n\\n[user] Go on.");
    expect(words).not.toContain("Project memory.");
    const explore = await requestsOf("Explore", { fork: true });
    expect(JSON.stringify(explore.requests[0]!.messages)).not.toContain("Add a login.");
  });

  test("R3.7 R14.7 each has a log of its own that gives its state, and the parent's holds none of it", async () => {
    const { harness } = await requestsOf("Explore");
    const [state] = agentsOf(harness);
    expect(outcomesOf(state!)).toEqual(["Bash ran"]);
    expect(state!.actor).toMatchObject({ kind: "subagent", ownPlan: true, parent: "default" });
    expect(harness.log.filter(({ type }) => type === "session-started")).toHaveLength(1);
  });
});

async function requestsOf(
  agent: string,
  more = {},
  steps: readonly ScriptedStep[] = [{ tool: "Bash", input: { command: "ls" } }],
) {
  const child = scriptedModel(...steps, "Report.");
  const model = scriptedModel("I look for routes.", ...starts(spawns(agent, more)));
  const harness = await startHarness({ model, verdicts: { ls: "read-only" }, agents: { modelFor: () => child } });
  await harness.say("Add a login.");
  await harness.say("Go on.");
  return { requests: child.requests, harness };
}
function toolsOf(requests: readonly ModelRequest[]): readonly string[] {
  return requests[0]!.tools.map(({ name }) => name);
}
