/** Plan snapshots in the key-value store: the newest revision under the plan's key, the older ones in its history. */
import { createHash, randomBytes } from "node:crypto";
import type { KvEntry } from "@nats-io/kv";
import * as z from "zod";
import { parseJson } from "../../core/wire/shape.ts";
import { MailboxError, planProblem } from "../mailbox.ts";
import type { Keeping, PlanKey, PlanSnapshot, PlanSnapshots } from "../mailbox.ts";
import type { InsistOptions, Server } from "../nats/retry.ts";
import type { Storage } from "../nats/storage.ts";
import { carriedShape, carry, unpack } from "../nats/texts.ts";

export function createNatsSnapshots(server: Server, patience: InsistOptions): PlanSnapshots {
  return {
    async put(key, text, { expected }) {
      const problem = planProblem(key, text);
      if (problem !== null) return { kind: "refused", reason: problem, mayArrive: false };
      const putting: Putting = { key, text, expected, token: randomBytes(12).toString("hex"), isOnItsWay: false };
      try {
        return await server.insist((storage) => put(storage, putting), patience);
      } catch (error) {
        return { kind: "refused", reason: (error as Error).message, mayArrive: putting.isOnItsWay };
      }
    },
    async get(key, revision) {
      const problem = planProblem(key);
      if (problem !== null) throw new MailboxError(problem);
      return server.insist(async (storage) => {
        const head = parse(await storage.plans.get(planKey(key)));
        if (head === null) return null;
        if (revision === undefined || revision === head.revision) return asSnapshot(storage, head);
        const found = await findRevision(storage, key, revision);
        return found === null ? null : asSnapshot(storage, found);
      }, patience);
    },
  };
}

interface Putting {
  readonly key: PlanKey;
  readonly text: string;
  readonly expected: number;
  /** Tells our own writing, whose acknowledgement was lost, from another's. */
  readonly token: string;
  isOnItsWay: boolean;
}

async function put(storage: Storage, putting: Putting): Promise<Keeping> {
  const { key, text, expected, token } = putting;
  const revision = expected + 1;
  const entry = await storage.plans.get(planKey(key));
  const head = parse(entry);
  if (putting.isOnItsWay && head !== null && head.revision >= revision) {
    const written = head.revision === revision ? head : await findRevision(storage, key, revision);
    if (written?.token === token) return { kind: "kept", revision };
  }
  if ((head?.revision ?? 0) !== expected) {
    return { kind: "changed", present: head === null ? null : await asSnapshot(storage, head) };
  }
  const carried = await carry(storage, `${key.team} ${key.plan}`, text);
  const value = JSON.stringify({ plan: key.plan, revision, token, ...carried });
  putting.isOnItsWay = true;
  await storage.plans.put(planKey(key), value, { previousSeq: entry?.revision ?? 0 });
  return { kind: "kept", revision };
}

async function findRevision(storage: Storage, key: PlanKey, revision: number): Promise<Kept | null> {
  for await (const entry of await storage.plans.history({ key: planKey(key) })) {
    const kept = parse(entry);
    if (kept?.revision === revision) return kept;
  }
  return null;
}

const keptShape = z.object({ revision: z.number(), token: z.string() }).and(carriedShape);

type Kept = Readonly<z.infer<typeof keptShape>>;

function parse(entry: KvEntry | null): Kept | null {
  if (entry?.operation !== "PUT") return null;
  const kept = keptShape.safeParse(parseJson(entry.string()));
  return kept.success ? kept.data : null;
}

async function asSnapshot(storage: Storage, kept: Kept): Promise<PlanSnapshot> {
  const text = await unpack(storage, kept);
  if (text === null) throw new MailboxError(`Revision ${kept.revision} of the plan is not whole on the servers.`);
  return { revision: kept.revision, text };
}

function planKey({ team, plan }: PlanKey): string {
  return `plan.${team}.${createHash("sha256").update(plan, "utf8").digest("hex").slice(0, 32)}`;
}
