/** Todos on disk, a file for each session and agent: validated on reading, replaced in one step (R13.1, R14.7). */
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Todo } from "../../core/reminders/reminder.ts";
import type { Session } from "../../core/session.ts";
import type { SessionHandle } from "../ports/handle.ts";
import type { TodoStore } from "../ports/host.ts";
import { makePrivateFolder } from "../host/config-home.ts";
import { oneAtATime } from "../host/one-at-a-time.ts";
import { replaceFile } from "../host/files/replace-file.ts";
import { readRegularText } from "../host/files/read-regular.ts";

export interface TodoStoreOptions {
  /** `<config home>/todos` */
  readonly folder: string;
  readonly report: (problem: string) => void;
}

export function createTodoStore({ folder, report }: TodoStoreOptions): TodoStore {
  return {
    async save(session) {
      const path = join(folder, todoFileName(session));
      await makePrivateFolder(dirname(path));
      await replaceFile(path, `${JSON.stringify(session.todos, null, 2)}\n`);
    },
    async load(session) {
      const path = join(folder, todoFileName(session));
      try {
        return shape.parse(JSON.parse(await readRegularText(path))) as readonly Todo[];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        report(`The todos in ${path} cannot be read and are left out.`);
        return [];
      }
    },
  };
}

/** Keeps the file as the session is: after every change, and from the beginning where a fork or a resume brings todos along (R13.2). */
export function keepTodos(handle: SessionHandle, store: TodoStore, report: (problem: string) => void): void {
  const inTurn = oneAtATime();
  const save = (session: Session): void =>
    void inTurn(() => store.save(session)).catch((error: unknown) =>
      report(`The todos could not be kept: ${String(error)}`),
    );
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const { before, session } = happening;
    const isChanged = before.todos !== session.todos && before.todos.length + session.todos.length > 0;
    if (isChanged || (before.id !== session.id && session.todos.length > 0)) save(session);
  });
}

/** The main agent's id is the session's; an agent's todos stand beside those of the session that started it. An id that could leave the folder is refused. */
export function todoFileName({ id, actor }: Pick<Session, "id" | "actor">): string {
  const agent = actor.kind === "subagent" ? actor.id : id;
  const suffix = `-agent-${agent}`;
  const session = id !== agent && id.endsWith(suffix) ? id.slice(0, -suffix.length) : id;
  if (![session, agent].every((name) => /^[\w@.-]+$/.test(name) && !name.startsWith("."))) {
    throw new Error(`${JSON.stringify(agent)} cannot name a file.`);
  }
  return `${session}-agent-${agent}.json`;
}

const shape = z.array(
  z.object({
    content: z.string(),
    status: z.enum(["pending", "in_progress", "completed"]),
    activeForm: z.string().optional(),
  }),
);
