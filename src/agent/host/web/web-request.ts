/** One GET, to the address that was judged, or through the proxy that the environment names. */
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import type { Address, Resolve } from "./addresses.ts";

export interface PageRequest {
  readonly signal: AbortSignal;
  /** Addresses inside of this machine and its networks that were judged and let through. */
  readonly permitted: readonly string[];
  readonly resolve?: Resolve;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The answer, or why it was not asked for. */
export async function getPage(url: URL, asked: PageRequest): Promise<IncomingMessage | string> {
  asked.signal.throwIfAborted();
  const { proxyFor } = await import("../../models/proxy.ts");
  const proxy = proxyFor(url, asked.environment ?? process.env);
  const address = await judgedAddress(url, asked, proxy !== undefined);
  if (typeof address === "string") return address;
  const route = proxy === undefined ? direct(url, address) : await through(proxy, url);
  const { request } =
    (route.protocol ?? url.protocol) === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...route, method: "GET", signal: asked.signal, headers: { ...headers, ...route.headers } },
      resolve,
    );
    sent.on("error", reject);
    sent.end();
  });
}

/** What of it leads inside of this machine and its networks. Behind a proxy a name that we cannot look up counts by its looks. */
export async function inwardOf(
  url: URL,
  asked: Pick<PageRequest, "resolve" | "environment">,
): Promise<readonly string[]> {
  const { inwardAddresses, isInnerName } = await import("./addresses.ts");
  try {
    return await inwardAddresses(url.hostname, asked.resolve);
  } catch {
    const { proxyFor } = await import("../../models/proxy.ts");
    const isProxied = proxyFor(url, asked.environment ?? process.env) !== undefined;
    return isProxied && isInnerName(url.hostname) ? [url.hostname] : [];
  }
}

const headers = {
  "user-agent": "groundplan",
  accept: "text/markdown, text/plain;q=0.9, text/html;q=0.8, */*;q=0.5",
  "accept-encoding": "gzip, br",
};

/** Behind a proxy a name that we cannot resolve is the proxy's to resolve; one that we can is judged all the same. */
async function judgedAddress(
  url: URL,
  { resolve, permitted }: PageRequest,
  isProxied: boolean,
): Promise<Address | string | null> {
  const { permittedAddress } = await import("./addresses.ts");
  try {
    return await permittedAddress(url.hostname, permitted, resolve);
  } catch (error) {
    const { isInnerName } = await import("./addresses.ts");
    const isNamed = isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0;
    if (!isProxied || !isNamed) throw error;
    if (!isInnerName(url.hostname) || permitted.includes(url.hostname)) return null;
    return `${url.hostname} is a name inside a private network`;
  }
}

type Route = Omit<RequestOptions, "headers"> & { readonly headers: Record<string, string> };

/** The address that was judged is the one that is used. */
function direct(url: URL, address: Address | null): Route {
  const { protocol, hostname, port, pathname, search, host } = url;
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    path: pathname + search,
    headers: { host },
    agent: false,
    lookup: (_, wanted, done) => {
      if (address === null) return done(new Error("no address was judged"), "");
      return wanted.all === true ? done(null, [{ ...address }]) : done(null, address.address, address.family);
    },
  };
}

async function through(proxy: URL, url: URL): Promise<Route> {
  const { proxyHeaders, tunnelAgent } = await import("../../models/proxy.ts");
  if (url.protocol === "https:") {
    const { Agent } = await import("node:https");
    const { lookup: _, ...route } = direct(url, null);
    return { ...route, agent: tunnelAgent(new Agent(), proxy) };
  }
  const { protocol, hostname, port } = proxy;
  const place = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port, path: url.href };
  return { ...place, agent: false, headers: { host: url.host, ...proxyHeaders(proxy) } };
}
