/** A session that is not at work, opened by its log alone: what happens to it is written there, and nothing else is done. */
import type { Event } from "../../core/event.ts";
import { reduce } from "../../core/reduce.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { lockSession } from "../host/files/lock.ts";
import type { SendRefused } from "../ports/handle.ts";
import { openLog } from "../store/log.ts";
import { loadLog, type LoadedLog } from "../store/log-reader.ts";
import type { Sealer } from "../store/log-seal.ts";

export interface LoggedSession {
  readonly session: () => Session;
  readonly log: LoadedLog;
  /** When each point was. */
  readonly times: ReadonlyMap<string, number>;
  readonly send: (event: Event) => Promise<SendRefused | null>;
  close(): Promise<void>;
}

export type LoggedProblem = { readonly problem: string };

/** Refused while another process has it open. Rejects where the log cannot be read. */
export async function openLogged(path: string, id: string, sealer: Sealer): Promise<LoggedSession | LoggedProblem> {
  const locking = await lockSession(`${path}.lock`);
  if (locking.kind === "refused") {
    const who = locking.pid === null ? "another process" : `process ${locking.pid}`;
    return { problem: `Session ${id} is open in ${who}: close it there first, or go back there (/rewind).` };
  }
  const { lock } = locking;
  try {
    const loaded = await loadLog(path, sealer);
    const file = await openLog(path, sealer);
    let session = freshSession();
    const times = new Map<string, number>();
    for (const { at, event } of loaded.entries) {
      session = reduce(session, event).session;
      const newest = session.undo.points.at(-1)?.id;
      if (newest !== undefined && !times.has(newest)) times.set(newest, at);
    }
    return {
      session: () => session,
      log: loaded,
      times,
      async send(event) {
        const { session: next, effects } = reduce(session, event);
        const refusal = effects.find((effect) => effect.type === "refuse");
        if (refusal !== undefined) return { reason: refusal.reason };
        await file.append({ at: Date.now(), event });
        session = next;
        return null;
      },
      async close() {
        await file.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
