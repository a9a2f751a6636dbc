/** The wire format of chat completions, streaming, as OpenAI-compatible servers speak it. */
import { refuseLikeOpenAi } from "./openai-refusals.ts";
import { frame, inputPieces, textPieces, usageOf, type ScriptedReply, type WireFormat } from "./turn.ts";

export const chat: WireFormat = {
  frames(reply, request, turn) {
    const head = {
      id: `chatcmpl-${turn}`,
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: request.body["model"],
    };
    const chunk = (delta: unknown, finish: string | null = null) =>
      frame({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    const { promptTokens, outputTokens, cacheReadTokens } = usageOf(reply);
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: outputTokens,
      total_tokens: promptTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cacheReadTokens },
    };
    return [
      chunk({ role: "assistant", content: "" }),
      ...(reply.thinking === undefined ? [] : [chunk({ reasoning_content: reply.thinking })]),
      ...textPieces(reply).map((content) => chunk({ content })),
      ...callsOf(reply, turn).map((call) => chunk({ tool_calls: [call] })),
      chunk({}, stopOf(reply)),
      frame({ ...head, choices: [], usage }),
      "data: [DONE]\n\n",
    ];
  },
  errorFrame: () => frame({ error: { message: "overloaded", type: "server_error", param: null, code: null } }),
  refuse: refuseLikeOpenAi,
};

function callsOf({ calls = [] }: ScriptedReply, turn: number): unknown[] {
  return calls.flatMap((call, index) => {
    const id = call.id ?? `call_${turn}_${index}`;
    return [
      { index, id, type: "function", function: { name: call.tool, arguments: "" } },
      ...inputPieces(call).map((piece) => ({ index, function: { arguments: piece } })),
    ];
  });
}

function stopOf({ stop, calls = [] }: ScriptedReply): string {
  if (stop !== undefined) return stop === "length" ? "length" : "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}
