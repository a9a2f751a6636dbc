/** Whether a session that is resumed has something to go on with, although nobody says anything now. */
import { configHome, homeDirectory, projectRoot, sessionsFolder } from "../agent/host/config-home.ts";
import { answerStore } from "../agent/kept-answers.ts";
import { findSessions } from "../agent/session-list.ts";
import type { SessionArguments } from "./args.ts";

/** An answer that was given in the browser is kept for it. */
export async function hasKeptAnswer({ resume, fork, directory }: SessionArguments): Promise<boolean> {
  if (resume === null || fork) return false;
  const home = configHome({ environment: process.env, directory: homeDirectory() });
  const folder = sessionsFolder(home, await projectRoot(directory ?? process.cwd()));
  const [newest] = await findSessions(folder, resume === true ? "" : resume);
  if (newest === undefined) return false;
  return (await answerStore(home, newest.id, () => undefined).list()).length > 0;
}
