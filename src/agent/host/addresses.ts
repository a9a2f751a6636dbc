/** Which network addresses a fetched page may come from: the public net, and this machine when it is named as such. */
import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Where to connect, or why not. Private, link-local (cloud metadata), carrier and test networks are refused, also when a public name leads there. */
export async function permittedAddress(host: string, resolve: Resolve = resolveAll): Promise<Address | string> {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  const kind = isIP(name);
  const addresses = kind === 0 ? await resolve(name) : [{ address: name, family: kind === 4 ? 4 : 6 } as const];
  const first = addresses[0];
  if (first === undefined) return `${name} has no address`;
  const isOurs = thisMachine.has(name);
  const isPermitted = isOurs ? isLoopback : isPublic;
  const refused = addresses.find((address) => !isPermitted(address));
  if (refused === undefined) return first;
  return `${name} leads to ${refused.address}, an address inside a private network`;
}

/** Only when it is written like this: a name that merely leads here is a trick. */
const thisMachine = new Set(["localhost", "127.0.0.1", "::1"]);

async function resolveAll(host: string): Promise<readonly Address[]> {
  const found = await resolveName(host, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function isLoopback({ address, family }: Address): boolean {
  return loopback().check(address, family === 4 ? "ipv4" : "ipv6");
}

function isPublic({ address, family }: Address): boolean {
  return !reserved().check(address, family === 4 ? "ipv4" : "ipv6");
}

function loopback(): BlockList {
  return listOf(["127.0.0.0/8", "::1/128"]);
}

function reserved(): BlockList {
  return listOf(
    (
      "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 " +
      "224.0.0.0/4 240.0.0.0/4 ::/127 fc00::/7 fe80::/10 fec0::/10 ff00::/8 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16"
    ).split(" "),
  );
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = "", prefix = ""] = range.split("/");
    list.addSubnet(net, Number(prefix), net.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
