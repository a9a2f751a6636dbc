import { describe, expect, test } from "vitest";
import { loadPrompts } from "../../prompts/index.ts";
import { runnerRules } from "./rule-names.ts";
import { mayClaim } from "./tool.ts";
import { createTools, describeTools } from "./registry.ts";

const tools = createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" });
const prompts = loadPrompts();
const descriptionFor = (planEagerness: "eager" | "reserved"): string =>
  describeTools(createTools({ modelMayEnterPlan: "ask", planEagerness }), prompts).find(
    ({ name }) => name === "EnterPlanMode",
  )!.description;

describe("the tools as the model sees them", () => {
  test("have one that runs commands, and the rules for runners know it", () => {
    const runners = tools.filter((tool) => mayClaim(tool, "command", "spawn")).map(({ name }) => name);
    expect(runners).toEqual(["Bash"]);
    expect(runnerRules).toEqual(expect.arrayContaining(runners));
  });

  test("have the names and arguments of cli.md, in an order that never changes", () => {
    const properties = describeTools(tools, prompts).map(({ name, schema }) => {
      const { properties, required = [] } = schema as { properties: object; required?: string[] };
      return `${name} ${Object.keys(properties)
        .map((key) => (required.includes(key) ? key : `${key}?`))
        .join(", ")}`.trim();
    });
    expect(properties).toEqual([
      "Read file_path, offset?, limit?",
      "Glob pattern, path?",
      "Grep pattern, path?, glob?, type?, output_mode?, -i?, -n?, -A?, -B?, -C?, multiline?, head_limit?",
      "Edit file_path, old_string, new_string, replace_all?",
      "Write file_path, content",
      "NotebookEdit notebook_path, cell_id?, new_source, cell_type?, edit_mode?",
      "Bash command, description?, timeout?",
      "WebFetch url",
      "TodoWrite todos",
      "AskUserQuestion questions",
      "EnterPlanMode",
      "ExitPlanMode",
    ]);
  });

  test("cost at most 9 KB together", () => {
    const described = describeTools(tools, prompts);
    const sizes = described.map((tool) => `${tool.name} ${JSON.stringify(tool).length}`);
    const total = Buffer.byteLength(JSON.stringify(described));
    console.info(`tools: ${total} bytes (${sizes.join(", ")})`);
    expect(total).toBeLessThanOrEqual(9 * 1024);
    expect(described.every(({ description }) => description.length > 20)).toBe(true);
    expect(JSON.stringify(described)).not.toMatch(/\$schema|additionalProperties|9007199254740991/);
  });

  test("B8.4 never: EnterPlanMode is not offered, ExitPlanMode is", () => {
    const names = createTools({ modelMayEnterPlan: "never", planEagerness: "eager" }).map(({ name }) => name);
    expect(names).not.toContain("EnterPlanMode");
    expect(names).toContain("ExitPlanMode");
  });

  test("R6.7 the description of EnterPlanMode has two thresholds", () => {
    expect(descriptionFor("eager")).toContain("When unsure, plan");
    expect(descriptionFor("reserved")).toContain("When unsure, start");
  });

  test("the registry is open: tools that are added come last", () => {
    const more = [{ ...tools[0]!, name: "Agent" }];
    expect(createTools({ modelMayEnterPlan: "ask", planEagerness: "eager", more }).at(-1)?.name).toBe("Agent");
  });
});
