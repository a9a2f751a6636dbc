/** What a scripted server answers to one request, well or badly. */
import type { Usage } from "../../agent/ports/model.ts";

export type LoopbackWire = "anthropic" | "responses" | "chat" | "google";

export interface LoopbackRequest {
  readonly wire: LoopbackWire;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed. */
  readonly body: LoopbackBody;
  /** The body as it came. */
  readonly bytes: Uint8Array;
}

export type LoopbackBody = Readonly<Record<string, unknown>>;

export type ScriptedTurn = ScriptedReply | ScriptedRefusal;

export interface ScriptedReply extends Misbehaviour {
  /** A list streams as one delta each. */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  /** Anthropic's thinking that nobody may read. */
  readonly redactedThinking?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Partial<Usage>;
  /** Taken from the reply when not given: `tool-calls` with calls, else `end`. */
  readonly stop?: "length" | "refused";
}

export interface ScriptedCall {
  readonly tool: string;
  readonly input?: unknown;
  /** The input as text, for one that is not JSON. Google's wire has no text here: there it is sent as a JSON string. */
  readonly rawInput?: string;
  readonly id?: string;
  /** Responses only: a tool that takes plain text (`rawInput`). */
  readonly custom?: boolean;
  /** Responses only: the tool's namespace. */
  readonly namespace?: string;
}

export interface Misbehaviour {
  /** The connection is destroyed after so many bytes of the body. */
  readonly cutAfter?: number;
  /** The stream ends properly, but after so many events. */
  readonly endAfterEvents?: number;
  /** An event that is not JSON comes as the third. */
  readonly malformedEvent?: boolean;
  /** The server reports an overload in the middle of the stream. */
  readonly errorEvent?: boolean;
  /** Before the head. */
  readonly delayMs?: number;
  /** Between events. */
  readonly eventDelayMs?: number;
  /** The body is written in pieces of so many bytes, which splits characters. */
  readonly chunkBytes?: number;
  /** All but the last two events are sent, then nothing more comes. */
  readonly hang?: boolean;
  readonly encoding?: "gzip" | "br";
}

/** Each wire has its own status and body for these. */
export type ScriptedRefusalReason = "wrong-key" | "unknown-model" | "context-full" | "overloaded" | "rate-limited";

export interface ScriptedRefusal {
  readonly refusal?: ScriptedRefusalReason;
  /** Instead of the reason's own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly delayMs?: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** One wire format: the frames of a reply, and the body of a refusal. */
export interface WireFormat {
  frames(reply: ScriptedReply, request: LoopbackRequest, turn: number): string[];
  errorFrame(): string;
  refuse(refusal: ScriptedRefusal, request: LoopbackRequest): WireAnswer;
}

export function textPieces({ text }: ScriptedReply): readonly string[] {
  return text === undefined || text === "" ? [] : typeof text === "string" ? [text] : text;
}

/** A call's input as text, in the two pieces that are streamed. */
export function inputPieces({ rawInput, input }: ScriptedCall): [string, string] {
  const raw = rawInput ?? JSON.stringify(input ?? {});
  const half = Math.ceil(raw.length / 2);
  return [raw.slice(0, half), raw.slice(half)];
}

/** `promptTokens` are all that were read: anew, from the cache, into it. */
export function usageOf({ usage }: ScriptedReply): Usage & { readonly promptTokens: number } {
  const used = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, ...usage };
  return { ...used, promptTokens: used.inputTokens + used.cacheReadTokens + used.cacheWriteTokens };
}

export function frame(value: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}
