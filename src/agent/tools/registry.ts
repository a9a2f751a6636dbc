/** The tools of a session, and how the model is told of them. */
import * as z from "zod";
import type { PlanSettings } from "../../core/session.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { ToolDescription } from "../ports/model.ts";
import type { Tool } from "../ports/ports.ts";
import { askUserQuestionTool } from "./ask-user-question.ts";
import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { notebookEditTool } from "./notebook-edit.ts";
import { createEnterPlanMode, exitPlanModeTool } from "./plan-mode.ts";
import { readTool } from "./read.ts";
import { todoWriteTool } from "./todo-write.ts";
import { webFetchTool } from "./web-fetch.ts";
import { writeTool } from "./write.ts";

export interface ToolsOptions {
  /** `never`: EnterPlanMode is not offered (B8.4). */
  readonly modelMayEnterPlan: PlanSettings["modelMayEnterPlan"];
  readonly planEagerness: "eager" | "reserved";
  /** Agent, tools of foreign servers, and others. */
  readonly more?: readonly Tool[];
}

/** The same list in every mode: a changed list would break the prompt cache (R5.4). */
export function createTools({ modelMayEnterPlan, planEagerness, more = [] }: ToolsOptions): readonly Tool[] {
  return [
    readTool,
    globTool,
    grepTool,
    editTool,
    writeTool,
    notebookEditTool,
    bashTool,
    webFetchTool,
    todoWriteTool,
    askUserQuestionTool,
    ...(modelMayEnterPlan === "never" ? [] : [createEnterPlanMode(planEagerness)]),
    exitPlanModeTool,
    ...more,
  ];
}

export function describeTools(tools: readonly Tool[], prompts: Prompts): readonly ToolDescription[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.describe?.(prompts) ?? "",
    schema: trimmed(z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" })) as ToolDescription["schema"],
  }));
}

/** What the model has no use for costs bytes in every request. */
function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => !isNoise(key, part))
      .map(([key, part]) => [key, trimmed(part)]),
  );
}

/** Lengths and bounds are checked by us; a call that breaks them is told so. */
function isNoise(key: string, part: unknown): boolean {
  if (key === "$schema" || key === "minLength" || key === "maxLength" || key === "pattern")
    return typeof part !== "object";
  if (key === "additionalProperties") return part === false || isEmpty(part);
  return (key === "minimum" || key === "maximum") && typeof part === "number";
}

function isEmpty(part: unknown): boolean {
  return typeof part === "object" && part !== null && Object.keys(part).length === 0;
}
