/** A session for this process alone: its lock, and its log as it was when it was read. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../agent/host/config-home.ts";
import { lockSession, type Lock } from "../agent/host/files/lock.ts";
import { openLog, type FileLog } from "../agent/store/log.ts";
import type { Sealer } from "../agent/store/log-seal.ts";
import type { UsageError } from "./usage-error.ts";

export interface OpenSession {
  readonly id: string;
  readonly path: string;
  readonly log: FileLog;
  readonly lock: Lock;
}

export interface Logs {
  readonly folder: string;
  readonly sealer: Sealer;
  /** What was read of the log before it was locked; whoever wrote since makes that void. */
  readonly size: number;
}

export async function openSession({ folder, sealer, size }: Logs, id: string): Promise<OpenSession | UsageError> {
  const path = join(folder, `${id}.jsonl`);
  try {
    await makePrivateFolder(folder);
    const locking = await lockSession(`${path}.lock`);
    if (locking.kind === "refused") {
      const who = locking.pid === null ? "another process" : `process ${locking.pid}`;
      return { problem: `Session ${id} is open in ${who}. Close it there, or use --fork.`, exitCode: 1 };
    }
    if (((await stat(path).catch(() => null))?.size ?? 0) !== size) {
      await locking.lock.release();
      return { problem: `Session ${id} was changed by another process just now. Resume it again.`, exitCode: 1 };
    }
    return { id, path, log: await openLog(path, sealer), lock: locking.lock };
  } catch (error) {
    return notKept(folder, error);
  }
}

export function notKept(folder: string, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    problem: `The session cannot be kept in ${folder}: ${reason}. Set GROUNDPLAN_HOME to a folder that can be written.`,
    exitCode: 1,
  };
}
