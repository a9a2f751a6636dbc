/** A server on this machine that speaks the providers' real wire formats by a script: for tests, benchmarks and trying out. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseJson } from "../core/wire/shape.ts";
import { providers } from "../agent/models/providers.ts";
import { anthropic } from "./loopback/anthropic.ts";
import { chat } from "./loopback/chat.ts";
import { google } from "./loopback/google.ts";
import { responses } from "./loopback/responses.ts";
import type {
  LoopbackBody,
  LoopbackRequest,
  LoopbackWire,
  ScriptedRefusal,
  ScriptedReply,
  ScriptedTurn,
  WireFormat,
} from "./loopback/turn.ts";

export type { LoopbackRequest, ScriptedCall, ScriptedTurn } from "./loopback/turn.ts";

/** `turn` counts the requests from 1. */
export type LoopbackScript = (request: LoopbackRequest, turn: number) => ScriptedTurn | Promise<ScriptedTurn>;

export interface Loopback {
  /** `http://127.0.0.1:<port>`; any path prefix and version before the wire's own path is accepted. */
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly LoopbackRequest[];
  /** The variables that lead each provider to this server, with keys that are not real. */
  environment(prefix?: string): Record<string, string>;
  close(): Promise<void>;
}

const formats: Readonly<Record<LoopbackWire, WireFormat>> = { anthropic, responses, chat, google };

export async function startLoopback(options: { script: LoopbackScript; port?: number }): Promise<Loopback> {
  const requests: LoopbackRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const serve = async (): Promise<void> => {
      const request = await readRequest(incoming);
      if (typeof request === "number") {
        outgoing.writeHead(request).end();
        return;
      }
      requests.push(request);
      const number = requests.length;
      await answer(outgoing, await options.script(request, number), { request, number });
    };
    serve().catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end(String(error));
    });
  });
  await new Promise<void>((resolve) => void server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url,
    requests,
    environment: (prefix = "") =>
      Object.fromEntries(
        providers.flatMap(({ keyVariable, addressVariable }) => [
          [keyVariable, "loopback-key"],
          [addressVariable, `${url}${prefix}`],
        ]),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A number is the status of a request that is none of ours. */
async function readRequest(incoming: IncomingMessage): Promise<LoopbackRequest | number> {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => void incoming.on("end", resolve));
  const bytes = Buffer.concat(chunks);
  const path = incoming.url ?? "/";
  const wire = wireOf(path);
  if (wire === undefined) return 404;
  const body = parseJson(bytes.toString()) as LoopbackBody | undefined;
  if (body === undefined) return 400;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  return { wire, method: incoming.method ?? "GET", path, headers, body, bytes };
}

function wireOf(path: string): LoopbackWire | undefined {
  const { pathname } = new URL(path, "http://loopback");
  if (pathname.endsWith("/messages")) return "anthropic";
  if (pathname.endsWith("/responses")) return "responses";
  if (pathname.endsWith("/chat/completions")) return "chat";
  return /\/models\/[^/]+:streamGenerateContent$/.test(pathname) ? "google" : undefined;
}

interface Turn {
  readonly request: LoopbackRequest;
  readonly number: number;
}

async function answer(outgoing: ServerResponse, turn: ScriptedTurn, at: Turn): Promise<void> {
  if (turn.delayMs !== undefined) await pause(turn.delayMs);
  if (isRefusal(turn)) refuse(outgoing, turn, at);
  else await speak(outgoing, turn, at);
}

function isRefusal(turn: ScriptedTurn): turn is ScriptedRefusal {
  return "refusal" in turn || "status" in turn;
}

function refuse(outgoing: ServerResponse, turn: ScriptedRefusal, { request }: Turn): void {
  const { status, body } = formats[request.wire].refuse(turn, request);
  outgoing.writeHead(status, { "content-type": "application/json", ...turn.headers }).end(JSON.stringify(body));
}

async function speak(outgoing: ServerResponse, reply: ScriptedReply, at: Turn): Promise<void> {
  const frames = framesOf(reply, at);
  const encoding = reply.encoding === undefined ? {} : { "content-encoding": reply.encoding };
  outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...encoding });
  const encode = await encoderOf(reply);
  const pieces = reply.eventDelayMs === undefined ? [frames.join("")] : frames;
  let left = reply.cutAfter ?? Infinity;
  for (const [index, text] of pieces.entries()) {
    if (index > 0) await pause(reply.eventDelayMs ?? 0);
    for (const chunk of split(encode(text), reply.chunkBytes)) {
      outgoing.write(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) {
        outgoing.once("drain", () => outgoing.destroy());
        setTimeout(() => outgoing.destroy(), 5);
        return;
      }
      if (reply.chunkBytes !== undefined) await pause(0);
    }
  }
  if (reply.hang !== true) outgoing.end();
}

function framesOf(reply: ScriptedReply, { request, number }: Turn): string[] {
  const format = formats[request.wire];
  const frames = format.frames(reply, request, number);
  if (reply.malformedEvent === true) frames.splice(2, 0, 'data: {"type": "trunca\n\n');
  if (reply.errorEvent === true) frames.splice(-2, 2, format.errorFrame());
  if (reply.hang === true) frames.splice(-2);
  return frames.slice(0, reply.endAfterEvents ?? frames.length);
}

async function encoderOf({ encoding }: ScriptedReply): Promise<(text: string) => Buffer> {
  if (encoding === undefined) return (text) => Buffer.from(text);
  const zlib = await import("node:zlib");
  return encoding === "br" ? (text) => zlib.brotliCompressSync(text) : (text) => zlib.gzipSync(text);
}

function split(bytes: Buffer, size: number | undefined): Buffer[] {
  if (size === undefined) return [bytes];
  return Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
