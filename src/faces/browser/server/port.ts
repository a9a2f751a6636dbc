/** A port of this machine that pages are served on: node:http on 127.0.0.1 alone, hardened, at the port it had before where that is free. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { errnoOf } from "../../../agent/host/files/file-error.ts";
import { isTooLong } from "./body.ts";
import { commonHeaders } from "./headers.ts";
import type { Routes } from "./routes.ts";

export interface PagePort {
  readonly port: number;
  /** From now on requests are answered so. */
  serve(answer: Routes): void;
  close(): Promise<void>;
}

export interface PortOptions {
  /** Any where it is null, or taken. */
  readonly wanted: number | null;
  /** One line for the person. */
  readonly tell: (line: string) => void;
}

export async function openPort({ wanted, tell }: PortOptions): Promise<PagePort | { readonly problem: string }> {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 5_000,
  });
  server.maxConnections = 128;
  const port = await listen(server, wanted).catch((error: Error) => error.message);
  if (typeof port === "string") return { problem: `No port of this machine can be had: ${port}` };
  return {
    port,
    serve(answer) {
      const respond = (request: IncomingMessage, response: ServerResponse): void => {
        response.once("finish", () => drain(request));
        response.once("close", () => !server.listening && setImmediate(() => server.closeIdleConnections()));
        answer(request, response).catch((error: unknown) => {
          tell(`the review page could not be answered: ${String(error)}`);
          if (!response.headersSent) response.writeHead(500, commonHeaders);
          response.end();
        });
      };
      server.on("request", respond);
      server.on("checkContinue", (request, response) => {
        if (!isTooLong(request)) response.writeContinue();
        respond(request, response);
      });
      server.on("clientError", refuseBroken);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
      await closed;
    },
  };
}

/** For so long an answer that is under way may take after the end. */
const lastAnswersMs = 2000;

/**
 * At the wanted port where it is free, else at any. A program that the run before was about to start holds a copy of its port
 * until it really runs: what is taken may be free a moment later.
 */
async function listen(server: Server, wanted: number | null): Promise<number> {
  if (wanted === null) return listenAt(server, 0);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = await listenAt(server, wanted).catch(errnoOf);
    if (typeof port === "number") return port;
    if (port !== "EADDRINUSE") break;
    await pause(betweenTriesMs);
  }
  return listenAt(server, 0);
}

const mostTries = 100;
const betweenTriesMs = 20;

async function listenAt(server: Server, port: number): Promise<number> {
  server.listen({ port, host: "127.0.0.1", exclusive: true });
  await once(server, "listening");
  server.on("error", () => undefined);
  return (server.address() as AddressInfo).port;
}

/** What was sent beyond what was wanted is thrown away unread for a moment, so that the answer arrives; then the line is cut. */
function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  setTimeout(() => request.destroy(), 1000).unref();
}

function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    { HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large", ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout" }[
      error.code ?? ""
    ] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
