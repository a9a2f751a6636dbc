/** What was learnt of a repository, kept under the config home; safe to delete, ignored when it does not read well. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Extract } from "./extract.ts";

export interface Kept {
  readonly words: readonly string[];
  readonly entries: readonly KeptFile[];
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

const version = "groundplan scout 4";
const headLength = 20;

export function cacheFolder(): string {
  return join(process.env["GROUNDPLAN_HOME"] || join(homedir(), ".groundplan"), "cache", "scout");
}

export function readCache(folder: string, root: string): Kept | undefined {
  try {
    return unpack(readFileSync(join(folder, nameOf(root))));
  } catch {
    return undefined;
  }
}

/** Written beside and moved into place, so that a reader never sees half of it. */
export function writeCache(folder: string, root: string, kept: Kept): void {
  const place = join(folder, nameOf(root));
  const beside = `${place}.${process.pid}.part`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(beside, pack(kept), { mode: 0o600 });
    renameSync(beside, place);
  } catch {
    rmSync(beside, { force: true });
  }
}

export function keyOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest().toString("latin1");
}

function nameOf(root: string): string {
  return `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.bin`;
}

interface Packed {
  readonly words: string;
  readonly paths: string;
  readonly keys: string;
  readonly imports: string;
  readonly sizes: Float64Array;
  readonly changed: Float64Array;
  readonly lengths: Uint32Array;
  readonly machine: Uint8Array;
  readonly ends: Uint32Array;
  readonly definedEnds: Uint32Array;
  readonly terms: Uint32Array;
  readonly counts: Uint8Array;
  readonly defined: Uint32Array;
  readonly log: KeptLog | undefined;
}

function pack({ words, entries, log }: Kept): Buffer {
  const extracts = entries.map(({ extract }) => extract);
  const ends = endsOf(extracts.map(({ terms }) => terms.length));
  const definedEnds = endsOf(extracts.map(({ defined }) => defined.length));
  const terms = new Uint32Array(ends.at(-1) ?? 0);
  const counts = new Uint8Array(terms.length);
  const defined = new Uint32Array(definedEnds.at(-1) ?? 0);
  for (const [at, extract] of extracts.entries()) {
    terms.set(extract.terms, ends[at]! - extract.terms.length);
    counts.set(extract.counts, ends[at]! - extract.terms.length);
    defined.set(extract.defined, definedEnds[at]! - extract.defined.length);
  }
  const packed: Packed = {
    words: words.join("\n"),
    paths: entries.map(({ path }) => path).join("\0"),
    keys: entries.map(({ key }) => key).join(""),
    imports: extracts.map(({ imports }) => imports.join("\n")).join("\0"),
    sizes: Float64Array.from(entries, ({ size }) => size),
    changed: Float64Array.from(entries, ({ changed }) => changed),
    lengths: Uint32Array.from(extracts, ({ length }) => length),
    machine: Uint8Array.from(extracts, ({ isMachineMade }) => Number(isMachineMade)),
    ends,
    definedEnds,
    terms,
    counts,
    defined,
    log,
  };
  const payload = serialize(packed);
  return Buffer.concat([headOf(payload), payload]);
}

/** The version and a hash of all that follows, so that a damaged or older file is never believed. */
function headOf(payload: Uint8Array): Buffer {
  return createHash("sha1").update(version).update(payload).digest();
}

function unpack(bytes: Buffer): Kept | undefined {
  const payload = bytes.subarray(headLength);
  if (!bytes.subarray(0, headLength).equals(headOf(payload))) return undefined;
  const packed: Packed = deserialize(payload);
  const imports = packed.imports.split("\0");
  const entries = packed.lengths.length === 0 ? [] : packed.paths.split("\0");
  return {
    words: packed.words.split("\n"),
    log: packed.log,
    entries: entries.map((path, at) => ({
      path,
      size: packed.sizes[at]!,
      changed: packed.changed[at]!,
      key: packed.keys.slice(at * 20, at * 20 + 20),
      extract: {
        length: packed.lengths[at]!,
        isMachineMade: packed.machine[at] === 1,
        terms: packed.terms.subarray(packed.ends[at - 1] ?? 0, packed.ends[at]),
        counts: packed.counts.subarray(packed.ends[at - 1] ?? 0, packed.ends[at]),
        defined: packed.defined.subarray(packed.definedEnds[at - 1] ?? 0, packed.definedEnds[at]),
        imports: imports[at] === "" ? [] : imports[at]!.split("\n"),
      },
    })),
  };
}

function endsOf(lengths: readonly number[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(lengths, (length) => (end += length));
}
