import { expect, test } from "vitest";
import { scriptedModel, startHarness } from "../../testing/index.ts";
import { defineTool } from "../tools/tool.ts";
import { told } from "../tools/output.ts";
import * as z from "zod";

test("a tool is handed what the types of its contexts name, and nothing else of the host", async () => {
  const seen: string[][] = [];
  const tool = defineTool<object>({
    name: "Look",
    claims: ["note"],
    input: z.strictObject({}),
    claim(_, context) {
      seen.push(Object.keys(context).toSorted());
      return { access: { kind: "note" }, subjects: [{ rule: "Look" }] };
    },
    async run(_, context) {
      seen.push(Object.keys(context).toSorted());
      return told("Seen.");
    },
  });
  const harness = await startHarness({ model: scriptedModel({ tool: "Look" }, "Done."), tools: [tool] });
  await harness.say("look");
  const look = ["directory", "files", "isKept", "planFile", "refused", "roots", "shell", "web"];
  const own = ["access", "hidden", "live", "person", "planning", "prompts", "reads", "search", "signal", "unasked"];
  expect(seen).toEqual([look, [...look, ...own, "writeTodos"].toSorted()]);
});
