/** Keeps the beginning and the end of a stream of any length in bounded memory. */

export interface KeptOutput {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** At most `limit` bytes stay; what is left out of the middle is said in its place, in bytes. */
export function keepOutput(limit: number) {
  const half = Math.max(1, Math.floor(limit / 2));
  let bytes = 0;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  return {
    take: (chunk: Buffer): void => {
      bytes += chunk.length;
      const first = chunk.subarray(0, half - headBytes);
      const rest = chunk.subarray(first.length);
      if (first.length > 0) head.push(Buffer.from(first));
      if (rest.length > 0) tail.push(Buffer.from(rest));
      headBytes += first.length;
      tailBytes += rest.length;
      if (tailBytes <= 2 * half) return;
      tail = [Buffer.concat(tail).subarray(-half)];
      tailBytes = half;
    },
    end: (): KeptOutput => {
      const first = Buffer.concat(head);
      const last = Buffer.concat(tail).subarray(-half);
      if (first.length + last.length === bytes)
        return { text: Buffer.concat([first, last]).toString("utf8"), bytes, truncated: false };
      const start = first.subarray(0, lastCharacterEnd(first));
      const finish = last.subarray(firstCharacterStart(last));
      const out = bytes - start.length - finish.length;
      const marker = `\n[… ${out} of ${bytes} bytes left out …]\n`;
      return { text: start.toString("utf8") + marker + finish.toString("utf8"), bytes, truncated: true };
    },
  };
}

/** The end of the last whole UTF-8 character. */
function lastCharacterEnd(bytes: Buffer): number {
  const end = bytes.length;
  for (let back = 1; back <= Math.min(4, end); back += 1) {
    const byte = bytes[end - back]!;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? end - back : end;
  }
  return end;
}

/** The beginning of the first whole UTF-8 character. */
function firstCharacterStart(bytes: Buffer): number {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, start);
}
