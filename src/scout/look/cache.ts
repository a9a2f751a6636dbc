/** What was learnt of a repository, kept under the config home; safe to delete, ignored when it does not read well. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { configHome, makePrivateFolder } from "../../agent/host/config-home.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
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

const version = "groundplan scout 11";
const hashLength = 20;
const mostKept = 24;

export function cacheFolder(): string {
  return join(configHome(), "cache", "scout");
}

export function readCache(folder: string, root: string): Kept | undefined {
  try {
    const bytes = readFileSync(join(folder, nameOf(root)));
    const payload = bytes.subarray(hashLength);
    return bytes.subarray(0, hashLength).equals(hashOf(payload)) ? deserialize(payload) : undefined;
  } catch {
    return undefined;
  }
}

/** A hash over the version and what follows, then the value. A cache that cannot be written is done without. */
export async function writeCache(folder: string, root: string, kept: Kept): Promise<void> {
  try {
    await makePrivateFolder(folder);
    const payload = serialize(kept);
    await replaceFile(join(folder, nameOf(root)), Buffer.concat([hashOf(payload), payload]));
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

function hashOf(payload: Uint8Array): Buffer {
  return createHash("sha1").update(version).update(payload).digest();
}
