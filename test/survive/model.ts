/** The story's model: where it is, it tells by what it was sent, so that a resumed session finds it where it was. */
import { setTimeout as pause } from "node:timers/promises";
import type { Message, Model, ModelDelta, ModelRequest, ReplyPart } from "../../src/agent/ports/model.ts";
import { isSummary } from "./compare.ts";
import { replies, type Step } from "./story.ts";

export interface StoryModelOptions {
  readonly done: () => number;
  readonly repeats: boolean;
  readonly hear: (request: ModelRequest) => void;
}

export function storyModel({ done, repeats, hear }: StoryModelOptions): Model {
  return {
    async *stream(request, signal): AsyncIterable<ModelDelta> {
      hear(request);
      if (isSummary(request)) {
        const text = "The user approved everything; plan mode is off.";
        yield { type: "done", reply: [{ type: "text", text }], usage, stop: "end" };
        return;
      }
      const { turn, at, again } = placeIn(request.messages, repeats);
      const step: Step = replies[turn]?.[at] ?? {};
      while (done() < (step.after ?? 0) && !signal.aborted) await pause(1);
      if (step.hang) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      if (signal.aborted) yield { type: "failed", error: { code: "aborted", message: "aborted" } };
      else if (step.fail !== undefined) yield { type: "failed", error: { code: "server-error", message: step.fail } };
      else yield { type: "done", reply: replyOf(step, { mark: `m${turn}.${at}`, again, request }), usage, stop: "end" };
    },
  };
}

const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** The last thing that the person said, and how many steps of its answer there are. */
function placeIn(messages: readonly Message[], repeats: boolean): { turn: number; at: number; again: boolean } {
  let turn = 0;
  let at = 0;
  let again = false;
  for (const message of messages) {
    if (message.role === "user") {
      for (const part of message.content) {
        const said = part.type === "text" ? /^T(\d\d) /.exec(part.text) : null;
        if (said === null) continue;
        turn = Number(said[1]);
        at = 0;
        again = false;
      }
    } else if (message.role === "assistant") {
      const mark = message.content.find((part) => part.type === "text");
      const place = mark?.type === "text" ? /\[m(\d+)\.(\d+)\]/.exec(mark.text) : null;
      if (place !== null && Number(place[1]) === turn) at = Number(place[2]) + 1;
      again = false;
    } else {
      again =
        repeats && message.results.some(({ content }) => JSON.stringify(content).includes("interrupted; may have run"));
      if (again) at -= 1;
    }
  }
  return { turn, at, again };
}

function replyOf(
  { text = "Done.", calls = [] }: Step,
  { mark, again, request }: { mark: string; again: boolean; request: ModelRequest },
): readonly ReplyPart[] {
  const plan =
    JSON.stringify(request.messages)
      .match(/\/[^"\s\\]*\/plans\/[\p{L}\p{N}-]+\.md/gu)
      ?.at(-1) ?? "none.md";
  return [
    { type: "text", text: `${text} [${mark}]` },
    ...calls.map(({ tool, input }, at): ReplyPart => ({
      type: "tool-call",
      id: `${mark}-${at}${again ? "-again" : ""}`,
      tool,
      input: JSON.parse(JSON.stringify(input).replaceAll("$PLAN", plan)) as unknown,
    })),
  ];
}
