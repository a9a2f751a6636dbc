/** The built-in tools, and how the model is told of them. */
export { createTools, describeTools, type ToolsOptions } from "./agent/tools/registry.ts";
export {
  defineTool,
  type Claim,
  type LookContext,
  type RunContext,
  type Tool,
  type ToolOutput,
} from "./agent/ports/ports.ts";
