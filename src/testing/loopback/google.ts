/** The wire format of Google's streamGenerateContent as server-sent events. */
import { frame, textPieces, usageOf, type ScriptedRefusalReason, type ScriptedReply, type WireFormat } from "./turn.ts";

export const google: WireFormat = {
  frames(reply, request, turn) {
    const { promptTokens, outputTokens, cacheReadTokens } = usageOf(reply);
    const usageMetadata = {
      promptTokenCount: promptTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: promptTokens + outputTokens,
      cachedContentTokenCount: cacheReadTokens,
    };
    const head = { usageMetadata, modelVersion: modelOf(request.path), responseId: `response_${turn}` };
    const chunk = (parts: readonly unknown[], finishReason?: string) => {
      const content = { role: "model", parts };
      return frame({ candidates: [{ content, index: 0, ...(finishReason && { finishReason }) }], ...head });
    };
    return [...partsOf(reply, turn).map((part) => chunk([part])), chunk([{ text: "" }], stopOf(reply))];
  },
  errorFrame: () => frame({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
  refuse({ refusal, status, message }, request) {
    const known = refusal === undefined ? undefined : refusals(modelOf(request.path))[refusal];
    const code = status ?? known?.status ?? 500;
    const name = known?.name ?? (code === 429 ? "RESOURCE_EXHAUSTED" : code >= 500 ? "INTERNAL" : "INVALID_ARGUMENT");
    const error = { code, message: message ?? known?.message ?? "scripted refusal", status: name };
    return { status: code, body: { error: { ...error, details: known?.details ?? [] } } };
  },
};

function partsOf(reply: ScriptedReply, turn: number): unknown[] {
  const signed = reply.thinking === undefined ? {} : { thoughtSignature: `thought-${turn}` };
  const thoughts = reply.thinking === undefined ? [] : [{ text: reply.thinking, thought: true }];
  const pieces = textPieces(reply);
  const isLast = (index: number) => index === pieces.length - 1 && reply.calls === undefined;
  const texts = pieces.map((text, index) => Object.assign({ text }, isLast(index) ? signed : {}));
  const calls = (reply.calls ?? []).map((call, index) => {
    const id = call.id ?? `call_${turn}_${index}`;
    const functionCall = { id, name: call.tool, args: call.rawInput ?? call.input ?? {} };
    return Object.assign({ functionCall }, index === 0 ? signed : {});
  });
  return [...thoughts, ...texts, ...calls];
}

function stopOf({ stop }: ScriptedReply): string {
  if (stop === undefined) return "STOP";
  return stop === "length" ? "MAX_TOKENS" : "SAFETY";
}

function modelOf(path: string): string {
  return /models\/([^:/]+):/.exec(path)?.[1] ?? "";
}

interface Refusal {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly details?: readonly unknown[];
}

const refusals = (model: string): Readonly<Record<ScriptedRefusalReason, Refusal>> => ({
  "wrong-key": {
    status: 400,
    name: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
    details: [{ reason: "API_KEY_INVALID" }],
  },
  "unknown-model": {
    status: 404,
    name: "NOT_FOUND",
    message: `models/${model} is not found for API version v1beta, or is not supported for generateContent.`,
  },
  "context-full": {
    status: 400,
    name: "INVALID_ARGUMENT",
    message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  },
  overloaded: { status: 503, name: "UNAVAILABLE", message: "The model is overloaded. Please try again later." },
  "rate-limited": { status: 429, name: "RESOURCE_EXHAUSTED", message: "You exceeded the rate limit." },
});
