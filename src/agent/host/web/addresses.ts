/** Where a page would be fetched from: the public net, or addresses inside of this machine and the networks around it. */
import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

export interface NetAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type ResolveHost = (host: string) => Promise<readonly NetAddress[]>;

/**
 * Where to connect, or why not: every address that the name leads to is public, or one of those that were judged and let through.
 * Loopback, private, link-local (cloud metadata), carrier and mapped addresses are inside, however they are written, and this machine's own.
 */
export async function permittedAddress(
  host: string,
  permitted: readonly string[],
  resolve: ResolveHost = resolveAll,
): Promise<NetAddress | string> {
  const addresses = await addressesOf(host, resolve);
  const first = addresses[0];
  if (first === undefined) return `${host} has no address`;
  const refused = addresses.find((one) => isInward(one) && !permitted.includes(one.address));
  if (refused === undefined) return first;
  return `${host} leads to ${refused.address}, an address inside a private network`;
}

/** Of the addresses that the name leads to, those that are inside. Rejects where it leads nowhere. */
export async function inwardAddresses(host: string, resolve: ResolveHost = resolveAll): Promise<readonly string[]> {
  return (await addressesOf(host, resolve)).filter(isInward).map(({ address }) => address);
}

/** A name that only a network of one's own can know; for those that we cannot look up ourselves. */
export function isInnerName(host: string): boolean {
  const name = host.replace(/\.$/, "").toLowerCase();
  return (
    !name.includes(".") || /\.(local|localhost|localdomain|internal|intranet|lan|corp|home|arpa|private)$/.test(name)
  );
}

async function addressesOf(host: string, resolve: ResolveHost): Promise<readonly NetAddress[]> {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  const kind = isIP(name);
  return kind === 0 ? resolve(name) : [{ address: name, family: kind === 4 ? 4 : 6 }];
}

async function resolveAll(host: string): Promise<readonly NetAddress[]> {
  const found = await resolveName(host, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function isInward({ address, family }: NetAddress): boolean {
  const kind = family === 4 ? "ipv4" : "ipv6";
  return inside().check(address, kind) || ownAddresses().check(address, kind);
}

function inside(): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(" ")) {
    const [net = "", prefix = ""] = range.split("/");
    list.addSubnet(net, Number(prefix), net.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** What listens on every interface listens on these. */
function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((found) => found ?? [])) {
    list.addAddress(address.replace(/%.*$/, ""), family === "IPv6" ? "ipv6" : "ipv4");
  }
  return list;
}

/** IPv6 ranges that carry an IPv4 address within (compatible, NAT64, Teredo, 6to4) count as a whole; mapped ones are checked as IPv4. */
const ranges =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ::/96 ::ffff:0:0:0/96 64:ff9b::/96 " +
  "64:ff9b:1::/48 100::/64 2001::/32 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8";
