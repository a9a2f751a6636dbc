/** What lets a page that is open go on after a restart: port, path and the newest secret of a server, kept for this person alone (B3.6). */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { makePrivateFolder } from "../../../agent/host/config-home.ts";
import { replaceFile } from "../../../agent/host/files/replace-file.ts";

export interface ServerKeys {
  /** Null until a port was had. */
  readonly port: number | null;
  /** The page's folder in the URL, and the cookie's path: cookies do not tell ports apart, so other local servers must not be sent ours. */
  readonly folder: string;
  /** 256 bits, base64url; another one for each run. */
  readonly secret: string;
}

export function newKeys(): ServerKeys {
  return { port: null, folder: randomBytes(12).toString("base64url"), secret: randomBytes(32).toString("base64url") };
}

/** Null where there are none, or none that only this person could have read. */
export async function readKeys(path: string): Promise<ServerKeys | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const stat = await file.stat();
    const isOurs = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
    if (!stat.isFile() || stat.size > 4096 || !isOurs) return null;
    return parseKeys(await file.readFile("utf8"));
  } finally {
    await file.close();
  }
}

export async function keepKeys(path: string, keys: ServerKeys): Promise<void> {
  await makePrivateFolder(dirname(path));
  await replaceFile(path, `${JSON.stringify({ v: 1, ...keys })}\n`, 0o600);
}

const keptShape = z.object({
  v: z.literal(1),
  port: z.int().min(1).max(65_535),
  folder: z.string().regex(/^[\w-]{16}$/),
  secret: z.string().regex(/^[\w-]{43}$/),
});

function parseKeys(text: string): ServerKeys | null {
  try {
    return keptShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
