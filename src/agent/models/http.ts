/** A small `fetch` on node:http for the providers: streaming, abort, proxies, silence limits; a fraction of the built-in's cost. */
import type { Agent, ClientRequest, IncomingMessage, request as httpRequest } from "node:http";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import type { Environment } from "./providers.ts";
import { proxyFor, proxyHeaders, tunnelAgent } from "./proxy.ts";
import { textsOf } from "./record.ts";
import { abortError, TransportError } from "./transport-error.ts";

export interface HttpOptions {
  /** Where HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY are looked up; for a provider also its key and its address. */
  readonly environment: Environment;
  /** The longest time without a byte from the server once connected; then the attempt counts as broken. */
  readonly silenceMs?: number;
  /** Gives the address to connect to, where that is settled already; a proxy looks names up itself. */
  readonly lookup?: LookupFunction;
  /** Certificates to trust besides Node's own (which NODE_EXTRA_CA_CERTS extends). */
  readonly certificates?: string;
}

interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly signal: AbortSignal | undefined;
}

interface Route {
  readonly request: typeof httpRequest;
  readonly agent: Agent;
  /** The proxy that an http request is addressed to in full. */
  readonly via: URL | undefined;
}

export function createHttp(options: HttpOptions) {
  const routes = new Map<string, Promise<Route>>();
  const agents: Agent[] = [];

  const routeTo = (url: URL): Promise<Route> => {
    const known = routes.get(url.origin);
    if (known !== undefined) return known;
    const route = openRoute(url, options).then((opened) => {
      agents.push(opened.agent);
      return opened;
    });
    routes.set(url.origin, route);
    return route;
  };

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const exchange: Exchange = {
      url: new URL(input instanceof URL ? input.href : typeof input === "string" ? input : input.url),
      method: init?.method ?? "GET",
      headers: textsOf(init?.headers),
      body: typeof init?.body === "string" ? Buffer.from(init.body) : undefined,
      signal: init?.signal ?? undefined,
    };
    const route = await routeTo(exchange.url);
    try {
      return await send(exchange, route, options);
    } catch (error) {
      if (!(error instanceof TransportError) || !error.staleSocket) throw error;
      return await send(exchange, route, options);
    }
  };
  /** `close` ends the connections that are kept alive. */
  return { fetch, close: () => agents.forEach((agent) => agent.destroy()) };
}

async function openRoute(url: URL, { environment, certificates, lookup }: HttpOptions): Promise<Route> {
  const proxy = proxyFor(url, environment);
  const options = { keepAlive: true, ...(lookup === undefined || proxy !== undefined ? {} : { lookup }) };
  if (url.protocol === "http:") {
    const http = await import("node:http");
    return { request: http.request, agent: new http.Agent(options), via: proxy };
  }
  const https = await import("node:https");
  const trust = certificates === undefined ? {} : { ca: certificates };
  const agent = new https.Agent({ ...options, ...trust });
  return { request: https.request, agent: proxy === undefined ? agent : tunnelAgent(agent, proxy), via: undefined };
}

/** Resolves when the head of the response is there; what goes wrong later breaks the body. */
function send(exchange: Exchange, route: Route, options: HttpOptions): Promise<Response> {
  const { url, signal, body } = exchange;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortError());
      return;
    }
    const request = route.request({
      ...addressOf(url, route.via),
      method: exchange.method,
      agent: route.agent,
      headers: {
        ...exchange.headers,
        ...(body === undefined ? {} : { "content-length": body.byteLength }),
        ...(route.via === undefined ? {} : { host: url.host, ...proxyHeaders(route.via) }),
      },
    });
    const stopWatch = watchSilence(request, options);
    const abort = () => request.destroy(abortError());
    const finish = () => {
      stopWatch.clear();
      signal?.removeEventListener("abort", abort);
    };
    signal?.addEventListener("abort", abort, { once: true });
    request.on("error", (error) => {
      finish();
      reject(unreachable(error, request, url));
    });
    request.on("response", (incoming) => {
      stopWatch.refresh();
      incoming.on("close", finish);
      void decoded(incoming).then((source) => {
        incoming.on("data", stopWatch.refresh);
        resolve(respond({ incoming, source, request }, url));
      }, reject);
    });
    request.end(body);
  });
}

function addressOf(url: URL, via: URL | undefined) {
  const target = via ?? url;
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const path = via === undefined ? `${url.pathname}${url.search}` : url.href;
  return { host, ...(target.port === "" ? {} : { port: target.port }), path };
}

function watchSilence(request: ClientRequest, { silenceMs = 300_000 }: HttpOptions) {
  const fail = (ms: number) => () => {
    request.destroy(new TransportError("silent", `no answer for ${Math.round(ms / 1000)} s`));
  };
  let timer = setTimeout(fail(connectMs), connectMs);
  const connected = () => {
    clearTimeout(timer);
    timer = setTimeout(fail(silenceMs), silenceMs);
  };
  request.on("socket", (socket) => {
    if (!socket.connecting) connected();
    else socket.once("connect", connected);
  });
  return { refresh: () => void timer.refresh(), clear: () => clearTimeout(timer) };
}

async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return incoming;
  const zlib = await import("node:zlib");
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const decoders = {
    br: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
    deflate: () => zlib.createInflate(flush),
    gzip: () => zlib.createGunzip(flush),
  };
  const name = encoding.trim().toLowerCase().replace(/^x-/, "");
  if (!Object.hasOwn(decoders, name)) throw new TransportError("broken", `its encoding (${encoding}) is unknown`);
  const decoder = decoders[name as keyof typeof decoders]();
  incoming.on("error", (error) => decoder.destroy(error));
  return incoming.pipe(decoder);
}

interface Answer {
  readonly incoming: IncomingMessage;
  readonly source: Readable;
  readonly request: ClientRequest;
}

/** Only what the providers read of a `Response`: the real class would load the built-in fetch. */
function respond(answer: Answer, url: URL): Response {
  const status = answer.incoming.statusCode ?? 0;
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(answer.incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const statusText = answer.incoming.statusMessage ?? "";
  const ok = status >= 200 && status < 300;
  const response = { ok, status, statusText, headers, url: url.href, body: bodyOf(answer) };
  if (!isEnoughOfResponse(response)) throw new TransportError("broken", "no body");
  return response;
}

function isEnoughOfResponse(value: object): value is Response {
  return "ok" in value && "headers" in value && "body" in value;
}

/** How long the rest of a body that nobody wants may take to come, so that the connection can be kept. */
const drainMs = 250;
const connectMs = 30_000;

function bodyOf({ incoming, source, request }: Answer): ReadableStream<Uint8Array> {
  let open = true;
  const close = (act: () => void): void => {
    if (open) act();
    open = false;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const broken = (error: Error) =>
        close(() => controller.error(isOurs(error) ? error : new TransportError("broken", codeOf(error))));
      source.on("data", (chunk: Buffer) => {
        if (!open) return;
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if ((controller.desiredSize ?? 1) <= 0) source.pause();
      });
      source.on("end", () => close(() => controller.close()));
      source.on("error", broken);
      request.on("error", broken);
      incoming.on("close", () => {
        if (!incoming.complete) broken(new Error("closed before the end"));
      });
    },
    pull: () => void source.resume(),
    cancel: () =>
      close(() => {
        source.resume();
        const timer = setTimeout(() => request.destroy(), drainMs);
        incoming.on("close", () => clearTimeout(timer));
        if (incoming.closed) clearTimeout(timer);
      }),
  });
}

function unreachable(error: Error, request: ClientRequest, url: URL): Error {
  if (isOurs(error)) return error;
  const code = codeOf(error);
  const staleSocket = request.reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
  const problem = new TransportError("unreachable", `${code} at ${url.host}`, staleSocket);
  return Object.assign(problem, { cause: error });
}

function isOurs(error: Error): boolean {
  return error instanceof TransportError || error.name === "AbortError";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
