/** Numbers for terms, and a counter of terms that reads bytes without making a string of each word. */
import { termsOfName } from "./words.ts";

export interface Counted {
  readonly length: number;
  readonly terms: Uint32Array;
  readonly counts: Uint8Array;
}

export interface Vocabulary {
  readonly words: readonly string[];
  /** The numbers of a name's terms; unknown terms get new numbers. */
  readonly idsOf: (name: string) => readonly number[];
  readonly count: (bytes: Buffer) => Counted;
}

const mostNames = 400_000;
const mostIds = 4 * mostNames;
const slots = 1 << 20;
const room = 8_000_000;
const longest = 64;

export function makeVocabulary(known: readonly string[] = []): Vocabulary {
  const words = [...known];
  let ids: Map<string, number> | undefined;
  const idOf = (term: string): number => {
    ids ??= new Map(words.map((word, id) => [word, id]));
    const id = ids.get(term);
    if (id !== undefined) return id;
    const own = copyOf(term);
    ids.set(own, words.length);
    return words.push(own) - 1;
  };
  const idsOf = (name: string): readonly number[] => termsOfName(name).map(idOf);
  return { words, idsOf, count: makeCounter(idsOf) };
}

/** Bytes that may begin a word (2) or go on with it (1). */
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80 || /[A-Za-z_$]/.test(String.fromCodePoint(byte))) return 2;
  return byte >= 0x30 && byte <= 0x39 ? 1 : 0;
});

/** Names seen before are found by their bytes in a table; when it is full it starts anew. */
function makeCounter(idsOf: Vocabulary["idsOf"]): Vocabulary["count"] {
  const table = new Int32Array(slots);
  const bytesOfNames = new Uint8Array(room);
  const starts = new Uint32Array(mostNames + 1);
  const ids = new Uint32Array(mostIds);
  const idStarts = new Uint32Array(mostNames + 1);
  let names = 0;
  let tally = new Uint8Array(1 << 16);

  /** The place of a name in the tables. */
  const find = (bytes: Buffer, start: number, end: number): number => {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    let slot = (hash ^ (hash >>> 15)) & (slots - 1);
    for (; table[slot] !== 0; slot = (slot + 1) & (slots - 1)) {
      const name = table[slot]! - 1;
      const from = starts[name]!;
      if (starts[name + 1]! - from !== end - start) continue;
      let same = 0;
      while (start + same < end && bytesOfNames[from + same] === bytes[start + same]) same += 1;
      if (start + same === end) return name;
    }
    const found = isNoise(bytes, start, end) ? [] : idsOf(bytes.toString("utf8", start, end));
    if (names >= mostNames || starts[names]! + longest > room || idStarts[names]! + found.length > mostIds) {
      table.fill(0);
      names = 0;
      slot = (hash ^ (hash >>> 15)) & (slots - 1);
    }
    bytesOfNames.set(bytes.subarray(start, end), starts[names]);
    starts[names + 1] = starts[names]! + end - start;
    ids.set(found, idStarts[names]);
    idStarts[names + 1] = idStarts[names]! + found.length;
    names += 1;
    table[slot] = names;
    return names - 1;
  };

  return (bytes) => {
    const touched: number[] = [];
    let length = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (classes[bytes[at]!] !== 2) continue;
      const start = at;
      while (at < bytes.length && classes[bytes[at]!] !== 0) at += 1;
      if (at - start < 2 || at - start > longest) continue;
      length += 1;
      const name = find(bytes, start, at);
      for (let of = idStarts[name]!; of < idStarts[name + 1]!; of += 1) {
        const id = ids[of]!;
        if (id >= tally.length) tally = grown(tally, id);
        if (tally[id] === 0) touched.push(id);
        if (tally[id]! < 255) tally[id]! += 1;
      }
    }
    const counts = Uint8Array.from(touched, (id) => tally[id]!);
    for (const id of touched) tally[id] = 0;
    return { length, terms: Uint32Array.from(touched), counts };
  };
}

/** Hashes and encoded bytes: long, with many digits. */
function isNoise(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < 16) return false;
  let digits = 0;
  for (let at = start; at < end; at += 1) if (classes[bytes[at]!] === 1) digits += 1;
  return digits * 5 > end - start;
}

/** A string of its own; a part cut from a long text would keep the whole text in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

function grown(tally: Uint8Array<ArrayBuffer>, id: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(id + 1, tally.length * 2));
  larger.set(tally);
  return larger;
}
