/** Which letters of an inbox were taken: a bounded memory on disk, so that a retry after a restart is not delivered again. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { readPrivate } from "./inbox.ts";

/** What is written down so far. */
export async function readTaken(path: string): Promise<ReadonlySet<string>> {
  return new Set(wholeLines((await readPrivate(path)) ?? ""));
}

export interface TakenJournal {
  has(id: string): boolean;
  /** Survives the end of this process at once, and a power cut after `sync`. */
  add(id: string): Promise<void>;
  sync(): Promise<void>;
  /** Forgets the oldest when there are too many; under the lock of the inbox. */
  shorten(): Promise<void>;
  close(): Promise<void>;
}

/** For the one reader alone. */
export async function openTaken(path: string): Promise<TakenJournal> {
  const text = (await readPrivate(path)) ?? "";
  let ids = wholeLines(text);
  const known = new Set(ids);
  let file = await openForAppend(path);
  if (text !== "" && !text.endsWith("\n")) await file.appendFile("\n");
  return {
    has: (id) => known.has(id),
    async add(id) {
      if (known.has(id)) return;
      known.add(id);
      ids.push(id);
      await file.appendFile(`${id}\n`);
    },
    sync: () => file.sync(),
    async shorten() {
      if (ids.length < 2 * remembered) return;
      const kept = ids.slice(-remembered);
      await replaceFile(path, kept.map((id) => `${id}\n`).join(""));
      for (const id of ids.slice(0, -remembered)) known.delete(id);
      ids = kept;
      await file.close();
      file = await openForAppend(path);
    },
    close: () => file.close(),
  };
}

function wholeLines(text: string): string[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((id) => id !== "");
}

function openForAppend(path: string): ReturnType<typeof open> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
}

/** So many at least; up to twice as many. */
const remembered = 10_000;
