/** Taking letters out of an inbox, one reader at a time: handed over first, gone afterwards. */
import { watch, type FSWatcher } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { errnoOf } from "../../agent/host/files/file-error.ts";
import { lockSession, LockTimeoutError, whileLocked } from "../../agent/host/files/lock.ts";
import { MailboxError, type Letter, type ReceiveOptions, type Take } from "../mailbox.ts";
import { prepareInbox, readForChange, readInbox, writeInbox, type InboxPaths } from "./inbox.ts";
import { putInArrived, type PostOptions } from "./post.ts";
import { openTaken, readTaken, type TakenJournal } from "./taken.ts";

export interface ReaderParts {
  readonly paths: InboxPaths;
  readonly take: Take;
  readonly options: ReceiveOptions;
  readonly posting: PostOptions;
}

/** Ends with the signal. Rejects with MailboxError when something stands in the way that only a person can remove. */
export async function readUntilEnded(parts: ReaderParts): Promise<void> {
  const { paths, options } = parts;
  const { signal } = options;
  const unwritten = new Set<string>();
  await prepareInbox(paths);
  const bell = openBell(paths, signal);
  let trouble = "";
  try {
    while (!signal.aborted) {
      const outcome = await readOnce(parts, unwritten).catch((error: unknown) => {
        if (error instanceof MailboxError) throw error;
        const what = errnoOf(error) ?? String(error);
        if (what !== trouble)
          parts.posting.report(`The inbox ${paths.file} could not be read and is tried again: ${String(error)}`);
        trouble = what;
        return "failed" as const;
      });
      if (outcome !== "failed") trouble = "";
      if (outcome === "empty" && !signal.aborted) options.whenEmpty?.();
      if (outcome !== "more") await bell.rings(outcome === "busy" ? busyMs : bell.pollMs());
    }
  } finally {
    bell.close();
  }
}

async function readOnce(parts: ReaderParts, unwritten: Set<string>): Promise<Outcome> {
  await putInArrived(parts.paths, parts.posting);
  return (await isWorthReading(parts.paths)) ? handOverAll(parts, unwritten) : "empty";
}

/** What waits, without taking it. */
export async function lookInto(paths: InboxPaths): Promise<readonly Letter[]> {
  const { letters } = await readInbox(paths);
  const taken = await readTaken(paths.taken);
  return letters.filter(({ id }) => !taken.has(id));
}

/** `busy`: another reader has it, or a letter was not taken and is tried again later. */
type Outcome = "empty" | "more" | "busy";

/** `unwritten`: taken by this reader, but the disk would not keep it; they are not handed over again. */
async function handOverAll(parts: ReaderParts, unwritten: Set<string>): Promise<Outcome> {
  const locking = await lockSession(parts.paths.reading);
  if (locking.kind === "refused") return "busy";
  try {
    const journal = await openTaken(parts.paths.taken);
    try {
      for (const id of unwritten) {
        await journal.add(id);
        unwritten.delete(id);
      }
      return await handOver(parts, {
        ...journal,
        async add(id) {
          unwritten.add(id);
          await journal.add(id);
          unwritten.delete(id);
        },
      });
    } finally {
      await journal.close();
    }
  } finally {
    await locking.lock.release();
  }
}

/** As long as nothing is pruned a letter stands in the file and in the journal: the journal counts. */
async function handOver(parts: ReaderParts, journal: TakenJournal): Promise<Outcome> {
  const { paths, take, options, posting } = parts;
  const { letters, isBroken } = await readInbox(paths);
  if (letters.length === 0 && !isBroken) return "empty";
  if (isBroken) await prune(parts, journal);
  let last = performance.now();
  let isRejected = false;
  for (const [index, letter] of letters.entries()) {
    if (options.signal.aborted) break;
    if (!journal.has(letter.id)) {
      isRejected = await take(letter).then(
        () => false,
        (error: unknown) => {
          if (!options.signal.aborted)
            posting.report(`The message ${letter.id} could not be taken and comes again: ${String(error)}`);
          return true;
        },
      );
      if (isRejected) break;
      await journal.add(letter.id);
    }
    if ((index + 1) % pruneEach === 0 || performance.now() - last > pruneMs) {
      await prune(parts, journal);
      last = performance.now();
    }
  }
  const isPruned = await prune(parts, journal);
  return isRejected || !isPruned ? "busy" : "more";
}

/** Removes from the file what the journal holds. False when the senders are too busy: they remove it then, or it is tried again. */
async function prune({ paths, posting }: ReaderParts, journal: TakenJournal): Promise<boolean> {
  await journal.sync();
  const work = async (): Promise<void> => {
    const present = await readForChange(paths, posting.report);
    const rest = present.filter(({ id }) => !journal.has(id));
    if (rest.length < present.length) await writeInbox(paths, rest);
    await journal.shorten();
  };
  try {
    await whileLocked(paths.lock, work, lockMs);
    return true;
  } catch (error) {
    if (error instanceof LockTimeoutError) return false;
    throw error;
  }
}

/** Anything beyond an empty list, without reading it. */
async function isWorthReading({ file }: InboxPaths): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  return found !== null && (!found.isFile() || found.size > "[]\n".length);
}

/** Hears of changes at once where the system can tell, and looks by itself now and then in any case. */
function openBell({ folder, file }: InboxPaths, signal: AbortSignal) {
  let hasRung = false;
  let wake: (() => void) | null = null;
  const ring = (): void => {
    hasRung = true;
    wake?.();
  };
  const watcher = watchFolder(folder, (name) => {
    if (name === null || name === basename(file)) ring();
  });
  let isWatching = watcher !== null;
  watcher?.on("error", () => {
    isWatching = false;
  });
  signal.addEventListener("abort", ring, { once: true });
  return {
    /** Resolves at the next change of the inbox, one that came since the last call, the signal, or after the time. */
    rings: (afterMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(done, afterMs);
        wake = done;
        if (hasRung || signal.aborted) done();
        function done(): void {
          clearTimeout(timer);
          hasRung = false;
          wake = null;
          resolve();
        }
      }),
    pollMs: () => (isWatching ? slowPollMs : fastPollMs),
    close(): void {
      signal.removeEventListener("abort", ring);
      watcher?.close();
    },
  };
}

function watchFolder(folder: string, listener: (name: string | null) => void): FSWatcher | null {
  try {
    return watch(folder, { persistent: false }, (_, name) => listener(name));
  } catch {
    return null;
  }
}

const pruneEach = 256;
const pruneMs = 250;
const busyMs = 250;
const lockMs = 500;
const slowPollMs = 1000;
const fastPollMs = 100;
