/** Who we are to the NATS servers, and how we know them: the URL, credentials and certificates. */
import { readFile } from "node:fs/promises";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";
import type { NodeConnectionOptions } from "@nats-io/transport-node";
import { present } from "../../core/present.ts";
import { MailboxError } from "../mailbox.ts";

export interface NatsAccess {
  /** `nats://host:4222`, `tls://host:4222`, several separated by commas; `user:password@` or `token@` may stand in the first. */
  readonly url: string;
  /**
   * Read from here: NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY name files; NATS_USER, NATS_PASSWORD and NATS_TOKEN
   * are meant as they are.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What the environment and the URL say, in the words of the library. Rejects with MailboxError. */
export async function connectionOptions({ url, environment }: NatsAccess): Promise<NodeConnectionOptions> {
  const addresses = url.split(",").map((part) => parseUrl(part.trim()));
  const inUrl = credentialsOf(addresses[0]!);
  const given = (name: string): string | undefined =>
    environment[name]?.trim() === "" ? undefined : environment[name];
  const user = given("NATS_USER") ?? inUrl.user;
  const pass = given("NATS_PASSWORD") ?? inUrl.pass;
  const token = given("NATS_TOKEN") ?? inUrl.token;
  const files = present({ caFile: given("NATS_CA"), certFile: given("NATS_CERT"), keyFile: given("NATS_KEY") });
  const isEncrypted = Object.keys(files).length > 0 || addresses.some(({ protocol }) => protocol === "tls:");
  const authenticator = await authenticatorOf(given("NATS_CREDS"), given("NATS_NKEY"));
  await Promise.all(Object.values(files).map((path) => readSecret(path)));
  return {
    servers: addresses.map(({ host }) => host),
    name: "groundplan",
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5000,
    maxPingOut: 2,
    timeout: 5000,
    ...present({ user, pass, token, authenticator }),
    ...(isEncrypted && { tls: { ...files, ...identityOf(addresses) } }),
  };
}

/** `user:password@`, or a token alone. */
function credentialsOf({ username, password }: URL): Partial<Record<"user" | "pass" | "token", string>> {
  if (username === "") return {};
  try {
    const name = decodeURIComponent(username);
    return password === "" ? { token: name } : { user: name, pass: decodeURIComponent(password) };
  } catch (error) {
    throw new MailboxError("The user or the password in team.natsUrl is not written as in a URL.", { cause: error });
  }
}

/** The certificate has to be one of a server that the settings name; the library alone does not look at numeric addresses. */
function identityOf(addresses: readonly URL[]): Pick<ConnectionOptions, "checkServerIdentity"> {
  const hosts = addresses.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, "$1"));
  return {
    checkServerIdentity(_, certificate) {
      const problems = hosts.map((host) => checkServerIdentity(host, certificate));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}

async function authenticatorOf(
  creds: string | undefined,
  nkey: string | undefined,
): Promise<NodeConnectionOptions["authenticator"]> {
  if (creds === undefined && nkey === undefined) return undefined;
  const { credsAuthenticator, nkeyAuthenticator } = await import("./packages.ts");
  if (creds !== undefined) return credsAuthenticator(await readSecret(creds));
  return nkeyAuthenticator(new TextEncoder().encode((await readSecret(nkey!)).toString("utf8").trim()));
}

async function readSecret(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new MailboxError(`${path}, named by the environment for NATS, cannot be read.`, { cause: error });
  }
}

/** Without what it may hold of a secret in any message. */
function parseUrl(text: string): URL {
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `nats://${text}`;
  if (URL.canParse(withScheme)) {
    const url = new URL(withScheme);
    if ((url.protocol === "nats:" || url.protocol === "tls:") && url.hostname !== "") return url;
  }
  throw new MailboxError("team.natsUrl is not the address of a NATS server: use nats://host:4222 or tls://host:4222.");
}

/** Hosts and ports alone. */
export function describeServers(url: string): string {
  try {
    return url
      .split(",")
      .map((part) => parseUrl(part.trim()).host)
      .join(", ");
  } catch {
    return "the NATS servers";
  }
}
