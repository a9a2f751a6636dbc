/** Where undo keeps things, beside the logs of a project's sessions. */
import { basename, dirname, join } from "node:path";

/** What a session's points hold. */
export function pointsFolder(log: string): string {
  return join(dirname(log), `${basename(log, ".jsonl")}${pointsEnding}`);
}

export const pointsEnding = ".undo";

/** The rewind that is under way: one for the project, so that of two that go back at once one waits. */
export function journalPlace(folder: string): string {
  return join(folder, "rewind.json");
}
