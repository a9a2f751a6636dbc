import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../testing/memory-files.ts";
import { createTools } from "../tools/registry.ts";
import { agentKinds } from "./agent-kinds.ts";
import { parseAgent, readCustomAgents } from "./custom-agents.ts";

const tools = ["Read", "Grep", "Bash"];
const whole = `---
name: auditor
description: "Checks migrations: order and locks."
tools: Read, Grep
model: anthropic/claude-x
---
You audit migrations.
`;

describe("a file of an agent", () => {
  test("has a name, a description, tools, a model and instructions", () => {
    expect(parseAgent(whole, tools)).toEqual({
      name: "auditor",
      description: "Checks migrations: order and locks.",
      tools: ["Read", "Grep"],
      model: { name: "anthropic/claude-x" },
      body: "You audit migrations.\n",
    });
  });

  test.each([
    ["tools: [Read, 'Grep']", ["Read", "Grep"]],
    ["tools:\n  - Read\n  - Grep", ["Read", "Grep"]],
    ["tools:\n- Read\n# a comment\n- Grep", ["Read", "Grep"]],
    ["# none", null],
  ])("tools may be written as %j", (line, expected) => {
    const parsed = parseAgent(`---\nname: a\ndescription: b\n${line}\n---\nBody`, tools);
    expect(parsed).toMatchObject({ tools: expected });
  });

  test.each([
    ["small", "small"],
    ["session", "session"],
    ["inherit", "session"],
    ["openai/gpt-x", { name: "openai/gpt-x" }],
  ])("model %s", (text, model) => {
    expect(parseAgent(`---\nname: a\ndescription: b\nmodel: ${text}\n---\nBody`, tools)).toMatchObject({ model });
  });

  test.each([
    ["no front matter", "You audit.", 1],
    ["front matter without an end", "---\nname: a\n", 1],
    ["a line that is none", "---\nname: a\nwhat is this\n---\nBody", 3],
    ["an unknown key", "---\nname: a\ndescription: b\ncolour: red\n---\nBody", 4],
    ["a key twice", "---\nname: a\nname: b\n---\nBody", 3],
    ["no name", "---\ndescription: b\n---\nBody", 1],
    ["a name that could leave a folder", "---\ndescription: b\nname: ../a\n---\nBody", 3],
    ["no description", "---\nname: a\n---\nBody", 1],
    ["an empty model", "---\nname: a\ndescription: b\nmodel:\n---\nBody", 4],
    ["an unknown tool", "---\nname: a\ndescription: b\ntools: Read, Reed\n---\nBody", 4],
    ["an agent that would start agents", "---\nname: a\ndescription: b\ntools: [Agent]\n---\nBody", 4],
    ["no instructions", "---\nname: a\ndescription: b\n---\n\n", 4],
  ])("%s is told with its line", (_, text, line) => {
    expect(parseAgent(text, tools)).toMatchObject({ line, problem: expect.stringMatching(/\.$/) });
  });
});

describe("a folder of agents", () => {
  test("what is wrong in one is told with file and line, and the others count", async () => {
    const files = {
      ...memoryFiles({
        "/repo/a/auditor.md": whole,
        "/repo/a/bad.md": "---\nname: x\ncolour: red\n---\nBody",
        "/repo/a/explore.md": whole.replace("auditor", "Explore"),
        "/repo/a/twice.md": whole,
        "/repo/a/notes.txt": "no",
      }),
      list: async () => ["auditor.md", "bad.md", "explore.md", "gone.md", "notes.txt", "twice.md"],
    };
    const { agents, problems } = await readCustomAgents({ files, folder: "/repo/a", tools });
    expect(agents.map(({ name }) => name)).toEqual(["auditor"]);
    expect(problems).toEqual([
      "/repo/a/bad.md:3: colour is not known; there are name, description, tools, model.",
      "/repo/a/explore.md:1: there is an agent named Explore already.",
      "/repo/a/gone.md:1: it is not a regular file.",
      "/repo/a/twice.md:1: there is an agent named auditor already.",
    ]);
  });

  test("a folder that is not there holds none", async () => {
    expect(await readCustomAgents({ files: memoryFiles(), folder: "/repo/a", tools })).toEqual({
      agents: [],
      problems: [],
    });
  });
});

test.each([
  [["Read", "Grep", "WebFetch"], true],
  [["Read", "Bash"], false],
  [["Read", "mcp__tracker__search"], false],
  [null, false],
])("R9.2 B1.7 with the tools %j it is read-only: %s", (tools, readOnly) => {
  const all = createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" });
  const spawning = { ...all[0]!, name: "Agent", claims: ["spawn"] as const };
  const custom = { name: "a", description: "b", tools, model: "session", body: "c" } as const;
  const kind = agentKinds([custom], [...all, spawning]).at(-1)!;
  const reading = all.find(({ name }) => name === "Read")!;
  expect([kind.readOnly, kind.mayUse(spawning), kind.mayUse(reading)]).toEqual([readOnly, false, true]);
});
