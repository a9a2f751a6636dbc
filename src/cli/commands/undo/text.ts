/** What undo says: the points, what going back would do, and what it did. */
import { failures, type MeasuredChange, type ShownRewind } from "../../../agent/undo/measure.ts";
import type { RewindDone } from "../../../agent/undo/journal.ts";
import type { PointView } from "../../../agent/undo/point-list.ts";
import type { RewindWish } from "../../../agent/undo/rewind.ts";
import type { PointStore } from "../../../agent/undo/store.ts";
import type { Session } from "../../../core/session.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { counted, cut, oneLine, type OutputScreen } from "../plans/screen.ts";

type Going = Pick<RewindWish, "to" | "what" | "how">;

type TimedView = PointView & { readonly at: number | null; readonly isHere: boolean };

/** The newest first. */
export function listText(views: readonly TimedView[], session: Session, screen: OutputScreen): string {
  const { paint, columns } = screen;
  const lines: string[] = [];
  for (const { id, why, label, files, at, isHere, hasTalk } of views.toReversed()) {
    const when = at === null ? "" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
    const head = `${id.padEnd(4)} ${when}  ${why === "step" ? "step: " : ""}${oneLine(label)}`;
    lines.push(
      `${paint("bold", cut(head, columns - (isHere ? 14 : 0)))}${isHere ? paint("yellow", "  you are here") : ""}`,
    );
    lines.push(`     ${files === null ? paint("dim", "its files are not kept any more") : sumText(files, screen)}`);
    if (!hasTalk)
      lines.push(`     ${paint("dim", "only its files: the conversation of that time was summed up since")}`);
    for (const file of (files ?? []).slice(0, mostShown)) lines.push(`       ${fileText(file, screen)}`);
    if ((files?.length ?? 0) > mostShown) lines.push(`       and ${files!.length - mostShown} more`);
  }
  return [...lines, ...limitLines(session.undo)].join("\n");
}

interface Shown {
  readonly plan: ShownRewind | null;
  readonly screen: OutputScreen;
}

/** For `--dry-run`: with the difference. */
export function planText(wish: Going, label: string, { plan, screen }: Shown): string {
  const difference = plan === null || plan.difference === "" ? [] : ["", coloured(plan.difference, screen)];
  return [askText(wish, label, { plan, screen }), ...difference, "", "Nothing was changed."].join("\n");
}

export function askText({ what, how }: Going, label: string, { plan, screen }: Shown): string {
  const { paint } = screen;
  const where = `${how === "undo" ? "Back to before" : "Forward again, as before the undo of"}: ${oneLine(label)}`;
  const lines = [paint("bold", where)];
  if (what !== "files") lines.push("The conversation goes back, with plans and approvals since.");
  if (plan === null) return lines.join("\n");
  lines.push(plan.changes.length === 0 ? "No file changes." : sumText(plan.changes, screen));
  lines.push(...plan.changes.slice(0, mostShown).map((file) => `  ${fileText(file, screen)}`));
  if (plan.changes.length > mostShown) lines.push(`  and ${plan.changes.length - mostShown} more`);
  return [...lines, ...keptLines([...plan.conflicts.map(({ path }) => path), ...plan.others])].join("\n");
}

interface Done extends Pick<RewindDone, "restored" | "kept" | "failed"> {
  readonly left: Session["undo"];
  readonly store: PointStore["kind"];
}

export function doneText({ what, how }: Going, label: string, { restored, kept, failed, left, store }: Done): string {
  const isUndo = how === "undo";
  const one = restored.length === 1;
  const files = `${counted(restored.length, "file")} ${one ? "is" : "are"} as ${one ? "it was" : "they were"}`;
  const talk = isUndo ? "the conversation went back" : "the conversation goes on where it was";
  const parts = [...(what === "conversation" ? [] : [files]), ...(what === "files" ? [] : [talk])].join("; ");
  const lines = [
    `${isUndo ? "Back to before" : "Forward again, as before the undo of"}: ${oneLine(label)}`,
    `${parts}.${isUndo ? " groundplan redo takes it back." : ""}`,
    ...keptLines(kept),
    ...failedLines(failed),
  ];
  if (what === "conversation") return lines.join("\n");
  return [...lines, ...limitLines(left), ...(store === "copies" ? [withoutGit] : [])].join("\n");
}

const withoutGit =
  "There is no git here: only files that the session's own tools changed are part of it, none that commands changed.";

function keptLines(kept: readonly string[]): readonly string[] {
  if (kept.length === 0) return [];
  const shown = kept.slice(0, mostShown).map((path) => `  ${oneLine(path)}`);
  const more = kept.length > mostShown ? [`  and ${kept.length - mostShown} more`] : [];
  return [`Left as ${kept.length === 1 ? "it is" : "they are"}, changed by somebody else since:`, ...shown, ...more];
}

function failedLines(failed: Done["failed"]): readonly string[] {
  if (failed.length === 0) return [];
  const shown = failed.slice(0, mostShown).map(({ path, why }) => `  ${oneLine(path)}: ${failures[why]}`);
  const more = failed.length > mostShown ? [`  and ${failed.length - mostShown} more`] : [];
  return ["Could not be brought back:", ...shown, ...more];
}

function named(paths: readonly string[]): string {
  return paths.slice(0, 5).map(oneLine).join(", ") + (paths.length > 5 ? ", …" : "");
}

/** What no point holds. */
function limitLines({ left, works }: Session["undo"]): readonly string[] {
  const missed = [...new Set(works.flatMap((work) => work.missed))];
  return [
    ...(missed.length === 0 ? [] : [`Not covered (ignored by git, or elsewhere): ${named(missed)}`]),
    ...(left === null || left.nested.length === 0 ? [] : [`Not covered (repositories inside): ${named(left.nested)}`]),
    ...(left === null || left.large.length === 0 ? [] : [`Not covered (too large): ${named(left.large)}`]),
  ];
}

function sumText(files: readonly MeasuredChange[], { paint }: OutputScreen): string {
  if (files.length === 0) return paint("dim", "no files changed");
  const sum = (side: "added" | "removed"): number =>
    files.reduce((total, { lines }) => total + (lines?.[side] ?? 0), 0);
  return `${counted(files.length, "file")}, ${paint("green", `+${sum("added")}`)} ${paint("red", `-${sum("removed")}`)}`;
}

function fileText({ path, kind, lines }: MeasuredChange, { paint, columns }: OutputScreen): string {
  const sign = { added: "+", removed: "-", changed: "~" }[kind];
  const size = lines === null ? "no text" : `+${lines.added} -${lines.removed}`;
  return `${sign} ${cut(oneLine(path), columns - 30)}  ${paint("dim", size)}`;
}

function coloured(difference: string, { paint }: OutputScreen): string {
  const lines = difference
    .trimEnd()
    .split("\n")
    .map((line) => makeVisible(line));
  return lines
    .map((line) => (line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : line))
    .join("\n");
}

const mostShown = 20;
