/** One GET, to the address that was judged, or through the proxy that the environment names. */
import { isIP, type LookupFunction } from "node:net";
import { createHttp } from "../../models/http.ts";
import type { Environment } from "../../models/providers.ts";
import { proxyFor } from "../../models/proxy.ts";
import { inwardAddresses, isInnerName, permittedAddress, type NetAddress, type ResolveHost } from "./addresses.ts";

export interface PageRequest extends Resolving {
  readonly signal: AbortSignal;
  /** Addresses inside of this machine and its networks that were judged and let through. */
  readonly permitted: readonly string[];
}

export interface Resolving {
  readonly resolve?: ResolveHost;
  /** Where proxies are looked up. */
  readonly environment?: Environment;
}

/** The answer, or why it was not asked for. `close` ends the connection. */
export async function getPage(
  url: URL,
  asked: PageRequest,
): Promise<{ readonly response: Response; readonly close: () => void } | string> {
  asked.signal.throwIfAborted();
  const environment = asked.environment ?? process.env;
  const address = await judgedAddress(url, asked, proxyFor(url, environment) !== undefined);
  if (typeof address === "string") return address;
  const http = createHttp({ environment, lookup: lookupOf(address) });
  try {
    return { response: await http.fetch(url, { headers, signal: asked.signal }), close: () => http.close() };
  } catch (error) {
    http.close();
    throw error;
  }
}

/** What of it leads inside of this machine and its networks. Behind a proxy a name that we cannot look up counts by its looks. */
export async function inwardOf(url: URL, asked: Resolving): Promise<readonly string[]> {
  try {
    return await inwardAddresses(url.hostname, asked.resolve);
  } catch {
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
): Promise<NetAddress | string | null> {
  try {
    return await permittedAddress(url.hostname, permitted, resolve);
  } catch (error) {
    const isNamed = isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0;
    if (!isProxied || !isNamed) throw error;
    if (!isInnerName(url.hostname) || permitted.includes(url.hostname)) return null;
    return `${url.hostname} is a name inside a private network`;
  }
}

/** The address that was judged is the one that is used. */
function lookupOf(address: NetAddress | null): LookupFunction {
  return (_, wanted, done) => {
    if (address === null) return done(new Error("no address was judged"), "");
    return wanted.all === true ? done(null, [{ ...address }]) : done(null, address.address, address.family);
  };
}
