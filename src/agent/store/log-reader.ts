/** Reads a session's log line by line; what cannot be read loses nothing but itself, a newer program's log is refused (R14.5). */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { splitBytes, type SplitPiece } from "../host/files/split-bytes.ts";
import { claimedSeal, type Sealer } from "./log-seal.ts";
import { decodeLine, logVersion, type LogEntry, type LogProblem } from "../../core/wire/log-format.ts";

/** `end`: bytes up to where the line ends; `isCut`: it has no newline yet. */
export type LogLine = {
  readonly line: number;
  readonly text: string;
  readonly end: number;
  readonly isCut: boolean;
} & ({ readonly entry: LogEntry; readonly problem: null } | { readonly entry: null; readonly problem: LogProblem });

export interface LoadedLog {
  readonly entries: readonly LogEntry[];
  readonly problems: readonly { readonly line: number; readonly problem: LogProblem }[];
  /** The first line that does not bear its seal: changed, or written by somebody else, or after one that is gone. */
  readonly broken: number | null;
  /** Whether any line claims one; logs of older versions have none. */
  readonly hasSeals: boolean;
  /** Bytes up to the end of the last whole line: somebody may be writing the next one. */
  readonly size: number;
}

/** A newer Groundplan wrote this log: to go on as if those lines were not there would undo what they say. */
export class NewerLogError extends Error {
  override readonly name = "NewerLogError";
  readonly code = "log-newer-version";
  readonly version: number;
  constructor(path: string, line: number, version: number) {
    super(
      `${path}:${line} was written by a newer Groundplan (log version ${version}; this one reads ${logVersion}). ` +
        "Update Groundplan to open this session.",
    );
    this.version = version;
  }
}

/** Streams; memory is bounded by the longest line. Rejects with NewerLogError, or as opening and reading do. */
export async function* readLog(path: string): AsyncGenerator<LogLine, void, undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    let number = 0;
    for await (const { text, ...at } of linesOf(file)) {
      number += 1;
      if (text === "") continue;
      const decoded = text === null ? tooLong : decodeLine(text);
      const isNewer = decoded.problem === "newer-version";
      const version = isNewer ? versionOf(text) : null;
      if (version !== null) throw new NewerLogError(path, number, version);
      yield { line: number, ...(isNewer ? damaged : decoded), text: text ?? "", ...at };
    }
  } finally {
    await file.close();
  }
}

/** A line that was cut off breaks no seal: the one after it was written knowing that. */
export async function loadLog(path: string, sealer?: Sealer): Promise<LoadedLog> {
  const entries: LogEntry[] = [];
  const problems: { line: number; problem: LogProblem }[] = [];
  let seal = "";
  let broken: number | null = null;
  let hasSeals = false;
  let size = 0;
  for await (const read of readLog(path)) {
    const { line, entry, problem, text, end, isCut } = read;
    if (problem === null || !isCut) size = end;
    if (problem === null) entries.push(entry);
    else problems.push({ line, problem });
    hasSeals ||= claimedSeal(text) !== null;
    if (sealer === undefined || broken !== null) continue;
    const next = sealer.check(text, seal);
    if (next !== null) seal = next;
    else if (problem === null) broken = line;
  }
  return { entries, problems, broken, hasSeals, size };
}

/** Each line without its newline, null for one that is too long to be ours. */
async function* linesOf(
  file: FileHandle,
): AsyncGenerator<{ readonly text: string | null; readonly end: number; readonly isCut: boolean }, void, undefined> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const split = splitBytes(newline, longestLine);
  const textOf = ({ bytes, length }: SplitPiece): string | null =>
    length > longestLine ? null : bytes.toString("utf8");
  let end = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    for (const piece of split.add(chunk.subarray(0, bytesRead))) {
      end += piece.length + 1;
      yield { text: textOf(piece), end, isCut: false };
    }
  }
  for (const piece of split.rest()) yield { text: textOf(piece), end: end + piece.length, isCut: true };
}

/** The version that a line claims, when it is one above ours and not just damage. */
function versionOf(text: string | null): number | null {
  const { v } = JSON.parse(text ?? "{}") as { v?: unknown };
  return typeof v === "number" && Number.isInteger(v) && v > logVersion ? v : null;
}

const damaged = { entry: null, problem: "not-an-entry" } as const;
const tooLong = { entry: null, problem: "not-json" } as const;
const newline = 0x0a;
const chunkBytes = 256 * 1024;
const longestLine = 64 * 1024 * 1024;
