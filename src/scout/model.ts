/** Scout as a model: a planner that reads its next step off the conversation, so that a resumed session goes on (B10.1). */
import type { Model, ModelDelta, ModelRequest, ReplyPart } from "../agent/ports/model.ts";
import { remember } from "./look/keyed.ts";
import { handOver, introduction, outsidePlan } from "./plan/answers.ts";
import { readConversation } from "./plan/conversation.ts";
import { errandOf, type Errand } from "./plan/errand.ts";
import { nextStep, saying, type ScoutOptions, type Turn } from "./plan/planner.ts";

export function createScoutModel({ directory, rank }: ScoutOptions): Model {
  const ranked = remember(rank);
  return {
    async *stream(request, signal): AsyncGenerator<ModelDelta> {
      const turn = await ended(turnFor(request, { directory, rank: ranked }), signal);
      if (turn === "aborted") {
        yield { type: "failed", error: { code: "aborted", message: "The request was stopped." } };
        return;
      }
      const reply = replyOf(turn, request.messages.length);
      if (turn.say !== "") yield { type: "text", text: turn.say };
      const stop = turn.calls.length > 0 ? "tool-calls" : "end";
      yield { type: "done", reply, usage: nothing, stop };
    },
  };
}

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

async function turnFor(request: ModelRequest, options: ScoutOptions): Promise<Turn> {
  try {
    const conversation = readConversation(request);
    const errand = errandOf(conversation);
    if (errand === null) return saying(introduction);
    if (request.wants === "summary") return saying(summaryOf(errand));
    if (conversation.isPlanning) return await nextStep(conversation, errand, options);
    const { approved } = conversation;
    if (approved !== null && (approved.at > errand.task.at || approved.at > conversation.replied))
      return saying(handOver(approved.text));
    return saying(outsidePlan(await options.rank(errand.task.text)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return saying(`${introduction}\n\nI could not go on: ${reason}`);
  }
}

/** The task and what was said of its plan: all that scout needs to go on. */
function summaryOf({ task, feedback }: Errand): string {
  return [task, ...feedback].map(({ text }) => text).join("\n\n");
}

async function ended(work: Promise<Turn>, signal: AbortSignal): Promise<Turn | "aborted"> {
  if (signal.aborted) return "aborted";
  const stopped = new Promise<"aborted">((resolve) => {
    signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  return Promise.race([work, stopped]);
}

function replyOf({ say, calls }: Turn, length: number): readonly ReplyPart[] {
  const text: ReplyPart[] = say === "" ? [] : [{ type: "text", text: say }];
  const made = calls.map(({ tool, input }, at): ReplyPart => ({
    type: "tool-call",
    id: `scout_${length}_${at}`,
    tool,
    input,
  }));
  return [...text, ...made];
}
