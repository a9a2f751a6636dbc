/** A model that says what a script tells it, for fast tests: one step for each request. */
import type { Model, ModelDelta, ModelErrorCode, ModelRequest, ReplyPart, Usage } from "../agent/ports/model.ts";

export type ScriptedStepCall = { readonly tool: string; readonly input?: unknown };

export type ScriptedStep =
  | string
  | ScriptedStepCall
  | { readonly text?: string; readonly calls: readonly ScriptedStepCall[]; readonly usage?: Usage }
  | { readonly fail: string; readonly code?: ModelErrorCode }
  /** Never answers until it is aborted. */
  | { readonly hang: true }
  | ((request: ModelRequest) => ScriptedStep);

export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
}

/** When the script is over, the model answers "Done." */
export function scriptedModel(...steps: readonly ScriptedStep[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  return {
    requests,
    async *stream(request, signal): AsyncIterable<ModelDelta> {
      const step = steps[requests.length] ?? "Done.";
      requests.push(request);
      await Promise.resolve();
      const resolved = typeof step === "function" ? step(request) : step;
      yield* play(resolved, signal, () => `call_${(calls += 1)}`);
    },
  };
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

async function* play(step: ScriptedStep, signal: AbortSignal, nextId: () => string): AsyncIterable<ModelDelta> {
  if (typeof step === "function") throw new Error("A scripted step must not return another function.");
  if (typeof step === "string") {
    yield { type: "text", text: step };
    yield { type: "done", reply: [{ type: "text", text: step }], usage: noUsage, stop: "end" };
    return;
  }
  if ("fail" in step) {
    yield { type: "failed", error: { code: step.code ?? "server-error", message: step.fail } };
    return;
  }
  if ("hang" in step) {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    yield { type: "failed", error: { code: "aborted", message: "aborted" } };
    return;
  }
  const { text = "", calls, usage = noUsage } = "tool" in step ? { calls: [step] } : step;
  const reply: ReplyPart[] = text === "" ? [] : [{ type: "text", text }];
  for (const { tool, input = {} } of calls) reply.push({ type: "tool-call", id: nextId(), tool, input });
  if (text !== "") yield { type: "text", text };
  yield { type: "done", reply, usage, stop: "tool-calls" };
}
