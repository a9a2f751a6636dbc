/** The tools of a session, and how the model is told of them. */
import type { PlanSettings } from "../../core/session.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { ToolDescription } from "../ports/model.ts";
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
import type { Tool } from "./tool.ts";
import { inputSchema } from "./input/tool-schema.ts";
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
    schema: inputSchema(tool),
  }));
}
