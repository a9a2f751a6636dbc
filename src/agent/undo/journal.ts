/** A rewind that is under way, on disk: whoever starts next finishes what a killed process left in the middle (B15.4). */
import { unlink } from "node:fs/promises";
import type { RewindExtent } from "../../core/undo.ts";
import { fields, list, oneOf, orNull, parseJson, text } from "../../core/wire/shape.ts";
import { readRegularText } from "../host/files/read-regular.ts";
import { replaceFile, syncFolder } from "../host/files/replace-file.ts";
import type { BytePath } from "../watch/work-tree-files.ts";
import { entryAt, shownPath } from "./entries.ts";
import { journalPlace } from "./places.ts";
import { restoreEntry, sweepDraft, type Restored } from "./restore.ts";
import { isSameEntry, type EntryChange, type PointStore } from "./store.ts";

export interface RewindJournal {
  readonly session: string;
  readonly root: string;
  /** The rewind's own. */
  readonly id: string;
  readonly to: string;
  readonly what: RewindExtent;
  readonly how: "undo" | "redo";
  /** The work tree before it. */
  readonly from: string;
  readonly changes: readonly EntryChange[];
  /** Left as they are, as shown. */
  readonly kept: readonly string[];
  /** The name of a file that is written and not yet in its place: nobody else's. */
  readonly draft: string;
}

export interface RewindDone {
  readonly restored: readonly string[];
  readonly kept: readonly string[];
  readonly failed: readonly NotRestored[];
  readonly after: string;
}

/** Nobody changed it, and it is as it was before all the same. */
export interface NotRestored {
  readonly path: string;
  readonly why: Exclude<Restored, "done" | "changed">;
}

export async function writeJournal(folder: string, journal: RewindJournal): Promise<void> {
  await replaceFile(journalPlace(folder), JSON.stringify(journal));
}

/** Null where none is under way. Rejects for one that cannot be read. */
export async function readJournal(folder: string): Promise<RewindJournal | null> {
  const place = journalPlace(folder);
  const written = await readRegularText(place, { direct: true, limit: 1 << 28 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
  if (written === null) return null;
  const journal = parseJson(written);
  if (!isJournal(journal)) throw new Error(`${place} is damaged; look at the files, and remove it.`);
  return journal as RewindJournal;
}

export async function removeJournal(folder: string): Promise<void> {
  await unlink(journalPlace(folder)).catch(() => undefined);
  await syncFolder(folder);
}

/** File by file; each that is done already stays so, and each that is neither what it was nor what it shall be is left alone. */
export async function carryOut(journal: RewindJournal, store: PointStore): Promise<RewindDone> {
  const { root, draft, changes, kept } = journal;
  const done: EntryChange[] = [];
  const left = new Set(kept);
  const failed: NotRestored[] = [];
  for (const group of groupsOf(inOrder(changes))) {
    const contents = await store.read(group.flatMap(({ after }) => (after === null ? [] : [after.hash])));
    for (const change of group) {
      const { path, after } = change;
      await sweepDraft(root, path, draft);
      const content =
        after === null ? undefined : (contents.get(after.hash) ?? (await store.read([after.hash])).get(after.hash));
      const result = await restoreEntry(change, { root, hashName: store.hashName, draft, content });
      if (result === "done") done.push(change);
      else if (result === "changed") left.add(shownPath(path));
      else failed.push({ path: shownPath(path), why: result });
    }
  }
  const still = await stillRestored(root, done, store);
  const { name: after } = await store.take(still);
  for (const path of await changedBeside(store, after)) left.add(path);
  return { restored: still.map(shownPath).toSorted(), kept: [...left].toSorted(), failed, after };
}

/** Without what others changed after it was brought back: that is theirs, and no part of what a redo takes back. */
async function stillRestored(
  root: string,
  done: readonly EntryChange[],
  { hashName }: PointStore,
): Promise<readonly BytePath[]> {
  const still: BytePath[] = [];
  for (const { path, after } of done) {
    const now = await entryAt(root, path, hashName);
    if (now !== "other" && isSameEntry(now, after)) still.push(path);
  }
  return still;
}

/** By others while it was under way, or ignored until a list of what is ignored was brought back. */
async function changedBeside(store: PointStore, after: string): Promise<readonly string[]> {
  const { name: now } = await store.take(null);
  const [changes = []] = await store.changes([[after, now]]);
  return changes.map(({ path }) => shownPath(path));
}

/** What is to go goes first, the deepest before what is around it: its place may be needed. */
function inOrder(changes: readonly EntryChange[]): readonly EntryChange[] {
  return [
    ...changes.filter(({ after }) => after === null).toSorted((one, other) => (one.path < other.path ? 1 : -1)),
    ...changes.filter(({ after }) => after !== null),
  ];
}

/** Contents of so many are held at once. */
function groupsOf(changes: readonly EntryChange[]): readonly (readonly EntryChange[])[] {
  const groups: EntryChange[][] = [];
  for (const [at, change] of changes.entries()) {
    if (at % groupSize === 0) groups.push([]);
    groups.at(-1)!.push(change);
  }
  return groups;
}

const groupSize = 32;

const entry = orNull(fields({ kind: oneOf("file", "program", "link"), hash: text }));
const isJournal = fields({
  session: text,
  root: text,
  id: text,
  to: text,
  what: oneOf("files", "both"),
  how: oneOf("undo", "redo"),
  from: text,
  changes: list(fields({ path: text, before: entry, after: entry })),
  kept: list(text),
  draft: text,
});
