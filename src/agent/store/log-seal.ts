/** The seal on each line of a log: which key wrote it, and after which line; a line that somebody changed, added or took out shows (B1.15). */
import { createHmac, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../core/wire/shape.ts";
import { logVersion } from "../../core/wire/log-format.ts";
import { makePrivateFolder } from "../host/config-home.ts";

/** Seals a line's text after the line whose seal is `previous`; the first one comes after "". */
export interface Sealer {
  seal(text: string, previous: string): { readonly line: string; readonly seal: string };
  /** The seal of a line that stands where it was written, else null. */
  check(line: string, previous: string): string | null;
}

/** With this person's key, made when there is none yet. */
export async function openSealer(configHome: string): Promise<Sealer> {
  const path = join(configHome, "log.key");
  const key = (await keyIn(path)) ?? (await makeKey(configHome, path));
  const sealOf = (text: string, previous: string): string =>
    createHmac("sha256", key).update(previous).update("\n").update(text, "utf8").digest("hex").slice(0, 32);
  return {
    seal(text, previous) {
      const seal = sealOf(text, previous);
      return { seal, line: `${head},"seal":"${seal}"${text.slice(head.length)}` };
    },
    check(line, previous) {
      const seal = claimedSeal(line);
      if (seal === null) return null;
      return sealOf(head + line.slice(head.length + seal.length + framing), previous) === seal ? seal : null;
    },
  };
}

/** What a line says its seal is. */
export function claimedSeal(line: string): string | null {
  return /^\{"v":\d+,"seal":"([0-9a-f]{32})",/.exec(line)?.[1] ?? null;
}

/** The seal of the last whole line of an open log, from which a writer goes on; lines that were cut off do not count. */
export async function lastSeal(file: FileHandle, size: number): Promise<string> {
  let tail = Buffer.alloc(0);
  for (let start = size; start > 0;) {
    const length = Math.min(step, start);
    start -= length;
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    tail = Buffer.concat([buffer, tail]);
    const whole = start === 0 ? 0 : tail.indexOf(newline) + 1;
    if (start > 0 && whole === 0) continue;
    const lines = tail.toString("utf8", whole).split("\n");
    const last = lines.findLast((line) => claimedSeal(line) !== null && parseJson(line) !== undefined);
    if (last !== undefined) return claimedSeal(last) ?? "";
  }
  return "";
}

const head = `{"v":${logVersion}`;
const framing = ',"seal":""'.length;
const newline = 0x0a;
const step = 64 * 1024;

async function keyIn(path: string): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is not a regular file.`);
    if ((found.mode & 0o077) !== 0) await file.chmod(0o600);
    const key = Buffer.from((await file.readFile("utf8")).trim(), "hex");
    if (key.length < 32) throw new Error(`${path} holds no key; remove it, and a new one is made.`);
    return key;
  } finally {
    await file.close();
  }
}

/** Of two processes that start at once one makes it, whole or not at all. */
async function makeKey(configHome: string, path: string): Promise<Buffer> {
  await makePrivateFolder(configHome);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await unlink(draft);
  }
  const key = await keyIn(path);
  if (key === null) throw new Error(`${path} cannot be made.`);
  return key;
}
