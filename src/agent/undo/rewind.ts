/** Going back to a point: a picture of what is there, a journal, the files one by one, and an event in the log (B15.3, B15.4). */
import { join } from "node:path";
import type { Event } from "../../core/event.ts";
import { isBusy, type Session } from "../../core/session.ts";
import type { RewindExtent } from "../../core/undo.ts";
import { whileLocked } from "../host/files/lock.ts";
import type { SendRefused } from "../ports/handle.ts";
import { shownPath } from "./entries.ts";
import { carryOut, readJournal, removeJournal, writeJournal, type RewindJournal } from "./journal.ts";
import { planRewind, type RewindPlan } from "./rewind-plan.ts";
import type { EntryChange, PointStore } from "./store.ts";

/** The session that goes back: nobody else writes it meanwhile. */
export interface Rewinding {
  readonly session: () => Session;
  readonly send: (event: Event) => Promise<SendRefused | null>;
  readonly store: PointStore;
  /** Where this project's sessions lie. */
  readonly folder: string;
  readonly now: () => number;
}

export interface RewindWish {
  /** The point's id. */
  readonly to: string;
  readonly what: RewindExtent;
  readonly how: "undo" | "redo";
  /** Of the files that somebody else changed since, those that the person was shown and gave up. */
  readonly overwrite: readonly string[];
}

export type RewindResult =
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "done"; readonly restored: readonly string[]; readonly kept: readonly string[] };

/** What it would do to the files. Rejects where the points are gone. */
export async function previewRewind(
  { session, store }: Pick<Rewinding, "session" | "store">,
  to: string,
): Promise<RewindPlan> {
  const { name } = await store.take(null);
  return planRewind(store, worksSince(session(), to), name);
}

const atWork: RewindResult = { kind: "refused", reason: "the model is at work: stop it first (Esc)" };

export async function rewind(rewinding: Rewinding, wish: RewindWish): Promise<RewindResult> {
  const { session, send, now, folder } = rewinding;
  const { to, what, how } = wish;
  if (isBusy(session().turn)) return atWork;
  const id = nextRewind(session());
  const named = { type: "session-rewound", id, to, what, how } as const;
  if (what === "conversation") {
    const refused = await send({ ...named, from: null, after: null, restored: [], kept: [], at: now() });
    return refused === null ? { kind: "done", restored: [], kept: [] } : { kind: "refused", reason: refused.reason };
  }
  return whileLocked(join(folder, "rewind.lock"), async () => {
    if ((await readJournal(folder)) !== null)
      return { kind: "refused", reason: "another session's rewind in this project is not finished yet" };
    const { name: from } = await rewinding.store.take(null);
    const plan = await planRewind(rewinding.store, worksSince(session(), to), from);
    const changes = [...plan.changes, ...plan.conflicts.filter((one) => isGivenUp(one, wish))];
    const conflicts = plan.conflicts.filter((one) => !isGivenUp(one, wish)).map(({ path }) => path);
    const kept = [...conflicts, ...plan.others].map(shownPath);
    const { id: sessionId, roots } = session();
    const journal: RewindJournal = { session: sessionId, root: roots.project, id, to, what, how, from, changes, kept };
    if (isBusy(session().turn)) return atWork;
    await writeJournal(folder, journal);
    return finish(journal, rewinding);
  });
}

function isGivenUp({ path }: EntryChange, { overwrite }: RewindWish): boolean {
  return overwrite.includes(shownPath(path));
}

/** Carries out what the journal says, wherever it stopped, and tells the log. */
export async function finish(
  journal: RewindJournal,
  { send, store, folder, now }: Omit<Rewinding, "session">,
): Promise<RewindResult> {
  const { id, to, what, how, from } = journal;
  const done = await carryOut(journal, store);
  const { restored, kept, after } = done;
  const refused = await send({ type: "session-rewound", id, to, what, how, from, after, restored, kept, at: now() });
  await removeJournal(folder);
  return refused === null ? { kind: "done", restored, kept } : { kind: "refused", reason: refused.reason };
}

function worksSince({ undo }: Session, to: string) {
  const point = undo.points.find(({ id }) => id === to);
  return point === undefined ? [] : undo.works.slice(point.works);
}

/** What a rewind is called that comes now: a journal of another name is of an earlier moment. */
export function nextRewind({ undo }: Session): string {
  return `r${undo.points.length + 1}`;
}
