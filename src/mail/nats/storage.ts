/** What a deployment keeps in JetStream: one stream of letters and two key-value buckets, each with as many copies as the cluster allows. */
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { keptPlansMs, keptRevisions, type Address } from "../mailbox.ts";

export interface Storage {
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly stream: string;
  /** Ids that were taken, for a week: longer than the servers remember ids themselves. */
  readonly taken: KV;
  /** Plans with their history, and texts that are too long for one message. */
  readonly plans: KV;
  /** The longest text that fits in one message, in bytes. */
  readonly longest: number;
}

export interface StorageOptions {
  /** Letters, digits, `-` and `_`: teams of two deployments on the same servers never meet. "groundplan". */
  readonly deployment: string;
  /** Copies of everything: 3 in a cluster, 1 on a single server. */
  readonly replicas: number | undefined;
  /** How many letters may wait in an inbox: 10 000. Settled by whoever makes the stream. */
  readonly mostUnread: number;
  readonly report: (problem: string) => void;
}

/** Made when missing. Rejects when the servers do not answer, or refuse. */
export async function openStorage(connection: NatsConnection, options: StorageOptions): Promise<Storage> {
  const { jetstream, jetstreamManager, Kvm } = await import("./packages.ts");
  const manager = await jetstreamManager(connection, { timeout: answerMs });
  const replicas = options.replicas ?? (connection.info?.cluster === undefined ? 1 : 3);
  const stream = `${options.deployment}_team`;
  await ensureStream(manager, stream, { ...options, replicas });
  const client = jetstream(connection, { timeout: answerMs });
  const buckets = new Kvm(client);
  const limits = { replicas, allow_direct: false, timeout: answerMs };
  const taken = await buckets.create(`${options.deployment}_taken`, { ...limits, history: 1, ttl: weekMs });
  const plans = await buckets.create(`${options.deployment}_plans`, {
    ...limits,
    history: keptRevisions,
    ttl: keptPlansMs,
  });
  const payload = connection.info?.max_payload ?? 1024 * 1024;
  return { jetstream: client, manager, stream, taken, plans, longest: Math.min(512 * 1024, Math.floor(payload / 2)) };
}

export function subjectOf(deployment: string, { team, agent }: Address): string {
  return `${deployment}.team.${team}.${agent}`;
}

/** For so long one request is waited for before it is tried again. */
export const answerMs = 3000;

/** A stream that an administrator made beforehand is taken as it is. */
async function ensureStream(
  manager: JetStreamManager,
  stream: string,
  { deployment, replicas, mostUnread, report }: StorageOptions & { readonly replicas: number },
): Promise<void> {
  const { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } = await import("./packages.ts");
  const found = await manager.streams.info(stream).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.status === 404) return null;
    throw error;
  });
  if (found !== null) {
    const { num_replicas: copies } = found.config;
    if (copies < replicas) report(`The NATS stream ${stream} is kept ${copies} time(s) only, not ${replicas}.`);
    return;
  }
  await manager.streams.add({
    name: stream,
    subjects: [`${deployment}.team.*.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanosOf(dayMs),
    max_msgs_per_subject: mostUnread,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
  });
}

export function nanosOf(ms: number): number {
  return ms * 1_000_000;
}

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
