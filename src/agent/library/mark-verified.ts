/** Notes in the log of a plan's session, and in the index, that its checks were run: done when they passed (B6.3). */
import { stat } from "node:fs/promises";
import type { Event } from "../../core/event.ts";
import { hashText } from "../../core/plan/hash.ts";
import { lockSession } from "../host/files/lock.ts";
import { openLog } from "../store/log.ts";
import { openSealer } from "../store/log-seal.ts";
import type { LoadedPlan } from "./load-plan.ts";
import { openIndex } from "./places.ts";
import { logPath } from "./session-logs.ts";

export interface MarkVerified {
  readonly configHome: string;
  readonly plan: LoadedPlan;
  readonly passed: boolean;
}

/** A session that is open in a process is left alone: it will say itself when it is done. Never rejects. */
export async function markVerified({ configHome, plan, passed }: MarkVerified): Promise<void> {
  const { entry, text } = plan;
  const { id, session, project, status } = entry;
  if (session === null || project === null || !passed || status === "done") return;
  const at = Date.now();
  const event: Event = { type: "plan-verified", plan: id, hash: hashText(text), passed, at };
  const path = logPath(configHome, project, session);
  try {
    if ((await stat(path).catch(() => null)) !== null) {
      const locking = await lockSession(`${path}.lock`);
      if (locking.kind === "refused") return;
      try {
        const log = await openLog(path, await openSealer(configHome));
        await log.append({ at, event });
        await log.close();
      } finally {
        await locking.lock.release();
      }
    }
    await openIndex(configHome).append([{ ...entry, status: "done", at }]);
  } catch {
    return;
  }
}
