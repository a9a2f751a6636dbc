/** The mailbox across machines: a replicated JetStream stream with a durable consumer for each inbox (B9.2). */
import { addressProblem, letterFields, letterProblem, MailboxError, nameProblem } from "../mailbox.ts";
import type { Address, Letter, Mailbox, Sending } from "../mailbox.ts";
import type { NatsAccess } from "./access.ts";
import { createLink } from "./connect.ts";
import { lookInto, readUntilEnded, type Envelope } from "./reader.ts";
import { createServer, type NatsServerOptions } from "./retry.ts";
import { answerMs, subjectOf } from "./storage.ts";
import { carry } from "./texts.ts";
import { endOf, underWay } from "../pause.ts";
import { createNatsSnapshots } from "../snapshots/nats.ts";

export interface NatsMailboxOptions extends NatsAccess, Partial<NatsServerOptions> {
  /** For so long an acknowledgement is waited for: 30 s. */
  readonly patienceMs?: number;
  /** For so long after the death of a reader its letter waits for another one: 10 s. */
  readonly takeoverMs?: number;
}

/** Connects at the first need. */
export function createNatsMailbox(options: NatsMailboxOptions): Mailbox {
  const { report = () => undefined, deployment = "groundplan", patienceMs = 30_000, takeoverMs = 10_000 } = options;
  if (nameProblem(deployment) !== null) throw new MailboxError(nameProblem(deployment)!);
  const link = createLink(options);
  const { replicas, mostUnread = 10_000, reachMs } = options;
  const server = createServer(link, { deployment, replicas, mostUnread, report, reachMs });
  const closing = new AbortController();
  const { track, settled } = underWay();
  const turns = new Map<string, Promise<unknown>>();
  const publish = async (to: Address, letter: Letter, signal: AbortSignal): Promise<Sending> => {
    let isOnItsWay = false;
    try {
      await server.insist(
        async (storage) => {
          const { text, ...rest } = letter;
          const subject = subjectOf(deployment, to);
          const envelope: Envelope = { ...rest, ...(await carry(storage, `${subject} ${rest.id}`, text)) };
          isOnItsWay = true;
          await storage.jetstream.publish(subject, JSON.stringify(envelope), {
            msgID: `${to.team}.${to.agent}.${rest.id}`,
            timeout: answerMs,
            expect: { streamName: storage.stream },
          });
        },
        { signal, patienceMs },
      );
      return { kind: "sent" };
    } catch (error) {
      return { kind: "refused", reason: (error as Error).message, mayArrive: isOnItsWay };
    }
  };
  return {
    send(to, message, { id, signal }) {
      const problem = letterProblem(to, message, id);
      if (problem !== null) return Promise.resolve({ kind: "refused", reason: problem, mayArrive: false });
      const ending = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      const key = subjectOf(deployment, to);
      const before = turns.get(key) ?? Promise.resolve();
      const sending = before.then(() => publish(to, letterFields({ ...message, id }), ending));
      turns.set(key, sending);
      void sending.then(() => turns.get(key) === sending && turns.delete(key));
      return track(sending);
    },
    receive(inbox, take, receiving) {
      const problem = addressProblem(inbox);
      if (problem !== null) return Promise.resolve({ kind: "refused", reason: problem });
      const signal = AbortSignal.any([receiving.signal, closing.signal]);
      const reading = { server, deployment, inbox, take, report, takeoverMs, options: { ...receiving, signal } };
      return track(endOf(readUntilEnded(reading)));
    },
    async peek(inbox, limit = 100) {
      const problem = addressProblem(inbox);
      if (problem !== null) throw new MailboxError(problem);
      const look = { signal: closing.signal, patienceMs };
      return server.insist((storage) => lookInto(storage, subjectOf(deployment, inbox), limit), look);
    },
    snapshots: createNatsSnapshots(server, { signal: closing.signal, patienceMs }),
    connection: () => link.connection(),
    onConnection: (listener) => link.onConnection(listener),
    async close() {
      closing.abort(new MailboxError("The mailbox is closed."));
      await settled();
      await link.close();
    },
  };
}
