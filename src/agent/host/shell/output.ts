/** Keeps the beginning and the end of a stream of any length in bounded memory. */

export interface KeptOutput {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** At most `limit` bytes stay; what is left out of the middle is said in its place, in bytes. */
export function keepOutput(limit: number) {
  const half = Math.max(1, Math.floor(limit / 2));
  const head: Buffer[] = [];
  const tail = Buffer.allocUnsafe(0);
  const state = { bytes: 0, headBytes: 0, tail, tailEnd: 0, tailFull: false };
  return {
    take: (chunk: Buffer): void => {
      state.bytes += chunk.length;
      const first = chunk.subarray(0, half - state.headBytes);
      if (first.length > 0) {
        head.push(Buffer.from(first));
        state.headBytes += first.length;
      }
      const rest = chunk.subarray(first.length);
      if (rest.length > 0) addToRing(state, rest, half);
    },
    end: (): KeptOutput => {
      const last = state.tailFull
        ? Buffer.concat([state.tail.subarray(state.tailEnd), state.tail.subarray(0, state.tailEnd)])
        : state.tail.subarray(0, state.tailEnd);
      const first = Buffer.concat(head);
      const left = state.bytes - first.length - last.length;
      if (left <= 0)
        return { text: Buffer.concat([first, last]).toString("utf8"), bytes: state.bytes, truncated: false };
      const start = first.subarray(0, characterStart(first, first.length));
      const finish = last.subarray(characterAfter(last));
      const out = state.bytes - start.length - finish.length;
      const marker = `\n[… ${out} of ${state.bytes} bytes left out …]\n`;
      return { text: start.toString("utf8") + marker + finish.toString("utf8"), bytes: state.bytes, truncated: true };
    },
  };
}

interface Ring {
  tail: Buffer;
  tailEnd: number;
  tailFull: boolean;
}

function addToRing(ring: Ring, bytes: Buffer, size: number): void {
  if (ring.tail.length === 0) ring.tail = Buffer.allocUnsafe(size);
  const useful = bytes.subarray(Math.max(0, bytes.length - size));
  const first = useful.copy(ring.tail, ring.tailEnd);
  const wrapped = useful.subarray(first);
  wrapped.copy(ring.tail, 0);
  const end = ring.tailEnd + useful.length;
  ring.tailFull ||= end >= size;
  ring.tailEnd = end % size;
}

/** The end of the last whole UTF-8 character. */
function characterStart(bytes: Buffer, end: number): number {
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
function characterAfter(bytes: Buffer): number {
  for (let index = 0; index < Math.min(4, bytes.length); index += 1) {
    if ((bytes[index]! & 0xc0) !== 0x80) return index;
  }
  return 0;
}
