/** The connection to the NATS servers: how it is made, who we are there, and how it is doing. */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { NatsConnection, NodeConnectionOptions } from "@nats-io/transport-node";
import { MailboxError, type Connection } from "./mailbox.ts";

export interface NatsAccess {
  /** `nats://host:4222`, `tls://host:4222`, several separated by commas; a user and a password may stand in it. */
  readonly url: string;
  /**
   * Read from here: NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY name files; NATS_USER, NATS_PASSWORD and NATS_TOKEN
   * are meant as they are.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Link {
  /** Waits until there is a connection. Rejects with MailboxError when the servers refuse us, or with the signal's reason. */
  ready(signal: AbortSignal): Promise<NatsConnection>;
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void): () => void;
  /** The servers are there but do not answer for the stream, or do so again. */
  answered(isAnswered: "yes" | "no"): void;
  close(): Promise<void>;
}

/** Connects at the first need, goes on trying, and tells every change. */
export function createLink(access: NatsAccess): Link {
  const closing = new AbortController();
  const listeners = new Set<(connection: Connection) => void>();
  const servers = describeServers(access.url);
  let now: Connection = { state: "reconnecting", detail: `not connected to ${servers} yet` };
  let opening: Promise<NatsConnection> | null = null;
  const tell = (next: Connection): void => {
    if (next.state === now.state && next.detail === now.detail) return;
    now = next;
    for (const listener of listeners) listener(next);
  };
  const connected: Connection = { state: "connected", detail: servers };
  const open = async (): Promise<NatsConnection> => {
    const options = await connectionOptions(access);
    const { connect } = await import("@nats-io/transport-node");
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      closing.signal.throwIfAborted();
      try {
        const connection = await connect(options);
        tell(connected);
        void watchStatus(connection);
        return connection;
      } catch (error) {
        if (isRefusal(error)) throw new MailboxError(refusalOf(error, servers), { cause: error });
        tell({ state: "reconnecting", detail: `${servers} cannot be reached (${nameOf(error)})` });
      }
      await pause(wait, undefined, { signal: closing.signal });
    }
  };
  const watchStatus = async (connection: NatsConnection): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === "disconnect" || type === "reconnecting" || type === "staleConnection") {
        tell({ state: "reconnecting", detail: `the connection to ${servers} is lost` });
      }
      if (type === "reconnect") tell(connected);
    }
    opening = null;
    const error = await connection.closed();
    if (!closing.signal.aborted) tell({ state: "refused", detail: refusalOf(error, servers) });
  };
  return {
    ready(signal) {
      opening ??= open().catch((error: unknown) => {
        opening = null;
        if (error instanceof MailboxError) tell({ state: "refused", detail: error.message });
        throw error;
      });
      return untilAborted(opening, AbortSignal.any([signal, closing.signal]));
    },
    connection: () => now,
    onConnection(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    answered(isAnswered) {
      if (now.state === "refused" || (now.state === "reconnecting" && now.detail !== silent(servers))) return;
      tell(isAnswered === "yes" ? connected : { state: "reconnecting", detail: silent(servers) });
    },
    async close() {
      closing.abort(new MailboxError("The mailbox is closed."));
      const connection = await opening?.catch(() => null);
      await connection?.close();
      listeners.clear();
    },
  };
}

/** Rejects with the reason of the signal as soon as it is raised. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Exported for its test: what the environment and the URL say, in the words of the library. */
export async function connectionOptions({ url, environment }: NatsAccess): Promise<NodeConnectionOptions> {
  const addresses = url.split(",").map((part) => parseUrl(part.trim()));
  const [{ username, password }] = addresses as [URL];
  const given = (name: string): string | undefined =>
    environment[name]?.trim() === "" ? undefined : environment[name];
  const user = given("NATS_USER") ?? (username === "" ? undefined : decodeURIComponent(username));
  const pass = given("NATS_PASSWORD") ?? (password === "" ? undefined : decodeURIComponent(password));
  const token = given("NATS_TOKEN");
  const tls = {
    ...filesOf({ ca: given("NATS_CA"), cert: given("NATS_CERT"), key: given("NATS_KEY") }),
  };
  const isEncrypted = Object.keys(tls).length > 0 || addresses.some(({ protocol }) => protocol === "tls:");
  const authenticator = await authenticatorOf(given("NATS_CREDS"), given("NATS_NKEY"));
  await Promise.all(Object.values(tls).map((path) => readSecret(path)));
  return {
    servers: addresses.map(({ host }) => host),
    name: "groundplan",
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5000,
    maxPingOut: 2,
    timeout: 5000,
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(token !== undefined && { token }),
    ...(authenticator !== undefined && { authenticator }),
    ...(isEncrypted && { tls }),
  };
}

function filesOf({
  ca,
  cert,
  key,
}: Readonly<Record<"ca" | "cert" | "key", string | undefined>>): Record<string, string> {
  return {
    ...(ca !== undefined && { caFile: ca }),
    ...(cert !== undefined && { certFile: cert }),
    ...(key !== undefined && { keyFile: key }),
  };
}

async function authenticatorOf(
  creds: string | undefined,
  nkey: string | undefined,
): Promise<NodeConnectionOptions["authenticator"]> {
  if (creds === undefined && nkey === undefined) return undefined;
  const { credsAuthenticator, nkeyAuthenticator } = await import("@nats-io/transport-node");
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

function describeServers(url: string): string {
  try {
    return url
      .split(",")
      .map((part) => parseUrl(part.trim()).host)
      .join(", ");
  } catch {
    return "the NATS servers";
  }
}

/** Trying again brings nothing: a person has to change something. */
function isRefusal(error: unknown): boolean {
  if (error instanceof MailboxError) return true;
  if (!(error instanceof Error)) return false;
  return (
    [
      "AuthorizationError",
      "UserAuthenticationExpiredError",
      "InvalidArgumentError",
      "PermissionViolationError",
    ].includes(error.name) ||
    /certificate|self.signed|TLS|tls|ERR_SSL|authoriz/.test(
      `${error.message} ${String((error as { code?: unknown }).code)} ${String(error.cause)}`,
    )
  );
}

function refusalOf(error: unknown, servers: string): string {
  if (error instanceof MailboxError) return error.message;
  const why =
    error instanceof Error
      ? `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ""}`
      : "closed";
  return `${servers} refused the connection (${why}). See the NATS settings: team.natsUrl, NATS_CREDS, NATS_USER, NATS_TOKEN, NATS_CA.`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}

function silent(servers: string): string {
  return `${servers} do not acknowledge at the moment`;
}
