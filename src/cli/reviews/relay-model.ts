/** The model of a session that reviews another agent's plans: it writes the plan that was presented, exactly, asks for approval, and says nothing else. */
import { randomUUID } from "node:crypto";
import type { Model, ModelDelta, ReplyPart } from "../../agent/ports/model.ts";
import type { Files } from "../../agent/ports/ports.ts";
import { exitPlanModeTool } from "../../agent/tools/plan-mode.ts";
import { errorText } from "../../core/error-text.ts";

export interface Relay {
  readonly model: Model;
  /** The next time that it may speak, it presents this. */
  give(plan: string): void;
}

export interface RelayOptions {
  readonly files: Pick<Files, "writeText">;
  /** Of the session as it is now; null while there is none. */
  readonly planFile: () => string | null;
}

export function createRelay({ files, planFile }: RelayOptions): Relay {
  let given: string | null = null;
  const nextReply = async (): Promise<readonly ReplyPart[]> => {
    const file = planFile();
    const plan = given;
    given = null;
    if (plan === null || file === null) return [];
    await files.writeText(file, plan, { mode: 0o600, refuseHardLinks: true });
    return [{ type: "tool-call", id: randomUUID(), tool: exitPlanModeTool.name, input: {} }];
  };
  return {
    give: (plan) => void (given = plan),
    model: {
      async *stream(_, signal): AsyncGenerator<ModelDelta> {
        if (signal.aborted) return yield failed("aborted", "The request was stopped.");
        try {
          const reply = await nextReply();
          yield { type: "done", reply, usage: nothing, stop: reply.length === 0 ? "end" : "tool-calls" };
        } catch (error) {
          yield failed("bad-request", `The plan could not be written: ${errorText(error)}`);
        }
      },
    },
  };
}

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function failed(code: "aborted" | "bad-request", message: string): ModelDelta {
  return { type: "failed", error: { code, message } };
}
