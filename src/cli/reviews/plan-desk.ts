/** The desk of a plan whose session is another process's, or does not run: answered by what is kept for it. */
import { answerStore } from "../../agent/answers/kept-answers.ts";
import type { PlanEntry } from "../../agent/library/entry.ts";
import { logPath } from "../../agent/library/session-logs.ts";
import type { Files } from "../../agent/ports/ports.ts";
import type { WaitingDesk } from "../../faces/browser/desks/desk.ts";
import { otherProcessDesk } from "../../faces/browser/desks/other-process.ts";

export interface DeskParts {
  /** The config home. */
  readonly home: string;
  /** One line for the person. */
  readonly tell: (line: string) => void;
  readonly files: Files;
  readonly user: string;
}

/** Null where there is no session to answer to. */
export async function sessionDesk(
  { id, file, session, project }: PlanEntry,
  { home, tell, files, user }: DeskParts,
): Promise<WaitingDesk | { readonly problem: string } | null> {
  if (session === null || project === null) return null;
  const log = logPath(home, project, session);
  if ((await files.stat(log).catch(() => null)) === null) return null;
  const store = answerStore(home, session, tell);
  return otherProcessDesk({ log, planId: id, planFile: file, files, store, user });
}
