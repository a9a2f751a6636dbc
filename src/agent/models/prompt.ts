/** Our messages as the provider libraries want them, with the thinking that belongs to this model and Anthropic's cache marks. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ImagePart, Message, ModelRequest, ReplyPart, TextPart, ToolResultPart } from "../ports/model.ts";
import { readSignature } from "./signature.ts";

/** The wire format spoken; `chat` is OpenAI's older one, which compatible servers speak. */
export type Wire = "anthropic" | "responses" | "chat" | "google";

type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];
type ResultOutput = LanguageModelV3ToolResultPart["output"];

const cacheMark: SharedV3ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

export function buildPrompt(request: ModelRequest, wire: Wire): Pick<LanguageModelV3CallOptions, "prompt" | "tools"> {
  const from = `${wire}/${request.model}`;
  const messages = request.messages.flatMap((message) => convertMessage(message, wire, from));
  const system: LanguageModelV3Message[] = request.system === "" ? [] : [{ role: "system", content: request.system }];
  const tools = request.tools.map((tool): LanguageModelV3FunctionTool => {
    const { name, description } = tool;
    const strict = wire === "responses" ? { strict: false } : {};
    return { type: "function", name, description, inputSchema: { ...tool.schema }, ...strict };
  });
  if (wire !== "anthropic") return { prompt: [...system, ...messages], tools };
  return {
    prompt: [...system.map(marked), ...markLastTwo(messages)],
    tools: [...tools.slice(0, -1), ...tools.slice(-1).map(marked)],
  };
}

function convertMessage(message: Message, wire: Wire, from: string): LanguageModelV3Message[] {
  if (message.role === "user") {
    const content = message.content.filter((part) => part.type !== "text" || part.text !== "").map(convertInput);
    return content.length === 0 ? [] : [{ role: "user", content }];
  }
  if (message.role === "assistant") {
    const content = message.content.flatMap((part) => convertReply(part, wire, from));
    return content.length === 0 ? [] : [{ role: "assistant", content }];
  }
  const content = message.results.map((result): LanguageModelV3ToolResultPart => ({
    type: "tool-result",
    toolCallId: result.id,
    toolName: result.tool,
    output: convertResult(result, wire),
  }));
  const results: LanguageModelV3Message[] = content.length === 0 ? [] : [{ role: "tool", content }];
  if (wire !== "chat") return results;
  const images = message.results.flatMap((result) => result.content.filter(isImage)).map(convertInput);
  return images.length === 0 ? results : [...results, { role: "user", content: images }];
}

function convertInput(part: TextPart | ImagePart) {
  if (part.type === "text") return { type: "text" as const, text: part.text };
  return { type: "file" as const, mediaType: part.mediaType, data: part.base64 };
}

function convertReply(part: ReplyPart, wire: Wire, from: string): AssistantPart[] {
  const signature = readSignature(part.signature, from);
  const proof = signature?.proof === undefined ? {} : { providerOptions: signature.proof };
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text, ...proof }];
  if (part.type === "thinking") {
    return signature === undefined ? [] : [{ type: "reasoning", text: part.text, ...proof }];
  }
  const options = wire === "chat" ? chatProof(signature?.proof) : proof;
  return [{ type: "tool-call", toolCallId: part.id, toolName: part.tool, input: part.input ?? {}, ...options }];
}

/** Gemini behind a compatible server signs its calls, and the library reads that back under another name. */
function chatProof(proof: SharedV3ProviderOptions | undefined): { providerOptions?: SharedV3ProviderOptions } {
  const thoughtSignature = Object.values(proof ?? {}).find((value) => value["thoughtSignature"])?.["thoughtSignature"];
  return thoughtSignature === undefined ? {} : { providerOptions: { google: { thoughtSignature } } };
}

/** Images go along inside the result, but not over `chat`, where they follow as a message of their own. */
function convertResult(result: ToolResultPart, wire: Wire): ResultOutput {
  const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const images = result.content.filter(isImage);
  if (images.length === 0 || wire === "chat") return { type: result.isError ? "error-text" : "text", value: text };
  const words = text === "" && wire !== "google" ? [] : [{ type: "text" as const, text }];
  const pictures = images.map(({ mediaType, base64 }) => ({ type: "image-data" as const, mediaType, data: base64 }));
  return { type: "content", value: [...words, ...pictures] };
}

function isImage(part: TextPart | ImagePart): part is ImagePart {
  return part.type === "image";
}

function marked<Part extends { providerOptions?: SharedV3ProviderOptions }>(part: Part): Part {
  return { ...part, providerOptions: cacheMark };
}

/** The last two messages of our side: what the next request will find in the cache, and what this one can. */
function markLastTwo(messages: readonly LanguageModelV3Message[]): LanguageModelV3Message[] {
  const ours = messages.flatMap(({ role }, index) => (role === "assistant" ? [] : [index]));
  const last = new Set(ours.slice(-2));
  return messages.map((message, index) => (last.has(index) ? marked(message) : message));
}
