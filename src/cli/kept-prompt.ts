/** Whether a session that is resumed has something to go on with, although nobody says anything now. */
import { configHome, homeDirectory, projectRoot, sessionsFolder } from "../agent/host/config-home.ts";
import { answerStore } from "../agent/kept-answers.ts";
import { loadLog } from "../agent/log-reader.ts";
import { findSessions, type FoundSession } from "../agent/session-list.ts";
import { replay } from "../core/reduce.ts";
import { pendingReview } from "../core/selectors.ts";
import { freshSession } from "../core/session.ts";
import type { SessionArguments } from "./args.ts";

/** An answer that was given in the browser is kept for it. */
export async function hasKeptAnswer(args: SessionArguments): Promise<boolean> {
  if (args.resume === null || args.fork) return false;
  const found = await meant(args);
  return found !== null && (await answerStore(homeOf(), found.id, () => undefined).list()).length > 0;
}

/** The hash of the plan that waits in it; null when none does. */
export async function waitingHash(args: SessionArguments): Promise<string | null> {
  const found = args.resume === null ? null : await meant(args);
  const log = found === null ? null : await loadLog(found.path).catch(() => null);
  if (log === null) return null;
  const past = log.entries.map(({ event }) => event);
  return pendingReview(replay(freshSession(), past))?.hash ?? null;
}

async function meant({ resume, directory }: SessionArguments): Promise<FoundSession | null> {
  const folder = sessionsFolder(homeOf(), await projectRoot(directory ?? process.cwd()));
  const [newest] = await findSessions(folder, typeof resume === "string" ? resume : "");
  return newest ?? null;
}

function homeOf(): string {
  return configHome({ environment: process.env, directory: homeDirectory() });
}
