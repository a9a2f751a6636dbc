/** Going back to a point: a picture of what is there, a journal, the files one by one, and an event in the log (B15.3, B15.4). */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { isBusy, type Session } from "../../core/session.ts";
import type { RewindExtent } from "../../core/undo.ts";
import { whileLocked } from "../host/files/lock.ts";
import type { SessionHandle } from "../ports/handle.ts";
import { shownPath } from "./entries.ts";
import { carryOut, readJournal, removeJournal, writeJournal, type RewindDone, type RewindJournal } from "./journal.ts";
import { planRewind, type RewindPlan } from "./rewind-plan.ts";
import type { EntryChange, PointStore } from "./store.ts";

/** The session that goes back. */
export interface Rewinding {
  readonly session: () => Session;
  /** Nothing else happens to it meanwhile. */
  readonly alone: SessionHandle["alone"];
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
  /** And nothing was changed. */
  { readonly kind: "refused"; readonly reason: string } | ({ readonly kind: "done" } & Omit<RewindDone, "after">);

/** What it would do to the files. Rejects where the points are gone. */
export async function previewRewind(
  { session, store }: Pick<Rewinding, "session" | "store">,
  to: string,
): Promise<RewindPlan> {
  const { name } = await store.take(null);
  return planRewind(store, worksSince(session(), to), name);
}

function talkIsGone({ undo }: Session, to: string): boolean {
  return undo.points.find(({ id }) => id === to)?.before === null;
}

const summedUp: RewindResult = {
  kind: "refused",
  reason: "the conversation of that time was summed up since and is not kept; its files can go back (--files)",
};
const atWork: RewindResult = { kind: "refused", reason: "the model is at work: stop it first (Esc)" };

/** Rejects where it was cut off in the middle: then it is finished at the next start, or by the next rewind. */
export async function rewind(rewinding: Rewinding, wish: RewindWish): Promise<RewindResult> {
  const { session, alone, folder } = rewinding;
  if (isBusy(session().turn)) return atWork;
  if (wish.what !== "files" && talkIsGone(session(), wish.to)) return summedUp;
  if (wish.what === "conversation") return alone((send) => forgetTalk(rewinding, wish, send));
  return whileLocked(join(folder, "rewind.lock"), () =>
    alone(async (send): Promise<RewindResult> => {
      if (isBusy(session().turn)) return atWork;
      const pending = await readJournal(folder);
      if (pending !== null && pending.session !== session().id)
        return {
          kind: "refused",
          reason: "another session's rewind here is not finished yet; the next start of groundplan does it",
        };
      if (pending?.id === nextRewind(session())) await finish(pending, { ...rewinding, send });
      const journal = await journalOf(rewinding, wish);
      await writeJournal(folder, journal);
      return finish(journal, { ...rewinding, send });
    }),
  );
}

async function forgetTalk(
  { session, now }: Rewinding,
  { to, what, how }: RewindWish,
  send: SessionHandle["send"],
): Promise<RewindResult> {
  const named = { type: "session-rewound", id: nextRewind(session()), to, what, how } as const;
  const refused = await send({ ...named, from: null, after: null, restored: [], kept: [], at: now() });
  if (refused?.reason === "busy") return atWork;
  if (refused !== null) return { kind: "refused", reason: refused.reason };
  return { kind: "done", restored: [], kept: [], failed: [] };
}

async function journalOf({ session, store }: Rewinding, wish: RewindWish): Promise<RewindJournal> {
  const { to, what, how } = wish;
  const { name: from } = await store.take(null);
  const plan = await planRewind(store, worksSince(session(), to), from);
  const changes = [...plan.changes, ...plan.conflicts.filter((one) => isGivenUp(one, wish))];
  const conflicts = plan.conflicts.filter((one) => !isGivenUp(one, wish)).map(({ path }) => path);
  const kept = [...conflicts, ...plan.others].map(shownPath);
  const { id: own, roots } = session();
  const draft = `.groundplan-${randomBytes(8).toString("hex")}.tmp`;
  return { session: own, root: roots.project, id: nextRewind(session()), to, what, how, from, changes, kept, draft };
}

function isGivenUp({ path }: EntryChange, { overwrite }: RewindWish): boolean {
  return overwrite.includes(shownPath(path));
}

interface Finishing extends Pick<Rewinding, "store" | "folder" | "now"> {
  readonly send: SessionHandle["send"];
}

/** Carries out what the journal says, wherever it stopped, and tells the log. */
export async function finish(journal: RewindJournal, { send, store, folder, now }: Finishing): Promise<RewindResult> {
  const { id, to, what, how, from } = journal;
  const { after, ...done } = await carryOut(journal, store);
  const kept = [...done.kept, ...done.failed.map(({ path }) => path)];
  const { restored } = done;
  const refused = await send({ type: "session-rewound", id, to, what, how, from, after, restored, kept, at: now() });
  if (refused !== null && isOver.has(refused.reason)) throw new Error("the session was closed meanwhile");
  await removeJournal(folder);
  return refused === null ? { kind: "done", ...done } : { kind: "refused", reason: refused.reason };
}

/** The log does not know of it then, and the files are as at the point. */
const isOver: ReadonlySet<string> = new Set(["closed", "halted"]);

function worksSince({ undo }: Session, to: string) {
  const point = undo.points.find(({ id }) => id === to);
  return point === undefined ? [] : undo.works.slice(point.works);
}

/** What a rewind is called that comes now: a journal of another name is of an earlier moment. */
export function nextRewind({ undo }: Session): string {
  return `r${undo.points.length + 1}`;
}
