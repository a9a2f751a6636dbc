/** A lock that a process holds by a file: a second process learns who has it, and what a dead one left is taken over by one alone. */
import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { readdir, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makePrivateFolder } from "../config-home.ts";
import { errnoOf } from "./file-error.ts";
import { readRegularText, textAt } from "./read-regular.ts";
import { giveName } from "./replace-file.ts";
import { identify, isAlive, parseHolder } from "../launch/process-identity.ts";

export interface Lock {
  /** Lets go; a lock that somebody else has by now is left alone. */
  release(): Promise<void>;
}

export type Locking =
  | { readonly kind: "held"; readonly lock: Lock }
  /** Another process has it; null when that process cannot be told. */
  | { readonly kind: "refused"; readonly pid: number | null };

/** Takes the lock of a session for as long as this process lives, or until it is released. */
export async function lockSession(path: string): Promise<Locking> {
  await makePrivateFolder(dirname(path));
  const token = await take(path, deepest);
  if (typeof token !== "string") return { kind: "refused", pid: token.pid };
  /** So that processes elsewhere (another container, another machine) see that the holder lives. */
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => undefined);
  const beat = setInterval(touch, heartbeatMs).unref();
  const atExit = (): void => releaseNow(path, token);
  process.once("exit", atExit);
  return {
    kind: "held",
    lock: {
      async release() {
        clearInterval(beat);
        process.removeListener("exit", atExit);
        await release(path, token);
      },
    },
  };
}

/** Whether a living process holds it; takes nothing. */
export async function isHeld(path: string): Promise<boolean> {
  return typeof (await holderOf(path)) !== "string";
}

/** Waits for its turn among many, then runs the action alone among all processes. Rejects with LockTimeoutError. */
export async function whileLocked<Result>(
  path: string,
  action: () => Promise<Result>,
  patienceMs = 60_000,
): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (let wait = 2; ; wait = Math.min(wait * 2, 50)) {
    const token = await take(path, deepest);
    if (typeof token === "string") {
      try {
        return await action();
      } finally {
        await release(path, token);
      }
    }
    if (performance.now() > end) throw new LockTimeoutError(path, token.pid);
    await pause(wait * (0.5 + Math.random()));
  }
}

export class LockTimeoutError extends Error {
  override readonly name = "LockTimeoutError";
  readonly pid: number | null;
  constructor(path: string, pid: number | null) {
    super(`${path} is held by ${pid === null ? "another process" : `process ${pid}`}.`);
    this.pid = pid;
  }
}

/**
 * The token of the lock, or who has it. A dead holder's file is replaced only by whoever holds the lock of the takeover
 * (`path.takeover`, taken the same way), so nobody replaces a file that a living one has just put there. Where no file
 * is found any more nothing is replaced: its place is free for anybody, and may be taken at this very moment.
 */
async function take(path: string, depth: number): Promise<string | Present> {
  const token = JSON.stringify({ ...(await identify()), key: randomBytes(12).toString("hex") });
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    await writeFile(draft, token, { flag: "wx", mode: 0o600 });
    const found = await takeIfFree(draft, path);
    if (found === "taken") return token;
    if (found !== "left-behind") return found;
    if (depth === 0) return { pid: null };
    const takeover = `${path}.takeover`;
    const claim = await take(takeover, depth - 1);
    if (typeof claim !== "string") return { pid: null };
    try {
      const present = await takeIfFree(draft, path);
      if (present === "taken") return token;
      if (present !== "left-behind") return present;
      await rename(draft, path);
      await sweep(path);
      return token;
    } finally {
      await release(takeover, claim);
    }
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

async function takeIfFree(draft: string, path: string): Promise<"taken" | "left-behind" | Present> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (await isLinked(draft, path)) return "taken";
    const holder = await holderOf(path);
    if (holder !== "nobody") return holder;
  }
  return { pid: null };
}

/** Complete from its first moment on: the file gets its name only after it has its content, where the file system can do that. */
async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await giveName(draft, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

interface Present {
  readonly pid: number | null;
}

/** `nobody`: there is no file. `left-behind`: by a process that is no more. */
async function holderOf(path: string): Promise<"nobody" | "left-behind" | Present> {
  const text = await readRegularText(path).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? null : "",
  );
  if (text === null) return "nobody";
  const holder = parseHolder(text);
  if (holder === null) return (await ageOf(path)) < writingMs ? { pid: null } : "left-behind";
  const alive = await isAlive(holder);
  if (alive !== "unknown") return alive === "yes" ? holder : "left-behind";
  return (await ageOf(path)) < staleMs ? holder : "left-behind";
}

/** Removes what killed processes left on their way to the lock. */
async function sweep(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    const draft = join(dirname(path), name);
    if (!draft.startsWith(`${path}.`) || !name.endsWith(".new")) continue;
    if ((await ageOf(draft)) > staleMs) await unlink(draft).catch(() => undefined);
  }
}

/** None for a file that is not there: it says nothing of whoever comes next. */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? 0 : Date.now() - found.mtimeMs;
}

async function release(path: string, token: string): Promise<void> {
  if ((await readRegularText(path).catch(() => "")) === token) await unlink(path).catch(() => undefined);
}

function releaseNow(path: string, token: string): void {
  try {
    if (textAt(path) === token) unlinkSync(path);
  } catch {
    return;
  }
}

const heartbeatMs = 10_000;
const staleMs = 60_000;
/** For so long a file without content may be one that is just being written. */
const writingMs = 2000;
/** How many takeovers of takeovers are followed before giving up for this time. */
const deepest = 3;
/** How often the place is found taken and free again, one after the other, before giving up for this time. */
const mostTries = 5;
