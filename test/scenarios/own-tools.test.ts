/** Tools that an embedder registers: told to the model, checked, judged by what they claim, and shown. */
import { expect, test } from "vitest";
import type { ModelRequest } from "../../src/agent/ports/model.ts";
import { callShower } from "../../src/agent/tools/show.ts";
import { defineTool, type Tool } from "../../src/agent/tools/tool.ts";
import { items } from "../../src/core/chain.ts";
import { startHarness } from "../../src/testing/harness.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";

const schema = {
  type: "object",
  properties: { query: { type: "string" }, limit: { type: "integer", minimum: 1 } },
  required: ["query"],
} as const;

interface Search {
  readonly query: string;
  readonly limit?: number;
}

/** As a tool of a foreign server comes: by JSON Schema. */
function trackerTool(asked: Search[], claims: Tool["claims"]): Tool {
  return defineTool<Search>({
    name: "mcp__tracker__search",
    label: "Tracker",
    input: schema,
    claims,
    describe: () => "Searches the tracker.",
    show: ({ text }) => ({ about: text("query"), result: "matches" }),
    claim: () => ({
      access: {
        kind: "external",
        name: "mcp__tracker__search",
        trusted: true,
        readOnlyHint: true,
        destructiveHint: false,
        namedReader: false,
      },
      subjects: [{ rule: "mcp__tracker__search" }],
    }),
    async run(input) {
      asked.push(input);
      return { content: [{ type: "text", text: "#1 crash" }] };
    },
  });
}

async function searched(input: unknown, claims: Tool["claims"] = ["external"]) {
  const asked: Search[] = [];
  const tool = trackerTool(asked, claims);
  const script = scriptedModel({ calls: [{ tool: tool.name, input }] }, "Done.");
  const requests: ModelRequest[] = [];
  const model = {
    stream: (request: ModelRequest, signal: AbortSignal) => {
      requests.push(request);
      return script.stream(request, signal);
    },
  };
  const harness = await startHarness({ model, tools: [tool], mode: "plan" });
  await harness.say("look it up");
  const outcomes = items(harness.session.state.transcript).flatMap((entry) =>
    entry.kind === "result" ? [entry.outcome] : [],
  );
  return { asked, outcomes, described: requests[0]!.tools.find(({ name }) => name === tool.name), tool };
}

test("a tool by JSON Schema is told to the model as it is, checked and run", async () => {
  const { asked, outcomes, described } = await searched({ query: "crash", limit: 2 });
  expect(described).toEqual({ name: "mcp__tracker__search", description: "Searches the tracker.", schema });
  expect(asked).toEqual([{ query: "crash", limit: 2 }]);
  expect(outcomes).toEqual([
    { kind: "ran", output: { content: [{ type: "text", text: "#1 crash" }] }, isError: false },
  ]);
});

test.each([
  [{ query: 1 }, "query: "],
  [{ query: "crash", limit: 0 }, "limit: "],
  [{}, "query: "],
])("its input %j is refused with the field, and it does not run", async (input, field) => {
  const { asked, outcomes } = await searched(input);
  expect(asked).toEqual([]);
  expect(outcomes).toEqual([
    { kind: "denied", denial: { code: "invalid", detail: expect.stringContaining(field), part: null } },
  ]);
});

test("B1.2 a tool that claims what its row does not name does not run", async () => {
  const { asked, outcomes } = await searched({ query: "crash" }, ["read"]);
  expect(asked).toEqual([]);
  expect(outcomes).toEqual([
    {
      kind: "denied",
      denial: { code: "invalid", detail: "mcp__tracker__search may not claim external, only read", part: null },
    },
  ]);
});

test("it is shown by its row, and a tool that nobody knows by its input", async () => {
  const { tool } = await searched({ query: "crash" });
  const show = callShower([tool], "/repo");
  expect(show(tool.name, { query: "crash" })).toEqual({
    label: "Tracker",
    about: "crash",
    brief: "mcp__tracker__search crash",
    result: "matches",
    claims: ["external"],
  });
  expect(show("gone", { a: 1 })).toEqual({ label: "gone", about: '{"a":1}', brief: 'gone {"a":1}', claims: [] });
});
