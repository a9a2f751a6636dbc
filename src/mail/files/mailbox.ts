/** The mailbox of one machine: an inbox is a JSON file below the config home, safe with many processes at once (R12.4). */
import { addressProblem, letterFields, letterProblem, MailboxError } from "../mailbox.ts";
import type { Letter, Mailbox, Sending } from "../mailbox.ts";
import { inboxPaths, type InboxPaths } from "./inbox.ts";
import { post, type PostOptions } from "./post.ts";
import { lookInto, readUntilEnded } from "./reader.ts";
import { endOf, underWay, unlessAborted } from "../pause.ts";
import { createFileSnapshots } from "../snapshots/files.ts";

export interface FileMailboxOptions extends Partial<Omit<PostOptions, "room">> {
  /** The config home. */
  readonly home: string;
  /** How much may wait unread in one inbox: 10 000 letters, 128 MB. */
  readonly room?: Partial<PostOptions["room"]>;
}

export function createFileMailbox({
  home,
  report = () => undefined,
  room,
  patienceMs = 30_000,
}: FileMailboxOptions): Mailbox {
  const posting: PostOptions = {
    report,
    room: { letters: 10_000, bytes: 128 * 1024 * 1024, ...room },
    patienceMs,
  };
  const closing = new AbortController();
  const outboxes = new Map<string, ReturnType<typeof createOutbox>>();
  const { track, settled } = underWay();
  return {
    async send(to, message, { id, signal }) {
      const problem = letterProblem(to, message, id);
      if (problem !== null) return refused(problem);
      if (closing.signal.aborted) return refused("The mailbox is closed.");
      const key = `${to.team}/${to.agent}`;
      const outbox = outboxes.get(key) ?? createOutbox(inboxPaths(home, to), posting);
      outboxes.set(key, outbox);
      const sending = track(outbox.send(letterFields({ ...message, id })));
      void sending.finally(() => outbox.isIdle() && outboxes.delete(key));
      return signal === undefined ? sending : orAborted(sending, signal);
    },
    receive(inbox, take, options) {
      const problem = addressProblem(inbox);
      if (problem !== null) return Promise.resolve({ kind: "refused", reason: problem });
      const signal = AbortSignal.any([options.signal, closing.signal]);
      const paths = inboxPaths(home, inbox);
      return track(endOf(readUntilEnded({ paths, take, posting, options: { ...options, signal } })));
    },
    async peek(inbox, limit = 100) {
      const problem = addressProblem(inbox);
      if (problem !== null) throw new MailboxError(problem);
      return (await lookInto(inboxPaths(home, inbox))).slice(0, limit);
    },
    snapshots: createFileSnapshots(home),
    connection: () => ({ state: "connected", detail: `files in ${home}` }),
    onConnection: () => () => undefined,
    async close() {
      closing.abort();
      await settled();
    },
  };
}

/** What is sent while another writing is under way goes together, in the order of the calls. */
function createOutbox(paths: InboxPaths, posting: PostOptions) {
  let waiting: { readonly letter: Letter; readonly answer: (sending: Sending) => void }[] = [];
  let isPosting = false;
  const postAll = async (): Promise<void> => {
    isPosting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largestBatch);
      waiting = waiting.slice(batch.length);
      const letters = batch.map(({ letter }) => letter);
      const answers = await post(paths, letters, posting);
      for (const [index, { answer }] of batch.entries()) answer(answers[index]!);
    }
    isPosting = false;
  };
  return {
    send: (letter: Letter) =>
      new Promise<Sending>((answer) => {
        waiting.push({ letter, answer });
        if (!isPosting) void postAll();
      }),
    isIdle: () => !isPosting && waiting.length === 0,
  };
}

/** The letter itself stays on its way: whether it arrives cannot be said any more. */
function orAborted(sending: Promise<Sending>, signal: AbortSignal): Promise<Sending> {
  const givenUp: Sending = { kind: "refused", reason: "Sending was given up.", mayArrive: true };
  return unlessAborted(sending, signal).catch(() => givenUp);
}

function refused(reason: string): Sending {
  return { kind: "refused", reason, mayArrive: false };
}

const largestBatch = 500;
