/** A file of JSON lines that many processes add to at once: the last line of a key counts, torn lines are left out (B5.3). */
import { dirname } from "node:path";
import { makePrivateFolder } from "../host/config-home.ts";
import { whileLocked } from "../host/files/lock.ts";
import { replaceFile } from "../host/files/replace-file.ts";
import { readRegularText } from "../host/files/read-regular.ts";
import { openToAppend } from "../store/log.ts";

export interface LineStore<Value> {
  /** Never throws: a file that cannot be read is as good as none. */
  read(): Promise<Lines<Value>>;
  /** Rejects when it cannot be written; what is there already stays whole. */
  append(values: readonly Value[]): Promise<void>;
  /** Reads and writes again alone among all processes: without what is superseded, and without what cannot be read. */
  rewrite(change: (values: ReadonlyMap<string, Value>) => Iterable<Value>): Promise<void>;
}

export interface Lines<Value> {
  readonly values: ReadonlyMap<string, Value>;
  readonly lines: number;
  /** Lines that cannot be read. */
  readonly broken: number;
  readonly isMissing: boolean;
}

export interface LineStoreOptions<Value> {
  readonly path: string;
  readonly encode: (value: Value) => string;
  readonly decode: (line: string) => Value | null;
  readonly keyOf: (value: Value) => string;
  /** Which of two values of one key counts; the second is from the later line. */
  readonly prefer: (one: Value | undefined, other: Value) => Value;
}

export function createLineStore<Value>(options: LineStoreOptions<Value>): LineStore<Value> {
  const { path, encode } = options;
  const lock = `${path}.lock`;
  const textOf = (values: Iterable<Value>): string => Array.from(values, (value) => `${encode(value)}\n`).join("");

  const read = async (): Promise<Lines<Value>> => {
    const text = await readRegularText(path).catch(() => null);
    return text === null
      ? { values: new Map(), lines: 0, broken: 0, isMissing: true }
      : { ...decodeLines(text, options), isMissing: false };
  };

  return {
    read,
    async append(values) {
      if (values.length === 0) return;
      await makePrivateFolder(dirname(path));
      await whileLocked(lock, () => appendText(path, textOf(values)), patienceMs);
    },
    async rewrite(change) {
      await makePrivateFolder(dirname(path));
      const rewritten = async () => replaceFile(path, textOf(change((await read()).values)));
      await whileLocked(lock, rewritten, patienceMs);
    },
  };
}

function decodeLines<Value>(text: string, { decode, keyOf, prefer }: LineStoreOptions<Value>) {
  const values = new Map<string, Value>();
  let broken = 0;
  let lines = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    lines += 1;
    const value = decode(line);
    if (value === null) {
      broken += 1;
      continue;
    }
    const key = keyOf(value);
    values.set(key, prefer(values.get(key), value));
  }
  return { values, lines, broken };
}

/** Under the lock. A line that a killed process left unfinished is closed first, so that it spoils nothing but itself. */
async function appendText(path: string, text: string): Promise<void> {
  const { file, cut } = await openToAppend(path);
  try {
    await file.appendFile(cut ? `\n${text}` : text);
  } finally {
    await file.close();
  }
}

/** Others hold the lock for some milliseconds each; who waits longer than this gives up, and the logs tell it later. */
const patienceMs = 10_000;
