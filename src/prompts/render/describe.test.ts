import { describe, expect, test } from "vitest";
import { agentReminder, describeAgents } from "./agent.ts";
import { loadPrompts } from "../index.ts";

const prompts = loadPrompts();

describe("EnterPlanMode", () => {
  test.each(["eager", "reserved"] as const)("R6.7 says when to plan and when not: %s", (planEagerness) => {
    const text = prompts(`tools/enter-plan-mode/${planEagerness}`);
    const [when, not] = text.split("Do not use it for") as [string, string];
    expect(
      missing(when, ["several valid approaches", "architecture", "many files", "unclear", "user's input"]),
    ).toEqual([]);
    expect(missing(not, ["clear small fixes", "a single function", "research only"])).toEqual([]);
  });

  test("R6.7 the two thresholds differ: plan when unsure, or start and ask", () => {
    const eager = prompts("tools/enter-plan-mode/eager");
    const reserved = prompts("tools/enter-plan-mode/reserved");
    expect([eager.includes("When unsure, plan"), reserved.includes("When unsure, start, and ask")]).toEqual([
      true,
      true,
    ]);
  });
});

test("R7.12 ExitPlanMode: for code, never for research; the plan is in the file; ambiguities are settled before", () => {
  const text = prompts("tools/exit-plan-mode");
  expect(
    missing(text, [
      "Only for tasks that end in code, never for research",
      "already in the plan file",
      "no plan text",
      "ask with AskUserQuestion, update the plan file, then call this",
      "Do not ask for it in text or with AskUserQuestion",
      "approved already is simply carried out",
    ]),
  ).toEqual([]);
});

describe("Agent", () => {
  test("names the built-in agents, and how they are told their thoroughness and perspective", () => {
    const text = describeAgents(prompts, []);
    expect(
      missing(text, ["- Explore:", "quick, medium or very thorough", "- Plan:", "perspective", "side by side"]),
    ).toEqual([]);
  });

  test("R10.6 R2.5 says that no agent starts another, and what mode does", () => {
    const text = describeAgents(prompts, []);
    expect(missing(text, ["Agents cannot start agents", '`mode: "plan"`'])).toEqual([]);
  });

  test("lists the person's own agents after the built-in ones", () => {
    const agents = [{ name: "fixer", description: "mends {{others}}." }];
    const text = describeAgents(prompts, agents);
    expect(text).toContain("maintainability.\n- fixer: mends {{others}}.\n\n");
  });
});

describe("Explore", () => {
  test("R10.1 read-only, thoroughness, absolute paths, an answer as a message, no files, parallel searches", () => {
    const words = [
      "read-only",
      "not even in a temporary folder",
      "quick:",
      "medium:",
      "very thorough:",
      "absolute paths",
      "Your last message",
      "Search in parallel",
    ];
    expect(missing(prompts("agents/explore"), words)).toEqual([]);
  });
});

describe("Plan", () => {
  test("R10.2 read-only architect; ends with the 3 to 5 critical files and why", () => {
    const text = prompts("agents/plan");
    expect(
      missing(text, ["architect", "read-only", "perspective", "simplicity, performance, maintainability"]),
    ).toEqual([]);
    expect(
      text.endsWith("### Critical files\nThe 3 to 5 files that matter most for the work, one a line: path, and why."),
    ).toBe(true);
  });

  test("R10.6 it may ask", () => {
    expect(prompts("agents/plan")).toContain("AskUserQuestion");
    expect(prompts("agents/explore")).not.toContain("AskUserQuestion");
  });
});

test("R10.3 a short critical reminder goes with every turn of both", () => {
  const text = agentReminder(prompts);
  expect(missing(text, ["<system-reminder>\nCRITICAL: you are read-only", "no file anywhere"])).toEqual([]);
  expect(Buffer.byteLength(text)).toBeLessThan(200);
});

test("B7.2 what this room adds to tools and system prompt leaves the other tools most of the 14 KB", () => {
  const texts = [
    prompts("system"),
    prompts("tools/enter-plan-mode/reserved"),
    prompts("tools/exit-plan-mode"),
    describeAgents(prompts, []),
  ];
  expect(Buffer.byteLength(texts.join(""))).toBeLessThanOrEqual(4 * 1024);
});

function missing(text: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => !text.includes(word));
}
