/** The wire format of OpenAI's Responses, streaming. */
import { refuseLikeOpenAi } from "./openai-refusals.ts";
import {
  frame,
  inputPieces,
  textPieces,
  usageOf,
  type ScriptedCall,
  type ScriptedReply,
  type WireFormat,
} from "./turn.ts";

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

export const responses: WireFormat = {
  frames(reply, request, turn) {
    const head = { id: `resp_${turn}`, object: "response", created_at: 1_700_000_000, model: request.body["model"] };
    const events: Event[] = [
      { type: "response.created", response: { ...head, status: "in_progress", output: [] } },
      { type: "response.in_progress", response: { ...head, status: "in_progress", output: [] } },
      ...itemsOf(reply, turn).flatMap((item, index) => item.map((event) => ({ ...event, output_index: index }))),
      endOf(reply, head),
    ];
    return events.map((event, index) => frame({ ...event, sequence_number: index }, event.type));
  },
  errorFrame: () =>
    frame({ type: "error", sequence_number: 99, code: "server_error", message: "overloaded", param: null }, "error"),
  refuse: refuseLikeOpenAi,
};

function itemsOf(reply: ScriptedReply, turn: number): Event[][] {
  const items: Event[][] = [];
  if (reply.thinking !== undefined) items.push(thinkingOf(reply.thinking, turn));
  const pieces = textPieces(reply);
  if (pieces.length > 0) items.push(messageOf(pieces, turn));
  for (const [index, call] of (reply.calls ?? []).entries()) items.push(callOf(call, `${turn}_${index}`));
  return items;
}

function callOf(call: ScriptedCall, at: string): Event[] {
  const pieces = inputPieces(call);
  const [type, field, id] = call.custom === true ? customCall(at) : functionCall(at);
  const space = call.namespace === undefined ? {} : { namespace: call.namespace };
  const item = { id, type, call_id: call.id ?? `call_${at}`, name: call.tool, ...space };
  const events = `response.${type === "function_call" ? "function_call_arguments" : "custom_tool_call_input"}`;
  return [
    { type: "response.output_item.added", item: { ...item, status: "in_progress", [field]: "" } },
    ...pieces.map((delta) => ({ type: `${events}.delta`, item_id: id, delta })),
    { type: `${events}.done`, item_id: id, [field]: pieces.join("") },
    { type: "response.output_item.done", item: { ...item, status: "completed", [field]: pieces.join("") } },
  ];
}

const functionCall = (at: string) => ["function_call", "arguments", `fc_${at}`] as const;
const customCall = (at: string) => ["custom_tool_call", "input", `ctc_${at}`] as const;

function thinkingOf(text: string, turn: number): Event[] {
  const id = `rs_${turn}`;
  const at = { item_id: id, summary_index: 0 };
  const item = { id, type: "reasoning" };
  return [
    { type: "response.output_item.added", item: { ...item, summary: [], encrypted_content: `opening-${turn}` } },
    { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
    { type: "response.reasoning_summary_text.delta", ...at, delta: text },
    { type: "response.reasoning_summary_text.done", ...at, text },
    { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text } },
    {
      type: "response.output_item.done",
      item: { ...item, summary: [{ type: "summary_text", text }], encrypted_content: `encrypted-${turn}` },
    },
  ];
}

function messageOf(pieces: readonly string[], turn: number): Event[] {
  const id = `msg_${turn}`;
  const at = { item_id: id, content_index: 0 };
  const text = pieces.join("");
  const item = { id, type: "message", role: "assistant" };
  const part = { type: "output_text", text, annotations: [] };
  return [
    { type: "response.output_item.added", item: { ...item, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
    { type: "response.output_text.done", ...at, text },
    { type: "response.content_part.done", ...at, part },
    { type: "response.output_item.done", item: { ...item, status: "completed", content: [part] } },
  ];
}

function endOf(reply: ScriptedReply, head: object): Event {
  const { promptTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usageOf(reply);
  const usage = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + outputTokens,
  };
  if (reply.stop === undefined)
    return { type: "response.completed", response: { ...head, status: "completed", usage } };
  const reason = reply.stop === "length" ? "max_output_tokens" : "content_filter";
  const response = { ...head, status: "incomplete", incomplete_details: { reason }, usage };
  return { type: "response.incomplete", response };
}
