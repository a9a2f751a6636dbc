/** Whether a session that is resumed has something to go on with, although nobody says anything now. */
import { configHome, projectRoot, sessionsFolder } from "../agent/host/config-home.ts";
import { answerStore } from "../agent/answers/kept-answers.ts";
import { loadLog } from "../agent/store/log-reader.ts";
import type { FoundSession } from "../agent/store/session-list.ts";
import { replay } from "../core/reduce.ts";
import { pendingReview } from "../core/selectors.ts";
import { freshSession } from "../core/session.ts";
import type { SessionWish } from "./wish.ts";
import { findSession } from "./find-session.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

/** An answer that was given in the browser is kept for it. */
export async function hasKeptAnswer(wish: SessionWish): Promise<boolean> {
  if (wish.resume === null || wish.fork) return false;
  const found = await meant(wish, wish.resume);
  return !isUsageError(found) && (await answerStore(configHome(), found.id, () => undefined).list()).length > 0;
}

/** The hash of the plan that waits in it, null when none does; or why there is no such session. */
export async function waitingHash(
  wish: SessionWish,
  wanted: string | true,
): Promise<{ readonly hash: string | null } | UsageError> {
  const found = await meant(wish, wanted);
  if (isUsageError(found)) return found;
  const log = await loadLog(found.path).catch(() => null);
  if (log === null) return { hash: null };
  const past = log.entries.map(({ event }) => event);
  return { hash: pendingReview(replay(freshSession(), past))?.hash ?? null };
}

async function meant({ directory }: SessionWish, wanted: string | true): Promise<FoundSession | UsageError> {
  return findSession([sessionsFolder(configHome(), await projectRoot(directory ?? process.cwd()))], wanted);
}
