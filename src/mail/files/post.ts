/** Putting letters into an inbox: many processes at once, each letter acknowledged only when it is on disk for good. */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { errnoOf } from "../../agent/host/files/file-error.ts";
import { LockTimeoutError, whileLocked } from "../../agent/host/files/lock.ts";
import { syncFolder, writeBeside } from "../../agent/host/files/replace-file.ts";
import { readLetters } from "../letter-list.ts";
import { MailboxError, type Letter, type Sending } from "../mailbox.ts";
import { prepareInbox, readForChange, readPrivate, sweepDrafts, writeInbox, type InboxPaths } from "./inbox.ts";
import { readTaken } from "./taken.ts";

export interface PostOptions {
  /** Told what was set aside or is tried again. */
  readonly report: (problem: string) => void;
  /** How much may wait unread in an inbox. */
  readonly room: { readonly letters: number; readonly bytes: number };
  /** For so long a sender waits for a busy inbox: 30 s. */
  readonly patienceMs: number;
}

/**
 * One answer for each letter, in order. Whoever holds the lock puts in, besides its own, what the others have laid down
 * in `arriving` meanwhile, so that many senders share one writing. What is laid down there is not yet acknowledged:
 * it is gone from there only when the inbox that holds it is on disk.
 */
export async function post(
  paths: InboxPaths,
  letters: readonly Letter[],
  options: PostOptions,
): Promise<readonly Sending[]> {
  try {
    await prepareInbox(paths);
    const direct = await ifFree(paths.lock, () => putIn(paths, letters, options));
    if (direct !== null) return direct;
    return await waitForTurn(paths, letters, options);
  } catch (error) {
    return letters.map(() => ({ kind: "refused", reason: reasonOf(error, paths), mayArrive: false }));
  }
}

/** Puts in what senders left that are gone by now. */
export async function putInArrived(paths: InboxPaths, options: PostOptions): Promise<void> {
  if ((await readdir(paths.arriving)).length === 0) return;
  await ifFree(paths.lock, () => putIn(paths, [], options));
}

async function waitForTurn(
  paths: InboxPaths,
  letters: readonly Letter[],
  options: PostOptions,
): Promise<readonly Sending[]> {
  const mine = await layDown(paths, letters);
  const sent = letters.map((): Sending => ({ kind: "sent" }));
  const end = performance.now() + options.patienceMs;
  let isWithdrawn = false;
  try {
    for (let wait = 1; performance.now() < end; wait = Math.min(wait + 2, 12)) {
      await pause(wait * (0.5 + Math.random()));
      if (isGone(mine)) return sent;
      const done = await ifFree(paths.lock, async () => {
        if (isGone(mine)) return sent;
        await unlink(mine);
        isWithdrawn = true;
        return putIn(paths, letters, options);
      });
      if (done !== null) return done;
    }
    throw new MailboxError(`The inbox ${paths.file} was held by others for ${options.patienceMs / 1000} s. Try again.`);
  } catch (error) {
    if (!isWithdrawn && (await isPutIn(mine))) return sent;
    const reason = reasonOf(error, paths);
    return letters.map(() => ({ kind: "refused", reason, mayArrive: !isWithdrawn }));
  }
}

/** Takes it back; whoever holds the lock may have read it before. */
async function isPutIn(mine: string): Promise<boolean> {
  return unlink(mine).then(
    () => false,
    (error: unknown) => errnoOf(error) === "ENOENT",
  );
}

/** Complete from its first moment on. Rejects when it cannot be written. */
async function layDown({ arriving }: InboxPaths, letters: readonly Letter[]): Promise<string> {
  const path = join(arriving, `${String(Date.now()).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`);
  await writeBeside({
    folder: arriving,
    mode: 0o600,
    fill: (draft) => draft.writeFile(JSON.stringify(letters)),
    putInPlace: (draft) => rename(draft, path),
  });
  return path;
}

/** Under the lock. What was taken meanwhile goes out in the same writing. */
async function putIn(
  paths: InboxPaths,
  own: readonly Letter[],
  { report, room }: PostOptions,
): Promise<readonly Sending[]> {
  const written = await readForChange(paths, report);
  const arrived = await readArrived(paths, report);
  if (arrived.length > 0) await sweepDrafts(paths.folder);
  if (own.length === 0 && arrived.length === 0) return [];
  const taken = await readTaken(paths.taken);
  const present = written.filter(({ id }) => !taken.has(id));
  const next = [...present];
  const known = new Set(present.map(({ id }) => id));
  let bytes = present.reduce((sum, letter) => sum + sizeOf(letter), 0);
  const add = (letters: readonly Letter[]): boolean => {
    const fresh = letters.filter(({ id }) => !known.has(id) && !taken.has(id));
    const size = fresh.reduce((sum, letter) => sum + sizeOf(letter), 0);
    if (fresh.length > 0 && (next.length + fresh.length > room.letters || bytes + size > room.bytes)) return false;
    bytes += size;
    for (const letter of fresh) {
      known.add(letter.id);
      next.push(letter);
    }
    return true;
  };
  const settled = arrived.filter(({ letters }) => add(letters));
  const answers = own.map((letter): Sending => (add([letter]) ? { kind: "sent" } : full(paths, next.length)));
  if (next.length > present.length) await writeInbox(paths, next);
  else await syncFolder(paths.folder);
  for (const { path } of settled) await unlink(path).catch(() => undefined);
  return answers;
}

interface Arrived {
  readonly path: string;
  readonly letters: readonly Letter[];
}

/** Oldest first. What is not whole was never acknowledged: it is removed. */
async function readArrived(paths: InboxPaths, report: (problem: string) => void): Promise<readonly Arrived[]> {
  await sweepDrafts(paths.arriving);
  const names = (await readdir(paths.arriving)).filter((name) => name.endsWith(".json"));
  const arrived: Arrived[] = [];
  for (const name of names.toSorted()) {
    const path = join(paths.arriving, name);
    const text = await readPrivate(path).catch(() => "");
    if (text === null) continue;
    const { letters, isBroken } = readLetters(text, () => "");
    if (!isBroken) arrived.push({ path, letters });
    else {
      report(`${path} is not a whole message; it was never acknowledged and is removed.`);
      await unlink(path).catch(() => undefined);
    }
  }
  return arrived;
}

function full({ file }: InboxPaths, count: number): Sending {
  const reason = `The inbox ${file} is full (${count} unread message(s)). Its reader has to take some first.`;
  return { kind: "refused", reason, mayArrive: false };
}

function sizeOf({ text }: Letter): number {
  return text.length + 200;
}

/** Null when another has the lock. Where a young one stands, trying costs more than it can bring. */
async function ifFree<Result>(lock: string, action: () => Promise<Result>): Promise<Result | null> {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found !== undefined && Math.abs(Date.now() - found.mtimeMs) < youngMs) return null;
  try {
    return await whileLocked(lock, action, -1);
  } catch (error) {
    if (error instanceof LockTimeoutError) return null;
    throw error;
  }
}

function isGone(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function reasonOf(error: unknown, { file }: InboxPaths): string {
  if (error instanceof MailboxError) return error.message;
  const code = errnoOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return `The disk is full: nothing was written to ${file}.`;
  return `${file} cannot be written (${code ?? String(error)}).`;
}

const youngMs = 100;
