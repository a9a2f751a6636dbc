/** The wire format of Anthropic's Messages, streaming. */
import {
  frame,
  inputPieces,
  textPieces,
  usageOf,
  type ScriptedRefusalReason,
  type ScriptedReply,
  type WireFormat,
} from "./turn.ts";

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

export const anthropic: WireFormat = {
  frames(reply, request, turn) {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usageOf(reply);
    const usage = {
      input_tokens: inputTokens,
      cache_creation_input_tokens: cacheWriteTokens,
      cache_read_input_tokens: cacheReadTokens,
      output_tokens: 1,
    };
    const identity = { id: `msg_${turn}`, type: "message", role: "assistant", model: request.body["model"] };
    const message = { ...identity, content: [], stop_reason: null, stop_sequence: null, usage };
    const events: Event[] = [
      { type: "message_start", message },
      { type: "ping" },
      ...blocksOf(reply, turn).flatMap((events, index) => events.map((event) => ({ ...event, index }))),
      {
        type: "message_delta",
        delta: { stop_reason: stopOf(reply), stop_sequence: null },
        usage: { output_tokens: outputTokens },
      },
      { type: "message_stop" },
    ];
    return events.map((event) => frame(event, event.type));
  },
  errorFrame: () => frame({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error"),
  refuse({ refusal, status, message }, request) {
    const known = refusal === undefined ? undefined : refusals(String(request.body["model"]))[refusal];
    const code = status ?? known?.status ?? 500;
    const type = known?.type ?? types[code] ?? (code >= 500 ? "api_error" : "invalid_request_error");
    const error = { type, message: message ?? known?.message ?? "scripted refusal" };
    return { status: code, body: { type: "error", error, request_id: "req_loopback" } };
  },
};

function blocksOf(reply: ScriptedReply, turn: number): Event[][] {
  const blocks: Event[][] = [];
  const add = (content: unknown, deltas: readonly unknown[]): void => {
    const changes = deltas.map((delta) => ({ type: "content_block_delta", delta }));
    const start = { type: "content_block_start", content_block: content };
    blocks.push([start, ...changes, { type: "content_block_stop" }]);
  };
  if (reply.thinking !== undefined) {
    add({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: reply.thinking },
      { type: "signature_delta", signature: `signature-${turn}` },
    ]);
  }
  if (reply.redactedThinking !== undefined) add({ type: "redacted_thinking", data: reply.redactedThinking }, []);
  const pieces = textPieces(reply);
  if (pieces.length > 0)
    add(
      { type: "text", text: "" },
      pieces.map((text) => ({ type: "text_delta", text })),
    );
  for (const [index, call] of (reply.calls ?? []).entries()) {
    add(
      { type: "tool_use", id: call.id ?? `toolu_${turn}_${index}`, name: call.tool, input: {} },
      ["", ...inputPieces(call)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    );
  }
  return blocks;
}

function stopOf({ stop, calls = [] }: ScriptedReply): string {
  if (stop !== undefined) return stop === "length" ? "max_tokens" : "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

const types: Readonly<Record<number, string>> = { 429: "rate_limit_error", 529: "overloaded_error" };

const refusals = (
  model: string,
): Readonly<
  Record<ScriptedRefusalReason, { readonly status: number; readonly type: string; readonly message: string }>
> => ({
  "wrong-key": { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  "unknown-model": { status: 404, type: "not_found_error", message: `model: ${model}` },
  "context-full": {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 210000 tokens > 200000 maximum",
  },
  overloaded: { status: 529, type: "overloaded_error", message: "Overloaded" },
  "rate-limited": { status: 429, type: "rate_limit_error", message: "This request would exceed your rate limit" },
});
