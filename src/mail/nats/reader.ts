/** Taking letters from a durable consumer, one at a time: handed over first, written down as taken, then acknowledged. */
import { createHash } from "node:crypto";
import type { Consumer, JsMsg } from "@nats-io/jetstream";
import * as z from "zod";
import { parseJson } from "../../core/wire/shape.ts";
import { isMac, letterFields, type Address, type Letter, type ReceiveOptions, type Take } from "../mailbox.ts";
import { pause } from "../pause.ts";
import { isFinal, type Server } from "./retry.ts";
import { nanosOf, subjectOf, type Storage } from "./storage.ts";
import { carriedShape, discard, unpack } from "./texts.ts";

export interface NatsReader {
  readonly server: Server;
  readonly deployment: string;
  readonly inbox: Address;
  readonly take: Take;
  readonly options: ReceiveOptions;
  readonly report: (problem: string) => void;
  /** For so long after the death of a reader its letter waits for another one. */
  readonly takeoverMs: number;
}

/** Ends with the signal. Rejects when trying again brings nothing. */
export async function readUntilEnded(reader: NatsReader): Promise<void> {
  const { signal } = reader.options;
  const settling = new Set<string>();
  let wait = 50;
  while (!signal.aborted) {
    try {
      const storage = await reader.server.storage(signal);
      const consumer = await openConsumer(storage, reader);
      reader.server.link.answered("yes");
      wait = 50;
      await readOn({ reader, storage, consumer, settling });
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      reader.server.link.answered("no");
      await pause(wait, signal);
      wait = Math.min(wait * 2, 1000);
    }
  }
}

/** What waits, the one that is just being taken included. */
export async function lookInto(storage: Storage, subject: string, limit: number): Promise<readonly Letter[]> {
  const letters: Letter[] = [];
  for (let seq = 1; letters.length < limit;) {
    const found = await messageAt(storage, { seq, next_by_subj: subject });
    if (found === null) break;
    const carried = decode(found.data);
    const letter = carried === null ? null : await asLetter(storage, carried);
    if (letter !== null && !letters.some(({ id }) => id === letter.id)) letters.push(letter);
    seq = found.seq + 1;
  }
  return letters;
}

/** A letter on the wire. */
const envelopeShape = z
  .object({ id: z.string(), from: z.string(), timestamp: z.string(), mac: z.string().refine(isMac).exactOptional() })
  .and(carriedShape);

export type Envelope = Readonly<z.infer<typeof envelopeShape>>;

function decode(bytes: Uint8Array): Envelope | null {
  const read = envelopeShape.safeParse(parseJson(new TextDecoder().decode(bytes)));
  return read.success ? read.data : null;
}

interface Reading {
  readonly reader: NatsReader;
  readonly storage: Storage;
  readonly consumer: Consumer;
  /** Taken by this reader, but the servers would not note it yet; not handed over again. */
  readonly settling: Set<string>;
}

async function openConsumer({ manager, stream, jetstream }: Storage, reader: NatsReader): Promise<Consumer> {
  const { AckPolicy, DeliverPolicy } = await import("./packages.ts");
  const { team, agent } = reader.inbox;
  const found = await manager.consumers.add(stream, {
    durable_name: `${team}=${agent}`,
    filter_subject: subjectOf(reader.deployment, reader.inbox),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanosOf(reader.takeoverMs),
    max_ack_pending: 1,
    max_deliver: -1,
    inactive_threshold: nanosOf(forgottenMs),
  });
  if (found.num_pending === 0 && found.num_ack_pending === 0) reader.options.whenEmpty?.();
  return jetstream.consumers.getConsumerFromInfo(found);
}

/** Until the signal, or until something fails. */
async function readOn(reading: Reading): Promise<void> {
  const { signal, whenEmpty } = reading.reader.options;
  while (!signal.aborted) {
    const messages = await reading.consumer.fetch({ max_messages: 1, expires: pullMs });
    const stop = (): void => void messages.close();
    signal.addEventListener("abort", stop, { once: true });
    const stopListening = reading.reader.server.link.onReconnect(stop);
    let isQuiet = true;
    try {
      for await (const message of messages) {
        isQuiet = false;
        if (signal.aborted) message.nak();
        else if ((await handOver(reading, message)) === "done" && message.info.pending === 0) whenEmpty?.();
      }
    } finally {
      signal.removeEventListener("abort", stop);
      stopListening();
    }
    if (isQuiet && !signal.aborted) whenEmpty?.();
  }
}

async function handOver({ reader, storage, settling }: Reading, message: JsMsg): Promise<"done" | "again"> {
  const envelope = decode(message.data);
  if (envelope === null) {
    reader.report(`A message on ${message.subject} is no letter and is left out.`);
    message.term();
    return "done";
  }
  const { id } = envelope;
  const note = takenKey(reader.inbox, id);
  try {
    if (!settling.has(id)) {
      if ((await storage.taken.get(note)) !== null) {
        await message.ackAck();
        return "done";
      }
      const letter = await asLetter(storage, envelope);
      if (letter === null) {
        reader.report(`The text of the message ${id} is gone from the servers; the message is left out.`);
        message.term();
        return "done";
      }
      if (!(await isTaken(reader, message, letter))) {
        message.nak(againMs);
        return "again";
      }
      settling.add(id);
    }
    await storage.taken.put(note, "");
    await message.ackAck();
    settling.delete(id);
  } catch (error) {
    message.nak(againMs);
    throw error;
  }
  await discard(storage, envelope).catch(() => undefined);
  await untilGone(storage, message.seq).catch(() => undefined);
  return "done";
}

/** A cluster lets go of a letter some moments after it acknowledged the acknowledgement; until then it counts as unread. */
async function untilGone(storage: Storage, seq: number): Promise<void> {
  for (let tries = 1; tries <= mostLooks && (await messageAt(storage, { seq })) !== null; tries += 1)
    await pause(5 * tries);
}

function messageAt({ manager, stream }: Storage, query: { readonly seq: number; readonly next_by_subj?: string }) {
  return manager.streams.getMessage(stream, query as never).catch((error: unknown) => {
    if ((error as { status?: unknown }).status === 404) return null;
    throw error;
  });
}

/** While it is taken the servers are told again and again that somebody is at it. */
async function isTaken(reader: NatsReader, message: JsMsg, letter: Letter): Promise<boolean> {
  const beat = setInterval(() => message.working(), reader.takeoverMs / 4);
  try {
    await reader.take(letter);
    return true;
  } catch (error) {
    if (!reader.options.signal.aborted)
      reader.report(`The message ${letter.id} could not be taken and comes again: ${String(error)}`);
    return false;
  } finally {
    clearInterval(beat);
  }
}

async function asLetter(storage: Storage, envelope: Envelope): Promise<Letter | null> {
  const text = await unpack(storage, envelope);
  return text === null ? null : letterFields({ ...envelope, text });
}

function takenKey({ team, agent }: Address, id: string): string {
  return `${team}.${agent}.${createHash("sha256").update(id, "utf8").digest("hex").slice(0, 32)}`;
}

const pullMs = 5000;
const againMs = 250;
const mostLooks = 20;
/** A reader that was away for longer is made anew: what was acknowledged is gone from the stream by then. */
const forgottenMs = 7 * 24 * 60 * 60 * 1000;
