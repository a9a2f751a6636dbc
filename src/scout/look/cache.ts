/** What was learnt of a repository, kept under the config home; safe to delete, ignored when it does not read well. */
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { configHome } from "../../agent/host/config-home.ts";
import type { Extract } from "./extract.ts";

export interface Kept {
  readonly words: readonly string[];
  readonly entries: readonly KeptFile[];
  /** How many files were read anew since all were; their old words are still among `words`. */
  readonly stale: number;
  readonly log: KeptLog | undefined;
}

export interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly changed: number;
  /** Hash of the content. */
  readonly key: string;
  readonly extract: Extract;
}

export interface KeptLog {
  readonly head: string;
  readonly text: string;
  readonly notes: readonly string[];
}

const version = "groundplan scout 10";
/** The hash and four bytes to spare. */
const hashLength = 24;
const mostKept = 24;

export function cacheFolder(): string {
  return join(configHome(), "cache", "scout");
}

export function readCache(folder: string, root: string): Kept | undefined {
  try {
    return unpack(readFileSync(join(folder, nameOf(root))));
  } catch {
    return undefined;
  }
}

/** Written beside and moved into place, so that a reader never sees half of it; one that cannot be written is done without. */
export function writeCache(folder: string, root: string, kept: Kept): void {
  const place = join(folder, nameOf(root));
  const beside = `${place}.${randomUUID().slice(0, 8)}.part`;
  try {
    makeFolders(folder);
    try {
      writeParts(beside, partsOf(kept));
      renameSync(beside, place);
    } finally {
      rmSync(beside, { force: true });
    }
    sweep(folder);
  } catch {
    return;
  }
}

/** Keeps the repositories seen last. */
function sweep(folder: string): void {
  const places = readdirSync(folder).map((name) => join(folder, name));
  if (places.length <= mostKept) return;
  const dated = places.map((place) => ({ place, time: statSync(place).mtimeMs }));
  const old = dated.toSorted((left, right) => right.time - left.time).slice(mostKept);
  for (const { place } of old) rmSync(place, { force: true });
}

export function keyOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest().toString("latin1");
}

function nameOf(root: string): string {
  return `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.bin`;
}

/** The parts in their order; each begins at a multiple of eight bytes. */
const order = [
  "head",
  "words",
  "paths",
  "imports",
  "keys",
  "log",
  "sizes",
  "changed",
  "lengths",
  "machine",
  "ends",
  "definedEnds",
  "terms",
  "counts",
  "defined",
] as const;

type Part = (typeof order)[number];

/** Each part as pieces, so that a large one need not be put together in memory. */
function partsOf({ words, entries, stale, log }: Kept): Record<Part, readonly Uint8Array[]> {
  const extracts = entries.map(({ extract }) => extract);
  return {
    head: text(JSON.stringify({ stale, head: log?.head ?? null, notes: log?.notes ?? [] })),
    words: text(words.join("\n")),
    paths: text(entries.map(({ path }) => path).join("\0")),
    imports: text(extracts.map(({ imports }) => imports).join("\0")),
    keys: entries.map(({ key }) => Buffer.from(key, "latin1")),
    log: text(log?.text ?? ""),
    sizes: [bytesIn(Float64Array.from(entries, ({ size }) => size))],
    changed: [bytesIn(Float64Array.from(entries, ({ changed }) => changed))],
    lengths: [bytesIn(Uint32Array.from(extracts, ({ length }) => length))],
    machine: [Uint8Array.from(extracts, ({ isMachineMade }) => Number(isMachineMade))],
    ends: [bytesIn(endsOf(extracts.map(({ terms }) => terms.length)))],
    definedEnds: [bytesIn(endsOf(extracts.map(({ defined }) => defined.length)))],
    terms: extracts.map(({ terms }) => bytesIn(terms)),
    counts: extracts.map(({ counts }) => counts),
    defined: extracts.map(({ defined }) => bytesIn(defined)),
  };
}

function text(value: string): readonly Uint8Array[] {
  return [Buffer.from(value, "utf8")];
}

/** First a hash over the version and all that follows, then the parts' sizes, then the parts. */
function writeParts(place: string, parts: Record<Part, readonly Uint8Array[]>): void {
  const file = openSync(place, "wx", 0o600);
  try {
    const hash = createHash("sha1").update(version);
    let at = hashLength;
    const write = (bytes: Uint8Array): void => {
      hash.update(bytes);
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
      at += bytes.length;
    };
    const sizes = order.map((part) => parts[part].reduce((sum, { length }) => sum + length, 0));
    write(bytesIn(Float64Array.from(sizes)));
    for (const [index, part] of order.entries()) {
      for (const group of groupsOf(parts[part])) write(group);
      write(new Uint8Array(padding(sizes[index]!)));
    }
    writeSync(file, hash.digest(), 0, 20, 0);
  } finally {
    closeSync(file);
  }
}

function* groupsOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (let at = 0; at < pieces.length; at += 1000) yield Buffer.concat(pieces.slice(at, at + 1000));
}

function unpack(bytes: Buffer): Kept | undefined {
  const payload = new Uint8Array(bytes.length - hashLength);
  payload.set(bytes.subarray(hashLength));
  if (!createHash("sha1").update(version).update(payload).digest().equals(bytes.subarray(0, 20))) return undefined;
  const sizes = new Float64Array(payload.buffer, 0, order.length);
  const places = new Map<Part, [start: number, size: number]>();
  let start = order.length * 8;
  for (const [index, part] of order.entries()) {
    places.set(part, [start, sizes[index]!]);
    start += sizes[index]! + padding(sizes[index]!);
  }
  const bytesOf = (part: Part): Buffer => Buffer.from(payload.buffer, ...places.get(part)!);
  const textOf = (part: Part): string => bytesOf(part).toString("utf8");
  const floats = (part: Part): Float64Array =>
    new Float64Array(payload.buffer, places.get(part)![0], places.get(part)![1] / 8);
  const integers = (part: Part): Uint32Array =>
    new Uint32Array(payload.buffer, places.get(part)![0], places.get(part)![1] / 4);
  const [lengths, ends, definedEnds] = [integers("lengths"), integers("ends"), integers("definedEnds")];
  const [terms, defined, counts, machine] = [
    integers("terms"),
    integers("defined"),
    bytesOf("counts"),
    bytesOf("machine"),
  ];
  const [fileSizes, changed, keys] = [floats("sizes"), floats("changed"), bytesOf("keys").toString("latin1")];
  const imports = textOf("imports").split("\0");
  const paths = lengths.length === 0 ? [] : textOf("paths").split("\0");
  const head: { stale: number; head: string | null; notes: readonly string[] } = JSON.parse(textOf("head"));
  return {
    words: textOf("words").split("\n"),
    stale: head.stale,
    log: head.head === null ? undefined : { head: head.head, notes: head.notes, text: textOf("log") },
    entries: paths.map((path, at) => ({
      path,
      size: fileSizes[at]!,
      changed: changed[at]!,
      key: keys.slice(at * 20, at * 20 + 20),
      extract: {
        length: lengths[at]!,
        isMachineMade: machine[at] === 1,
        terms: terms.subarray(ends[at - 1] ?? 0, ends[at]),
        counts: counts.subarray(ends[at - 1] ?? 0, ends[at]),
        defined: defined.subarray(definedEnds[at - 1] ?? 0, definedEnds[at]),
        imports: imports[at]!,
      },
    })),
  };
}

function bytesIn(values: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function padding(size: number): number {
  return (8 - (size % 8)) % 8;
}

function endsOf(lengths: readonly number[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(lengths, (length) => (end += length));
}

/** Not by Node's own recursion, which never ends below `/proc`. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
