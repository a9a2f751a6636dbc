import { describe, expect, test } from "vitest";
import { agentCounts, builtInAgents } from "./agents.ts";

describe("definitions", () => {
  test("R10.1 Explore reads, on a small model, without agents, modes or edits", () => {
    expect(builtInAgents.explore).toEqual({
      name: "Explore",
      readOnly: true,
      model: "small",
      withheld: ["write", "spawn", "enter-plan", "exit-plan"],
      mayAsk: false,
      mayFork: false,
      projectMemory: false,
    });
  });

  test("R10.2 Plan has the session's model, the same tools and denials, and may start with the conversation", () => {
    expect(builtInAgents.plan).toEqual({
      ...builtInAgents.explore,
      name: "Plan",
      model: "session",
      mayAsk: true,
      mayFork: true,
    });
  });

  test("R10.6 no agent starts another", () => {
    expect(Object.values(builtInAgents).filter(({ withheld }) => !withheld.includes("spawn"))).toEqual([]);
  });
});

describe("counts", () => {
  test.each([
    [null, 1],
    ["free", 1],
    ["max-5x", 1],
    ["max-20x", 3],
    ["team", 3],
    ["enterprise", 3],
    ["Team", 1],
  ])("R10.4 tier %s: 3 Explore agents, %i Plan agents", (tier, plan) => {
    expect(agentCounts({ tier, environment: {} })).toEqual({ explore: 3, plan, warnings: [] });
  });

  test.each(["1", "2", "9", "10"])("R10.4 the environment overrides with %s", (value) => {
    const environment = { GROUNDPLAN_EXPLORE_AGENTS: value, GROUNDPLAN_PLAN_AGENTS: value };
    const count = Number(value);
    expect(agentCounts({ tier: "team", environment })).toEqual({ explore: count, plan: count, warnings: [] });
  });

  test.each(["0", "11", "-1", "1.5", "1e1", "0x3", "03", " 3", "3\n", "three", "", "Infinity", "NaN"])(
    "R10.4 %j is ignored with a warning",
    (value) => {
      const environment = { GROUNDPLAN_EXPLORE_AGENTS: value, GROUNDPLAN_PLAN_AGENTS: value };
      expect(agentCounts({ tier: "team", environment })).toEqual({
        explore: 3,
        plan: 3,
        warnings: [
          { variable: "GROUNDPLAN_EXPLORE_AGENTS", value },
          { variable: "GROUNDPLAN_PLAN_AGENTS", value },
        ],
      });
    },
  );

  test("R10.4 each variable stands for itself", () => {
    const environment = { GROUNDPLAN_EXPLORE_AGENTS: "many", GROUNDPLAN_PLAN_AGENTS: "2" };
    expect(agentCounts({ tier: null, environment })).toEqual({
      explore: 3,
      plan: 2,
      warnings: [{ variable: "GROUNDPLAN_EXPLORE_AGENTS", value: "many" }],
    });
  });
});
