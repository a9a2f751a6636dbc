/** The files of the sessions that this process has open: their locks, their logs, and what the library is told of them. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../agent/host/config-home.ts";
import { lockSession } from "../agent/host/files/lock.ts";
import { createIndexKeeper } from "../agent/library/index-keeper.ts";
import { openLog, type FileLog } from "../agent/store/log.ts";
import type { Sealer } from "../agent/store/log-seal.ts";
import { closeAll, type Close } from "./closers.ts";
import type { Workplace } from "./place.ts";
import type { UsageError } from "./usage-error.ts";

export interface SessionFilesOptions extends Pick<Workplace, "home" | "folder"> {
  readonly sealer: Sealer;
  readonly tell: (line: string) => void;
}

export function sessionFiles({ home, folder, sealer, tell }: SessionFilesOptions) {
  const keeper = createIndexKeeper({ configHome: home, report: tell });
  const opened: { readonly id: string; readonly path: string; readonly close: Close; readonly release: Close }[] = [];
  return {
    /** For this process alone. `size` is what was read of the log before it was locked; whoever wrote since makes that void. */
    async open(id: string, size: number): Promise<FileLog | UsageError> {
      const path = join(folder, `${id}.jsonl`);
      try {
        await makePrivateFolder(folder);
        const locking = await lockSession(`${path}.lock`);
        if (locking.kind === "refused") return inUse(id, locking.pid);
        const { lock } = locking;
        if (((await stat(path).catch(() => null))?.size ?? 0) !== size) {
          await lock.release();
          return { problem: `Session ${id} was changed by another process just now. Resume it again.`, exitCode: 1 };
        }
        const log = await openLog(path, sealer).catch(async (error: unknown) => {
          await lock.release();
          throw error;
        });
        opened.push({ id, path, close: () => log.close(), release: () => lock.release() });
        return log;
      } catch (error) {
        return notKept(folder, error);
      }
    },
    listen: keeper.listen,
    /** Locks are let go of when the logs are whole, and the library knows. */
    close: () =>
      closeAll([
        () => closeAll(opened.map(({ close }) => close)),
        () => keeper.close(opened),
        () => closeAll(opened.map(({ release }) => release)),
      ]),
  };
}

function inUse(id: string, pid: number | null): UsageError {
  const who = pid === null ? "another process" : `process ${pid}`;
  return { problem: `Session ${id} is open in ${who}. Close it there, or use --fork.`, exitCode: 1 };
}

export function notKept(folder: string, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    problem: `The session cannot be kept in ${folder}: ${reason}. Set GROUNDPLAN_HOME to a folder that can be written.`,
    exitCode: 1,
  };
}
