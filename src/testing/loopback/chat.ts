/** The wire format of chat completions, streaming, as OpenAI-compatible servers speak it. */
import { refuseLikeOpenAi } from "./openai-refusals.ts";
import { frame, rawInputOf, textPieces, usageOf, type ScriptedReply, type WireFormat } from "./turn.ts";

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
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usageOf(reply);
    const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: outputTokens,
      total_tokens: prompt + outputTokens,
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
    const raw = rawInputOf(call);
    const half = Math.ceil(raw.length / 2);
    const id = call.id ?? `call_${turn}_${index}`;
    return [
      { index, id, type: "function", function: { name: call.tool, arguments: "" } },
      { index, function: { arguments: raw.slice(0, half) } },
      { index, function: { arguments: raw.slice(half) } },
    ];
  });
}

function stopOf({ stop, calls = [] }: ScriptedReply): string {
  if (stop !== undefined) return stop === "length" ? "length" : "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}
