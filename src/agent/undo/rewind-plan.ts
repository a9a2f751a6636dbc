/** What going back to a point means for the files: which are brought back, and which somebody else changed since (B15.3). */
import type { WorkStretch } from "../../core/undo.ts";
import type { BytePath } from "../watch/work-tree-files.ts";
import { shownPath } from "./entries.ts";
import { isSameEntry, type EntryChange, type KeptEntry, type PointStore } from "./store.ts";

export interface RewindPlan {
  /** From what lies there now to what lay there at the point. */
  readonly changes: readonly EntryChange[];
  /** Changed by the work and by somebody else: left as they are, unless the person says otherwise. */
  readonly conflicts: readonly EntryChange[];
  /** Changed by somebody else alone: no part of it, only told. */
  readonly others: readonly BytePath[];
}

/** `works`: those since the point, oldest first; `now`: the work tree as it is. */
export async function planRewind(store: PointStore, works: readonly WorkStretch[], now: string): Promise<RewindPlan> {
  const stretches = stretchesOf(works, now);
  const found = await store.changes(stretches.map(({ from, to }) => [from, to] as const));
  const first = new Map<BytePath, KeptEntry | null>();
  const latest = new Map<BytePath, KeptEntry | null>();
  const ours = new Set<BytePath>();
  const theirs = new Set<BytePath>();
  stretches.forEach(({ by, missed }, at) => {
    for (const { path, before, after } of found[at]!) {
      if (!first.has(path)) first.set(path, before);
      latest.set(path, after);
      if (by !== "others") ours.add(path);
      if (by !== "work" || (before === null && missed.has(shownPath(path)))) theirs.add(path);
    }
  });
  const changes: EntryChange[] = [];
  const conflicts: EntryChange[] = [];
  for (const path of ours) {
    const change = { path, before: latest.get(path)!, after: first.get(path)! };
    if (theirs.has(path)) conflicts.push(change);
    else if (!isSameEntry(change.before, change.after)) changes.push(change);
  }
  return { changes, conflicts, others: [...theirs].filter((path) => !ours.has(path)) };
}

interface Stretch {
  readonly from: string;
  readonly to: string;
  /** `either`: the process died in its work, and who did what since is not known. */
  readonly by: "work" | "others" | "either";
  /** What the picture before it does not tell of: what seems to be made may have been there. */
  readonly missed: ReadonlySet<string>;
}

/** Between two works somebody else was at it. */
function stretchesOf(works: readonly WorkStretch[], now: string): readonly Stretch[] {
  return works.flatMap(({ from, to, missed }, at): readonly Stretch[] => {
    const next = works[at + 1]?.from ?? now;
    if (to === null) return [{ from, to: next, by: "either", missed: none }];
    return [
      { from, to, by: "work", missed: new Set(missed) },
      { from: to, to: next, by: "others", missed: none },
    ];
  });
}

const none: ReadonlySet<string> = new Set();
