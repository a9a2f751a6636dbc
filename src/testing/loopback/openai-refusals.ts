/** The bodies with which OpenAI and its likenesses refuse. */
import type { WireAnswer, LoopbackRequest, ScriptedRefusalReason, ScriptedRefusal } from "./turn.ts";

export function refuseLikeOpenAi(refusal: ScriptedRefusal, request: LoopbackRequest): WireAnswer {
  const known = refusal.refusal === undefined ? undefined : refusals(String(request.body["model"]))[refusal.refusal];
  const status = refusal.status ?? known?.status ?? 500;
  const type = known?.type ?? (status >= 500 ? "server_error" : "invalid_request_error");
  const message = refusal.message ?? known?.message ?? "scripted refusal";
  return { status, body: { error: { message, type, param: null, code: known?.code ?? null } } };
}

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const refusals = (model: string): Readonly<Record<ScriptedRefusalReason, Refusal>> => ({
  "wrong-key": {
    status: 401,
    type: "invalid_request_error",
    code: "invalid_api_key",
    message: "Incorrect API key provided: te***ey.",
  },
  "unknown-model": {
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  },
  "context-full": {
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  },
  overloaded: { status: 503, type: "server_error", code: null, message: "The engine is currently overloaded" },
  "rate-limited": { status: 429, type: "requests", code: "rate_limit_exceeded", message: "Rate limit reached" },
});
