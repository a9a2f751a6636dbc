/** One attempt at one request: calls the provider library and folds its stream into our deltas. */
import type {
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { untilAborted } from "../answers/ask-surface.ts";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import type { ModelRequest, ReplyPart, StopReason, ToolCallPart, Usage } from "../ports/model.ts";
import { wireOptions } from "./effort.ts";
import { abortedFailure, cutFailure, describeFailure, type Endpoint } from "./errors.ts";
import { buildPrompt, type Wire } from "./prompt.ts";
import type { AttemptDelta } from "./retry.ts";
import { mergeProofs, sign } from "./signature.ts";

export interface Attempt {
  readonly request: ModelRequest;
  readonly model: LanguageModelV3;
  readonly wire: Wire;
  readonly endpoint: Endpoint;
}

/** Ends with exactly one `done` or `failed`. */
export async function* streamOnce(attempt: Attempt, signal: AbortSignal): AsyncGenerator<AttemptDelta> {
  const stopped = untilAborted(signal);
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined;
  try {
    reader = (await Promise.race([openStream(attempt, signal), stopped]))?.getReader();
    const reply = startReply(`${attempt.wire}/${attempt.request.model}`);
    for (;;) {
      const next = await Promise.race([reader?.read(), stopped]);
      if (next === null || next === undefined) return yield { type: "failed", failure: abortedFailure };
      const { done, value } = next;
      if (done) return yield { type: "failed", failure: cutFailure };
      if (value.type === "error") throw value.error;
      if (value.type === "finish") return yield finish(reply, value);
      const delta = reply.take(value);
      if (delta !== undefined) yield delta;
    }
  } catch (error) {
    const failure = signal.aborted ? abortedFailure : describeFailure(error, attempt.endpoint, Date.now());
    yield { type: "failed", failure };
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}

async function openStream(attempt: Attempt, abortSignal: AbortSignal) {
  const { request, wire, model } = attempt;
  const maxOutputTokens = request.maxOutputTokens ?? defaultOutput(wire, request.model);
  const { stream } = await model.doStream({
    ...buildPrompt(request, wire),
    providerOptions: wireOptions(wire, request.model, request.effort),
    abortSignal,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  });
  return stream;
}

/** The library knows the limits of Claude's models, and for others falls to a limit too small for writing files. */
function defaultOutput(wire: Wire, model: string): number | undefined {
  return wire === "anthropic" && !model.includes("claude") ? 32_000 : undefined;
}

interface Draft {
  type: "text" | "thinking";
  text: string;
  proof: SharedV3ProviderMetadata | undefined;
}

function startReply(from: string) {
  const parts: (Draft | ToolCallPart)[] = [];
  const open = new Map<string, Draft>();
  const draftOf = (type: Draft["type"], id: string): Draft => {
    const known = open.get(`${type} ${id}`);
    if (known !== undefined) return known;
    const draft: Draft = { type, text: "", proof: undefined };
    open.set(`${type} ${id}`, draft);
    parts.push(draft);
    return draft;
  };
  return {
    take(part: LanguageModelV3StreamPart): AttemptDelta | undefined {
      if (part.type === "tool-call" && part.providerExecuted !== true) parts.push(readCall(part, from));
      if (!isSpeech(part)) return undefined;
      const type = part.type.startsWith("text") ? "text" : "thinking";
      const draft = draftOf(type, part.id);
      draft.proof = mergeProofs(draft.proof, part.providerMetadata);
      if (part.type.endsWith("-end")) open.delete(`${type} ${part.id}`);
      if (!("delta" in part) || part.delta === "") return undefined;
      draft.text += part.delta;
      return { type, text: part.delta };
    },
    parts: (): ReplyPart[] => parts.flatMap((part) => (part.type === "tool-call" ? [part] : closeDraft(part, from))),
  };
}

type SpeechPart = Extract<LanguageModelV3StreamPart, { type: `${"text" | "reasoning"}-${"start" | "delta" | "end"}` }>;

function isSpeech(part: LanguageModelV3StreamPart): part is SpeechPart {
  return /^(text|reasoning)-(start|delta|end)$/.test(part.type);
}

function closeDraft({ type, text, proof }: Draft, from: string): ReplyPart[] {
  if (type === "thinking")
    return text === "" && proof === undefined ? [] : [{ type, text, signature: sign(from, proof) }];
  const kept = withoutItem(proof);
  if (text === "") return [];
  return [kept === undefined ? { type, text } : { type, text, signature: sign(from, kept) }];
}

function readCall(part: LanguageModelV3ToolCall, from: string): ToolCallPart {
  const proof = withoutItem(part.providerMetadata);
  const call = { type: "tool-call" as const, id: part.toolCallId, tool: part.toolName };
  const signature = proof === undefined ? {} : { signature: sign(from, proof) };
  const input = part.input.trim() === "" ? {} : parseJson(part.input);
  if (!isObject(input)) return { ...call, input: {}, invalidInput: part.input, ...signature };
  return { ...call, input, ...signature };
}

/** OpenAI's item ids of text and calls name things it does not keep for us (`store: false`): only the rest is given back. */
function withoutItem(proof: SharedV3ProviderMetadata | undefined): SharedV3ProviderMetadata | undefined {
  const kept = Object.entries(proof ?? {}).flatMap(([name, fields]) => {
    const rest = Object.entries(fields).filter(([field, value]) => field !== "itemId" && value !== undefined);
    return rest.length === 0 ? [] : [[name, Object.fromEntries(rest)]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

type FinishPart = Extract<LanguageModelV3StreamPart, { type: "finish" }>;

function finish(reply: ReturnType<typeof startReply>, { finishReason, usage }: FinishPart): AttemptDelta {
  const parts = reply.parts();
  const stop = stopOf(finishReason, parts);
  if (stop === undefined) return { type: "failed", failure: cutFailure };
  return { type: "done", reply: parts, usage: usageOf(usage), stop };
}

/** Undefined: the stream ended before the server said why, as the libraries close a cut stream with a `finish` of their own. */
function stopOf({ unified, raw }: LanguageModelV3FinishReason, parts: readonly ReplyPart[]): StopReason | undefined {
  if (unified === "error" || (unified === "other" && raw === undefined)) return undefined;
  if (unified === "length") return "length";
  if (unified === "content-filter") return "refused";
  return parts.some((part) => part.type === "tool-call") ? "tool-calls" : "end";
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  const cacheReadTokens = inputTokens.cacheRead ?? 0;
  const cacheWriteTokens = inputTokens.cacheWrite ?? 0;
  const fresh = inputTokens.noCache ?? (inputTokens.total ?? 0) - cacheReadTokens - cacheWriteTokens;
  return { inputTokens: Math.max(0, fresh), outputTokens: outputTokens.total ?? 0, cacheReadTokens, cacheWriteTokens };
}
