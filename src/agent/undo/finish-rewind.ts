/** At a start: a rewind that a killed process left in the middle is finished before anything else is done (B15.4). */
import { join } from "node:path";
import { errorText } from "../../core/error-text.ts";
import { exists } from "../host/files/entries.ts";
import { whileLocked } from "../host/files/lock.ts";
import { openSealer } from "../store/log-seal.ts";
import { readJournal, removeJournal } from "./journal.ts";
import { openLogged } from "./logged-session.ts";
import { openStore } from "./open-store.ts";
import { journalPlace, pointsFolder } from "./places.ts";
import { finish, nextRewind } from "./rewind.ts";

export interface FinishOptions {
  readonly home: string;
  /** Where this project's sessions lie. */
  readonly folder: string;
  readonly tell: (line: string) => void;
}

/** Never rejects: what cannot be finished is told, and found again at the next start. */
export async function finishRewind({ home, folder, tell }: FinishOptions): Promise<void> {
  if (!(await exists(journalPlace(folder)))) return;
  try {
    await whileLocked(join(folder, "rewind.lock"), async () => {
      const journal = await readJournal(folder);
      if (journal === null) return;
      const path = join(folder, `${journal.session}.jsonl`);
      if (!(await exists(path))) {
        tell("A rewind was cut off, and its session is gone since: the rest of it is not done.");
        return await removeJournal(folder);
      }
      const opened = await openLogged(path, journal.session, await openSealer(home));
      if ("problem" in opened) return;
      try {
        const { points } = opened.session().undo;
        if (points.some(({ id }) => id === journal.id)) return await removeJournal(folder);
        if (journal.id !== nextRewind(opened.session())) {
          tell("A rewind was cut off, and the session went on since: the rest of it is not done.");
          return await removeJournal(folder);
        }
        const store = await openStore(journal.root, pointsFolder(path), journal.from);
        const result = await finish(journal, { ...opened, store, folder, now: Date.now });
        const count = result.kind === "done" ? result.restored.length : 0;
        tell(`A rewind that was cut off is finished: ${count} file(s) are as at the point.`);
      } finally {
        await opened.close();
      }
    });
  } catch (error) {
    tell(`A rewind that was cut off could not be finished: ${errorText(error)}`);
  }
}
