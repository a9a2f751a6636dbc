/** A range of a file's lines with bounded memory, however large the file or a line in it. */
import type { Files } from "../../ports/ports.ts";
import { splitBytes, type SplitPiece } from "./split-bytes.ts";

export interface LineRange {
  readonly lines: readonly string[];
  /** Lines of the whole file; null when it was not read to its end. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly hasCutLines: boolean;
}

export interface LineRangeOptions {
  /** The first line is 1. */
  readonly offset: number;
  readonly limit: number;
  /** Characters of a line. */
  readonly lineLimit: number;
  /** Characters of all lines together. */
  readonly textLimit: number;
}

/** Of a text that is in memory already. */
export function rangeOfText(text: string, options: LineRangeOptions): LineRange {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const taking = createTaking(options);
  let at = options.offset - 1;
  while (at < all.length && taking.take(all[at]!)) at += 1;
  return { ...taking.result(), total: all.length, hasMore: at < all.length };
}

const chunkSize = 256 * 1024;
const newline = 0x0a;

/** Reads on only until the range is full. */
export async function rangeOfFile(
  files: Pick<Files, "readBytes">,
  path: string,
  options: LineRangeOptions & { readonly signal: AbortSignal },
): Promise<LineRange> {
  const taking = createTaking(options);
  const keep = options.lineLimit * 4 + 4;
  const split = splitBytes(newline, keep);
  let number = 1;
  const isTaken = ({ bytes, length }: SplitPiece): boolean => {
    if (number >= options.offset) {
      const text = bytes.toString("utf8");
      if (!taking.take(length > keep ? text.replace(/\uFFFD+$/, "") + "…" : text)) return false;
    }
    number += 1;
    return true;
  };
  for (let position = 0; ;) {
    options.signal.throwIfAborted();
    const bytes = await files.readBytes(path, { offset: position, limit: chunkSize });
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    position += chunk.length;
    for (const piece of chunk.length === 0 ? split.rest() : split.add(chunk)) {
      if (!isTaken(piece)) return { ...taking.result(), total: null, hasMore: true };
    }
    if (chunk.length === 0) return { ...taking.result(), total: number - 1, hasMore: false };
  }
}

function createTaking({ limit, lineLimit, textLimit }: LineRangeOptions) {
  const lines: string[] = [];
  let size = 0;
  let hasCutLines = false;
  return {
    /** False: the range is full, the line does not belong to it any more. */
    take(raw: string): boolean {
      if (lines.length >= limit) return false;
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      const isLong = line.length > lineLimit;
      const text = isLong ? `${line.slice(0, lineLimit).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
      if (lines.length > 0 && size + text.length > textLimit) return false;
      hasCutLines ||= isLong;
      size += text.length + 1;
      lines.push(text);
      return true;
    },
    result: (): Pick<LineRange, "lines" | "hasCutLines"> => ({ lines, hasCutLines }),
  };
}
