/** A session that runs, or ran, in another process: its log as it grows, whether somebody holds it, and what its plan's file has. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Session } from "../../../core/session.ts";
import { isHeld } from "../../../agent/host/files/lock.ts";
import { replayLog } from "../../../agent/library/replay-log.ts";
import type { Files } from "../../../agent/ports/ports.ts";

export interface FollowedLog {
  /** Null while it cannot be read. */
  read(): Promise<Session | null>;
  /** Whether a living process has the session open. */
  isLive(): Promise<boolean>;
}

/** The log is read again only when it grew. */
export function followLog(path: string): FollowedLog {
  let size = -1;
  let session: Session | null = null;
  return {
    async read() {
      const found = await stat(path).catch(() => null);
      if (found === null) return null;
      if (found.size === size) return session;
      const replayed = await replayLog(path);
      if (replayed === null || replayed.session.id === "") return null;
      size = found.size;
      session = replayed.session;
      return session;
    },
    isLive: () => isHeld(lockOf(path)),
  };
}

/** An agent's log lies in a folder of its parent's, whose lock counts. */
function lockOf(log: string): string {
  const folder = dirname(log);
  if (!folder.endsWith(".agents")) return `${log}.lock`;
  return join(dirname(folder), `${basename(folder, ".agents")}.jsonl.lock`);
}

/** Null for what is not a whole text file. */
export async function textIn(files: Files, file: string): Promise<string | null> {
  try {
    if ((await files.stat(file))?.kind !== "file") return null;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await files.readBytes(file));
  } catch {
    return null;
  }
}
