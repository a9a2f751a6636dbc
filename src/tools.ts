/** The built-in tools, and how the model is told of them. */
export { createTools, describeTools, type ToolsOptions } from "./agent/tools/registry.ts";
export { type LookContext, type RunContext } from "./agent/ports/host.ts";
export { type Claim, type ToolOutput } from "./agent/ports/ports.ts";
export { callShower, type ShowCall, type ShownCall } from "./agent/tools/show.ts";
export {
  defineTool,
  type ClaimKind,
  type JsonSchema,
  type ShowInput,
  type ShownResult,
  type Tool,
} from "./agent/tools/tool.ts";
