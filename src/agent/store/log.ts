/** The log of a session as a file: JSON lines, only ever appended to; a failed write leaves it as it was (R14.5, R14.7). */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { encodeEntry, type LogEntry } from "../../core/wire/log-format.ts";
import type { Log } from "../ports/handle.ts";
import { makePrivateFolder } from "../host/config-home.ts";
import { FileError } from "../host/files/file-error.ts";
import { oneAtATime } from "../host/one-at-a-time.ts";
import { lastSeal, type Sealer } from "./log-seal.ts";

export interface FileLog extends Log {
  close(): Promise<void>;
}

/** The file and its folder are made when missing; a symlink at its place is refused. With a sealer each line is sealed. */
export async function openLog(path: string, sealer?: Sealer): Promise<FileLog> {
  await makePrivateFolder(dirname(path));
  const { file, ...ending } = await openToAppend(path);
  if (sealer === undefined) return appendingTo(file, ending);
  try {
    return appendingTo(file, { ...ending, sealed: { sealer, last: await lastSeal(file, ending.size) } });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A file of JSON lines, this person's alone, and with one name. */
export async function openToAppend(path: string): Promise<Ending & { readonly file: FileHandle }> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const found = await file.stat();
    const { size, mode } = found;
    if (!found.isFile()) throw new Error(`${path} is not a regular file.`);
    if (found.nlink > 1) throw new FileError("hard-link", path);
    if ((mode & 0o077) !== 0) await file.chmod(0o600);
    const last = size === 0 ? newline : (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0];
    return { file, size, cut: last !== newline };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What a log needs of an open file. */
export type LogFile = Pick<FileHandle, "write" | "truncate" | "stat" | "close">;

interface Ending {
  readonly size: number;
  /** The last line has no newline. */
  readonly cut: boolean;
  /** What seals the lines, and the seal of the last one. */
  readonly sealed?: { readonly sealer: Sealer; readonly last: string };
}

/** Entries are written one after the other, whole or not at all. */
export function appendingTo(file: LogFile, ending: Ending): FileLog {
  let { cut } = ending;
  /** Where the last whole entry ends; null when a failed write could not be taken back. */
  let size: number | null = ending.size;
  const inTurn = oneAtATime();
  let seal = ending.sealed?.last ?? "";

  const write = async (entry: LogEntry): Promise<void> => {
    const start = size ?? (await file.stat()).size;
    const text = encodeEntry(entry);
    const sealed = ending.sealed?.sealer.seal(text, seal) ?? { line: text, seal };
    const line = Buffer.from(`${cut ? "\n" : ""}${sealed.line}\n`, "utf8");
    try {
      for (let done = 0; done < line.length;) done += (await file.write(line, done)).bytesWritten;
      size = start + line.length;
      cut = false;
      seal = sealed.seal;
    } catch (error) {
      size = (await isTakenBack(file, start)) ? start : null;
      cut ||= size === null;
      throw error;
    }
  };

  return {
    append: (entry) => inTurn(() => write(entry)),
    close: () => inTurn(() => file.close()),
  };
}

/** After a partial write: back to the last whole entry. */
async function isTakenBack(file: LogFile, size: number): Promise<boolean> {
  try {
    if ((await file.stat()).size !== size) await file.truncate(size);
    return true;
  } catch {
    return false;
  }
}

const newline = 0x0a;
