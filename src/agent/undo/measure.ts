/** How much a change of files is: lines that come and go, and the difference to read. */
import { textOf } from "../host/files/utf8.ts";
import { shownPath } from "./entries.ts";
import type { NotRestored } from "./journal.ts";
import type { RewindPlan } from "./rewind-plan.ts";
import type { EntryChange, PointStore } from "./store.ts";

export interface MeasuredChange {
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** Null for what is no text, or too long to be compared. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
}

/** What going back would do to the files, as it is shown before. */
export interface ShownRewind {
  readonly changes: readonly MeasuredChange[];
  /** Changed by somebody else, too. */
  readonly conflicts: readonly MeasuredChange[];
  /** Changed by somebody else alone. */
  readonly others: readonly string[];
  readonly difference: string;
}

export async function shownRewind(plan: RewindPlan, store: PointStore): Promise<ShownRewind> {
  const { changes, conflicts, others } = plan;
  return {
    changes: await measureChanges(store, changes),
    conflicts: await measureChanges(store, conflicts),
    others: others.map(shownPath),
    difference: await differenceText(store, changes),
  };
}

export const failures: Readonly<Record<NotRestored["why"], string>> = {
  missing: "what it held is not kept any more",
  blocked: "it cannot be written or removed there",
};

/** `3 files, +10 -2` */
export function sizeText(changes: readonly MeasuredChange[]): string {
  const sum = (side: "added" | "removed"): number =>
    changes.reduce((total, { lines }) => total + (lines?.[side] ?? 0), 0);
  return `${changes.length} file${changes.length === 1 ? "" : "s"}, +${sum("added")} -${sum("removed")}`;
}

/** Of the first so many; more would take a person nowhere. */
export async function measureChanges(
  store: PointStore,
  changes: readonly EntryChange[],
): Promise<readonly MeasuredChange[]> {
  const { diffLines } = await import("diff");
  const contents = await contentsOf(store, changes);
  return changes.map((change) => {
    const texts = textsOf(contents, change);
    const parts = texts === null ? undefined : diffLines(...texts, { maxEditLength: mostEdits });
    const sum = (wanted: "added" | "removed"): number =>
      (parts ?? []).reduce((total, part) => total + (part[wanted] ? part.count : 0), 0);
    const lines = parts === undefined ? null : { added: sum("added"), removed: sum("removed") };
    return { path: shownPath(change.path), kind: kindOf(change), lines };
  });
}

/** As `diff -u` writes it, file after file. */
export async function differenceText(store: PointStore, changes: readonly EntryChange[]): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const contents = await contentsOf(store, changes);
  const parts = changes.slice(0, mostMeasured).map((change) => {
    const path = shownPath(change.path);
    const texts = textsOf(contents, change);
    const names = [
      change.before === null ? "/dev/null" : `a/${path}`,
      change.after === null ? "/dev/null" : `b/${path}`,
    ] as const;
    const patch =
      texts === null
        ? undefined
        : createTwoFilesPatch(...names, ...texts, undefined, undefined, { maxEditLength: mostEdits });
    return patch?.replace(/^=+\n/, "") ?? `--- ${names[0]}\n+++ ${names[1]}\nno text, or too long to be compared\n`;
  });
  if (changes.length > mostMeasured) parts.push(`and ${changes.length - mostMeasured} more files\n`);
  return parts.join("");
}

function contentsOf(store: PointStore, changes: readonly EntryChange[]): ReturnType<PointStore["read"]> {
  const entries = changes.slice(0, mostMeasured).flatMap(({ before, after }) => [before, after]);
  return store.read(entries.flatMap((entry) => (entry === null ? [] : [entry.hash])));
}

function textsOf(
  contents: ReadonlyMap<string, Buffer>,
  { before, after }: EntryChange,
): readonly [string, string] | null {
  const texts = [before, after].map((entry) => {
    if (entry === null) return "";
    const content = contents.get(entry.hash);
    return content === undefined || content.length > largestCompared ? null : textOf(content);
  });
  const [one = null, other = null] = texts;
  return one === null || other === null ? null : [one, other];
}

function kindOf({ before, after }: EntryChange): MeasuredChange["kind"] {
  if (before === null) return "added";
  return after === null ? "removed" : "changed";
}

const mostMeasured = 200;
const mostEdits = 20_000;
const largestCompared = 1024 * 1024;
