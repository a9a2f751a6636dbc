/** Which proxy the usual environment variables name for an address, and how to go through it. */
import { request as httpRequest } from "node:http";
import type { Agent } from "node:https";
import type { Duplex } from "node:stream";
import type { Environment } from "./providers.ts";
import { TransportError } from "./transport-error.ts";

/** Lower-case names win, as everywhere; this machine itself is never reached through a proxy. */
export function proxyFor(url: URL, environment: Environment): URL | undefined {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name];
  const proxy = named(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") || named("ALL_PROXY");
  if (proxy === undefined || isLocal(url.hostname) || isExempt(url, named("NO_PROXY") ?? "")) return undefined;
  const address = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (/^https?:/i.test(address) && URL.canParse(address)) return new URL(address);
  throw new TransportError("unreachable", `the proxy ${withoutUser(proxy)} is not an http address`);
}

export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
}

/** The agent given, but each of its connections is a CONNECT tunnel through the proxy. */
export function tunnelAgent(agent: Agent, proxy: URL): Agent {
  type Options = { readonly host?: string; readonly port?: number; readonly servername?: string };
  type Done = (error: Error | null, socket?: Duplex) => void;
  const createConnection = (options: Options, done: Done): void => {
    const authority = `${options.host ?? ""}:${options.port ?? 443}`;
    void openTunnel(proxy, authority).then(
      async (socket) => {
        const tls = await import("node:tls");
        done(null, tls.connect({ ...options, socket, servername: options.servername ?? options.host ?? "" }));
      },
      (error: Error) => done(error),
    );
  };
  return Object.assign(agent, { createConnection });
}

async function openTunnel(proxy: URL, authority: string): Promise<Duplex> {
  const request = proxy.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  return new Promise((resolve, reject) => {
    const connect = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      ...(proxy.port === "" ? {} : { port: proxy.port }),
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...proxyHeaders(proxy) },
      agent: false,
    });
    connect.setTimeout(30_000, () => connect.destroy(new Error("no answer")));
    connect.on("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else reject(new TransportError("unreachable", `the proxy ${proxy.host} refused with ${response.statusCode}`));
    });
    connect.on("error", (error) =>
      reject(new TransportError("unreachable", `the proxy ${proxy.host} failed: ${error.message}`)),
    );
    connect.end();
  });
}

function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host.startsWith("127.");
}

function isExempt(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "" || (only !== undefined && only !== port)) return false;
    return url.hostname === name || url.hostname.endsWith(`.${name}`);
  });
}

function withoutUser(proxy: string): string {
  return proxy.replace(/\/\/[^@/]*@/, "//");
}
