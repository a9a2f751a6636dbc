/** The points of a session as a person chooses among them: what was asked for or begun there, and what the work after it changed. */
import type { Session } from "../../core/session.ts";
import { pointsOf, type WorkStretch } from "../../core/undo.ts";
import type { BytePath } from "../watch/work-tree-files.ts";
import { measureChanges, type MeasuredChange } from "./measure.ts";
import { isSameEntry, type EntryChange, type PointStore } from "./store.ts";

export interface PointView {
  readonly id: string;
  readonly why: "prompt" | "step" | "rewind";
  readonly label: string;
  /** What was changed from here to the next point; null where that is not kept any more. */
  readonly files: readonly MeasuredChange[] | null;
  /** The conversation can go back to it, too. */
  readonly hasTalk: boolean;
}

/** Oldest first. */
export async function viewPoints(session: Session, store: PointStore): Promise<readonly PointView[]> {
  const points = pointsOf(session);
  const { works } = session.undo;
  const views: PointView[] = [];
  for (const [at, { id, why, label, works: from, before }] of points.entries()) {
    const own = works.slice(from, points[at + 1]?.works);
    const changes = await changesBy(store, own).catch(() => null);
    const files = changes === null ? null : await measureChanges(store, changes);
    views.push({ id, why, label, files, hasTalk: before !== null });
  }
  return views;
}

/** What the works came to, one after the other; what others changed between them is not among it. */
async function changesBy(store: PointStore, works: readonly WorkStretch[]): Promise<readonly EntryChange[]> {
  const ended = works.flatMap(({ from, to }) => (to === null ? [] : [[from, to] as const]));
  const merged = new Map<BytePath, EntryChange>();
  for (const change of (await store.changes(ended)).flat()) {
    const before = merged.get(change.path)?.before;
    merged.set(change.path, before === undefined ? change : { ...change, before });
  }
  return [...merged.values()].filter(({ before, after }) => !isSameEntry(before, after));
}
