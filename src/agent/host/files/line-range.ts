/** A range of a file's lines with bounded memory, however large the file or a line in it. */
import type { Files } from "../../ports/ports.ts";

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

/** Reads on only until the range is full. */
export async function rangeOfFile(
  files: Pick<Files, "readBytes">,
  path: string,
  options: LineRangeOptions & { readonly signal: AbortSignal },
): Promise<LineRange> {
  const taking = createTaking(options);
  const keep = options.lineLimit * 4 + 4;
  let line: Buffer[] = [];
  let length = 0;
  let number = 1;
  const hold = (bytes: Buffer): void => {
    if (number >= options.offset && length < keep && bytes.length > 0) line.push(bytes.subarray(0, keep - length));
    length += bytes.length;
  };
  const finish = (): boolean => {
    const wanted = number >= options.offset;
    const text = wanted ? Buffer.concat(line).toString("utf8") : "";
    const isTaken = !wanted || taking.take(length > keep ? text.replace(/\uFFFD+$/, "") + "…" : text);
    line = [];
    length = 0;
    number += isTaken ? 1 : 0;
    return isTaken;
  };
  for (let position = 0; ;) {
    options.signal.throwIfAborted();
    const bytes = await files.readBytes(path, { offset: position, limit: chunkSize });
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (chunk.length === 0) break;
    position += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      hold(chunk.subarray(from, at));
      from = at + 1;
      if (!finish()) return { ...taking.result(), total: null, hasMore: true };
    }
    hold(chunk.subarray(from));
  }
  if (length > 0 && !finish()) return { ...taking.result(), total: null, hasMore: true };
  return { ...taking.result(), total: number - 1, hasMore: false };
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
