/** The two tools of plan mode: they only say what they want; the core settles them and they never run. */
import * as z from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { refused } from "./output.ts";

/** R6.1: nothing in it, and anything in it is told. */
const nothing = z.strictObject({}, { error: "EnterPlanMode takes no input: call it with an empty object {}" });

export function createEnterPlanMode(eagerness: "eager" | "reserved"): Tool {
  return defineTool<z.infer<typeof nothing>>({
    name: "EnterPlanMode",
    claims: ["enter-plan"],
    label: "Enter plan mode",
    show: () => ({ result: "elsewhere" }),
    deferred: "host",
    searchHint: "plan first, design an approach before coding",
    input: nothing,
    describe: (prompts) => prompts(`tools/enter-plan-mode/${eagerness}`),
    claim: () => ({ access: { kind: "enter-plan" }, subjects: [{ rule: "EnterPlanMode" }] }),
    run: (_, { prompts }) => Promise.resolve(refused(prompts("tools/exit-plan-mode/not-run"))),
  });
}

/** What models add to it out of habit does no harm. */
const anything = z.looseObject({});

export const exitPlanModeTool: Tool = defineTool<z.infer<typeof anything>>({
  name: "ExitPlanMode",
  claims: ["exit-plan"],
  label: "Plan for review",
  show: () => ({ result: "elsewhere" }),
  deferred: "host",
  searchHint: "submit the plan for approval and start coding",
  input: anything,
  describe: (prompts) => prompts("tools/exit-plan-mode"),
  claim: () => ({ access: { kind: "exit-plan" }, subjects: [{ rule: "ExitPlanMode" }] }),
  run: (_, { prompts }) => Promise.resolve(refused(prompts("tools/exit-plan-mode/not-run"))),
});
