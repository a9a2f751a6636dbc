/** The session that somebody names by its id or a beginning of it; where none or several are meant, those that could be. */
import { readLog } from "../agent/store/log-reader.ts";
import { findSessions, summarize, type FoundSession } from "../agent/store/session-list.ts";
import type { Event } from "../core/event.ts";
import { distanceOf } from "../core/nearest.ts";
import type { UsageError } from "./usage-error.ts";

/** `true`: the newest of all in which somebody said something. */
export async function findSession(
  folders: readonly string[],
  wanted: string | true,
): Promise<FoundSession | UsageError> {
  if (wanted === true) return newestIn(folders);
  const prefix = wanted.trim();
  if (prefix === "")
    return { problem: "The id of a session is missing (groundplan sessions lists them).", exitCode: 2 };
  const matching = (await Promise.all(folders.map((folder) => findSessions(folder, prefix)))).flat();
  const exact = matching.find(({ id }) => id === prefix.toLowerCase());
  const [first] = matching;
  if (exact !== undefined) return exact;
  if (first !== undefined && matching.length === 1) return first;
  if (first !== undefined) {
    const problem = `${matching.length} sessions begin with ${shortened(wanted)}; give more of the id:`;
    return { problem: `${problem}${await listed(matching)}`, exitCode: 2 };
  }
  return { problem: await unknown(folders, wanted), exitCode: 1 };
}

async function newestIn(folders: readonly string[]): Promise<FoundSession | UsageError> {
  const all = (await Promise.all(folders.map((folder) => findSessions(folder)))).flat();
  for (const found of all) if (await hasWords(found.path)) return found;
  return { problem: "There is no session in this project to go on with.", exitCode: 1 };
}

/**
 * A log that cannot be read is not passed over in silence: whoever opens it says why. The review of another agent's plans is nobody's
 * work to go on with.
 */
async function hasWords(path: string): Promise<boolean> {
  try {
    for await (const { entry } of readLog(path)) {
      if (entry?.event.type === "session-started" && entry.event.source !== undefined) return false;
      if (entry !== null && isWork(entry.event)) return true;
    }
    return false;
  } catch {
    return true;
  }
}

function isWork(event: Event): boolean {
  if (event.type === "session-started") return event.taken !== undefined;
  return event.type === "user-said" || event.type === "model-replied";
}

async function unknown(folders: readonly string[], wanted: string): Promise<string> {
  const all = (await Promise.all(folders.map((folder) => findSessions(folder)))).flat();
  const where = folders.length === 1 ? "in this project" : "here";
  const none = `There is no session ${shortened(wanted)} ${where}`;
  const near = all.filter(({ id }) => isNear(wanted.toLowerCase(), id));
  if (near.length > 0) return `${none}; did you mean:${await listed(near)}`;
  return `${none} (groundplan sessions lists them, with --all those of every project). The newest one goes on with --continue.`;
}

/** The same beginning, or a slip of the finger or two. */
function isNear(wanted: string, id: string): boolean {
  const length = Math.min(wanted.length, id.length);
  if (length < 3) return false;
  return id.startsWith(wanted.slice(0, 6)) || distanceOf(wanted.slice(0, length), id.slice(0, length)) <= length / 4;
}

async function listed(sessions: readonly FoundSession[]): Promise<string> {
  const shown = await Promise.all(sessions.slice(0, most).map(summarize));
  const lines = shown.map(({ id, words }) => `\n  ${id}  ${words === "" ? "(nothing said)" : words}`);
  return lines.join("") + (sessions.length > most ? `\n  and ${sessions.length - most} more` : "");
}

/** A whole prompt in the place of an id is not said again. */
function shortened(wanted: string): string {
  return wanted.length > 40 ? `${wanted.slice(0, 40)}…` : wanted;
}

const most = 5;
