/** The four wire formats as rows of the conformance tests, and one request through the real libraries to a scripted server. */
import type { Message, ModelDelta, ModelRequest } from "../../src/agent/ports/model.ts";
import { connectModel, isModelError, parseModelName, type ConnectOptions } from "../../src/agent/models/index.ts";
import { startLoopback, type Loopback, type LoopbackScript, type ScriptedTurn } from "../../src/testing/loopback.ts";

export interface WireRow {
  readonly wire: "anthropic" | "responses" | "chat" | "google";
  readonly name: string;
  readonly model: string;
  /** Behind the server's address. */
  readonly path: string;
}

export const rows: readonly WireRow[] = [
  { wire: "anthropic", name: "anthropic/claude-sonnet-5-5", model: "claude-sonnet-5-5", path: "" },
  { wire: "responses", name: "openai/gpt-6.1-sol", model: "gpt-6.1-sol", path: "/v1/responses" },
  { wire: "chat", name: "openai/local-model", model: "local-model", path: "" },
  { wire: "google", name: "google/gemini-3.8-flash", model: "gemini-3.8-flash", path: "" },
];

export const userSays = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

export function requestOf(row: WireRow, extra: Partial<ModelRequest> = {}): ModelRequest {
  return { model: row.model, system: "Be brief.", tools: [readTool], messages: [userSays("hi")], ...extra };
}

export const readTool = {
  name: "Read",
  description: "Reads a file.",
  schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
};

export interface Talk {
  readonly server: Loopback;
  /** How long each wait of a retry was to be. */
  readonly waits: number[];
  readonly ask: (request?: Partial<ModelRequest>, signal?: AbortSignal) => Promise<ModelDelta[]>;
  readonly stream: (request?: Partial<ModelRequest>, signal?: AbortSignal) => AsyncIterable<ModelDelta>;
  readonly close: () => Promise<void>;
}

/** A connection to a server that answers with the turns given, one after the other; waits are not waited. */
export async function talk(
  row: WireRow,
  turns: readonly ScriptedTurn[] | LoopbackScript,
  options: Partial<ConnectOptions> & { readonly prefix?: string } = {},
): Promise<Talk> {
  const script = typeof turns === "function" ? turns : (_: unknown, turn: number) => turns[turn - 1] ?? { text: "" };
  const server = await startLoopback({ script });
  const waits: number[] = [];
  const { prefix = "", ...rest } = options;
  const model = await connect(row, {
    environment: server.environment(`${prefix}${row.path}`),
    retry: { random: () => 0, sleep: async (ms) => void waits.push(ms) },
    ...rest,
  });
  const stream: Talk["stream"] = (extra, signal = new AbortController().signal) =>
    model.stream(requestOf(row, extra), signal);
  return {
    server,
    waits,
    stream,
    ask: (extra, signal) => collect(stream(extra, signal)),
    close: async () => {
      model.close();
      await server.close();
    },
  };
}

async function connect(row: WireRow, options: ConnectOptions) {
  const name = parseModelName(row.name);
  if ("code" in name || name.provider === "scout") throw new Error("not a remote model");
  const model = await connectModel(name, options);
  if (isModelError(model)) throw new Error(model.message);
  return model;
}

export async function collect(stream: AsyncIterable<ModelDelta>): Promise<ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of stream) deltas.push(delta);
  return deltas;
}

/** The deltas without the last, and the last. */
export function ending(deltas: readonly ModelDelta[]) {
  const last = deltas.at(-1);
  return {
    done: last?.type === "done" ? last : undefined,
    error: last?.type === "failed" ? last.error : undefined,
    before: deltas.slice(0, -1),
  };
}
