/** Undo of a session that no process has open: by its log, its points, and the files. */
import { join } from "node:path";
import { errorText } from "../core/error-text.ts";
import { isBusy } from "../core/session.ts";
import { createTodoStore } from "../agent/store/todo-store.ts";
import { openSealer } from "../agent/store/log-seal.ts";
import { finishRewind } from "../agent/undo/finish-rewind.ts";
import { openLogged, type LoggedSession } from "../agent/undo/logged-session.ts";
import { openStore } from "../agent/undo/open-store.ts";
import { pointsFolder } from "../agent/undo/places.ts";
import type { PointStore } from "../agent/undo/store.ts";
import { findSession } from "./find-session.ts";
import type { Workplace } from "./place.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

export interface ClosedSession extends LoggedSession {
  readonly store: PointStore;
  readonly folder: string;
}

/** `wanted`: its id or a beginning of it; `true`: the newest one. Only a log that is ours, line by line, says what files were. */
export async function openClosed(
  place: Pick<Workplace, "home" | "folder" | "root">,
  wanted: string | true,
  tell: (line: string) => void,
): Promise<ClosedSession | UsageError> {
  const { home, folder, root } = place;
  const found = await findSession([folder], wanted);
  if (isUsageError(found)) return found;
  await finishRewind({ home, folder, tell });
  try {
    const opened = await openLogged(found.path, found.id, await openSealer(home));
    if ("problem" in opened) return { ...opened, exitCode: 1 };
    const session = opened.session();
    const isOurs = opened.log.broken === null && session.id === found.id && session.roots.project === root;
    if (!isOurs) {
      await opened.close();
      return {
        problem: `The log of session ${found.id} was changed outside of Groundplan: nothing is undone by it.`,
        exitCode: 1,
      };
    }
    const last = session.undo.works.at(-1);
    const store = await openStore(root, pointsFolder(found.path), last?.to ?? last?.from ?? null);
    const todos = createTodoStore({ folder: join(home, "todos"), report: tell });
    const send: ClosedSession["send"] = async (event) => {
      const before = opened.session().todos;
      const refused = await opened.send(event);
      if (opened.session().todos !== before) await todos.save(opened.session());
      return refused;
    };
    return { ...opened, send, store, folder };
  } catch (error) {
    return { problem: errorText(error), exitCode: 1 };
  }
}

/** What a process that died left under way is stopped: the person goes back instead. */
export async function stopTurn({ session, send }: ClosedSession): Promise<void> {
  if (isBusy(session().turn)) await send({ type: "turn-cancelled" });
}
