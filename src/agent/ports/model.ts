/** The port to a language model: one request in, a stream of deltas out. */
import type { Effort } from "../../core/settings/settings.ts";
import type { Entry } from "../../core/transcript.ts";

export interface ModelRequest {
  /** The name behind the provider's prefix: `claude-x`, not `anthropic/claude-x`. */
  readonly model: string;
  readonly effort?: Effort;
  readonly system: string;
  readonly tools: readonly ToolDescription[];
  readonly messages: readonly Message[];
  /** What the messages were made of, as values: for a model in this process; no provider is sent it. */
  readonly transcript?: readonly Entry[];
  /** The reply is to stand for the whole conversation from now on. */
  readonly wants?: "summary";
  readonly maxOutputTokens?: number;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type Message =
  | { readonly role: "user"; readonly content: readonly (TextPart | ImagePart)[] }
  | { readonly role: "assistant"; readonly content: readonly ReplyPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResultPart[] };

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /** The provider's own mark on a reply's text, given back unchanged in the next request. */
  readonly signature?: unknown;
}

export interface ImagePart {
  readonly type: "image";
  readonly mediaType: string;
  readonly base64: string;
}

export type ReplyPart = TextPart | ThinkingPart | ToolCallPart;

/** What the model thought; `signature` is the provider's own proof, given back unchanged in the next request. */
export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  readonly signature?: unknown;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** What the model wrote when its input was not a JSON object; `input` is then `{}` and the call must not run. */
  readonly invalidInput?: string;
  readonly signature?: unknown;
}

export interface ToolResultPart {
  readonly id: string;
  readonly tool: string;
  readonly content: readonly (TextPart | ImagePart)[];
  readonly isError: boolean;
}

/** `inputTokens` counts what was neither read from nor written to the cache: the three together are the whole prompt. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export type StopReason = "end" | "tool-calls" | "length" | "refused";

export type ModelErrorCode =
  | "wrong-key"
  | "no-key"
  | "unknown-model"
  | "context-full"
  | "rate-limited"
  | "overloaded"
  | "server-error"
  | "broken-stream"
  | "unreachable"
  | "bad-request"
  | "aborted";

export interface ModelError {
  readonly code: ModelErrorCode;
  /** One sentence for a person: what happened and what to do. */
  readonly message: string;
}

export type ModelDelta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  /** The last attempt failed with `error`; attempt number `attempt` (2 is the first retry) begins in `waitMs`. */
  | { readonly type: "retrying"; readonly attempt: number; readonly waitMs: number; readonly error: ModelError }
  /** What was streamed so far is void: the answer begins anew. */
  | { readonly type: "restarted" }
  | { readonly type: "done"; readonly reply: readonly ReplyPart[]; readonly usage: Usage; readonly stop: StopReason }
  | { readonly type: "failed"; readonly error: ModelError };

export interface Model {
  /** Never throws: failure is the last delta. Ends with exactly one `done` or `failed`; an abort ends as `failed` with `aborted`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}

/** A model with the name that goes into requests. */
export interface NamedModel {
  readonly model: Model;
  readonly name: string;
  readonly effort?: Effort;
}
