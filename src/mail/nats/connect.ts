/** The connection to the NATS servers: made at the first need, kept up, and shown. */
import { setTimeout as pause } from "node:timers/promises";
import type { NatsConnection } from "@nats-io/transport-node";
import { MailboxError, type Connection } from "../mailbox.ts";
import { unlessAborted } from "../pause.ts";
import { connectionOptions, describeServers, type NatsAccess } from "./access.ts";

export interface Link {
  /** Waits until there is a connection. Rejects with MailboxError when the servers refuse us, or with the signal's reason. */
  ready(signal: AbortSignal): Promise<NatsConnection>;
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void): () => void;
  /** Called whenever a lost connection is there again; returns what ends it. */
  onReconnect(listener: () => void): () => void;
  /** The servers are there but do not answer for the stream, or do so again. */
  answered(isAnswered: "yes" | "no"): void;
  close(): Promise<void>;
}

/** Connects at the first need, goes on trying, and tells every change. */
export function createLink(access: NatsAccess): Link {
  const closing = new AbortController();
  const listeners = new Set<(connection: Connection) => void>();
  const reconnectListeners = new Set<() => void>();
  const servers = describeServers(access.url);
  let now: Connection = { state: "reconnecting", detail: `not connected to ${servers} yet` };
  let opening: Promise<NatsConnection> | null = null;
  let current: NatsConnection | null = null;
  const tell = (next: Connection): void => {
    if (next.state === now.state && next.detail === now.detail) return;
    now = next;
    for (const listener of listeners) listener(next);
  };
  const connected: Connection = { state: "connected", detail: servers };
  const silent: Connection = { state: "reconnecting", detail: `${servers} do not acknowledge at the moment` };
  const open = async (): Promise<NatsConnection> => {
    const options = await connectionOptions(access);
    const { connect } = await import("./packages.ts");
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      closing.signal.throwIfAborted();
      try {
        const connection = await connect(options);
        if (closing.signal.aborted) await connection.close();
        closing.signal.throwIfAborted();
        current = connection;
        tell(connected);
        void watchStatus(connection);
        return connection;
      } catch (error) {
        if (isRefusal(error)) throw new MailboxError(refusalOf(error, servers), { cause: error });
        tell({
          state: "reconnecting",
          detail: `${servers} cannot be reached (${error instanceof Error ? error.name : String(error)})`,
        });
      }
      await pause(wait, undefined, { signal: closing.signal });
    }
  };
  const watchStatus = async (connection: NatsConnection): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === "disconnect" || type === "reconnecting" || type === "staleConnection") {
        tell({ state: "reconnecting", detail: `the connection to ${servers} is lost` });
      }
      if (type !== "reconnect") continue;
      tell(connected);
      for (const listener of reconnectListeners) listener();
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
      return unlessAborted(opening, AbortSignal.any([signal, closing.signal]));
    },
    connection: () => now,
    onConnection(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onReconnect(listener) {
      reconnectListeners.add(listener);
      return () => void reconnectListeners.delete(listener);
    },
    answered(isAnswered) {
      if (now.state === "refused" || (now.state === "reconnecting" && now !== silent)) return;
      tell(isAnswered === "yes" ? connected : silent);
    },
    async close() {
      closing.abort(new MailboxError("The mailbox is closed."));
      await current?.close();
      listeners.clear();
    },
  };
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
