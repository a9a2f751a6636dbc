/** Scripted steps that write the plan to the file which the reminder names. */
import type { ModelRequest } from "../../src/agent/ports/model.ts";
import type { ScriptedStep } from "../../src/testing/index.ts";

export function planFileIn(request: Pick<ModelRequest, "messages">): string {
  return /\/home\/ada\/\.groundplan\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.messages))![0];
}

export function writePlan(content: string): ScriptedStep {
  return (request) => ({ tool: "Write", input: { file_path: planFileIn(request), content } });
}
