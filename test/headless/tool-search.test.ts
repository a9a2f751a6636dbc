/** A list of tools that is too large for the first request: some are told by name, and described when they are asked for. */
import { expect, test } from "vitest";
import { openStage } from "./program.ts";

/** Agents of the project, of which the model is told. */
const agents = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `.groundplan/agents/helper-${at}.md`,
    `---\nname: helper-${at}\ndescription: ${`Looks after part ${at} of this house. `.repeat(12)}\n---\nYou help.\n`,
  ]),
);

test("R6.2 R7.2 tools of a large list are told by name, found by a search, and still there at resume; those of plan mode always are", async () => {
  const stage = await openStage({
    files: { "a.ts": "", ...agents },
    script: (_, turn) =>
      turn === 1 ? { calls: [{ tool: "ToolSearch", input: { query: "read a web page" } }] } : { text: "Found." },
  });
  const named = (at: number): readonly string[] =>
    (stage.server.requests[at]!.body as { tools: { name: string }[] }).tools.map(({ name }) => name);
  const { stdout } = await stage.run(["-p", "go", "--trust", "--output-format", "json"]);
  const { sessionId, denials, result } = JSON.parse(stdout);
  expect({ denials, result }).toEqual({ denials: [], result: "Found." });
  expect(named(0)).toEqual(expect.arrayContaining(["Read", "EnterPlanMode", "ExitPlanMode", "ToolSearch"]));
  expect(named(0)).not.toContain("WebFetch");
  expect(JSON.stringify(stage.server.requests[0]!.body)).toContain("Not described yet: NotebookEdit, WebFetch");
  expect(named(1)).toEqual([...named(0), "WebFetch"]);
  await stage.run(["-p", "again", "--trust", "--resume", sessionId]);
  expect(named(2)).toEqual(named(1));
});

test("B7.2 a list that fits is told whole, and nothing is to be searched", async () => {
  const stage = await openStage({ script: () => ({ text: "Here." }) });
  await stage.run(["-p", "go"]);
  const { tools } = stage.server.requests[0]!.body as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["WebFetch", "NotebookEdit"]));
  expect(names).not.toContain("ToolSearch");
});
