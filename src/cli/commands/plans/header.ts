/** What stands above a plan's text: state, history, and who decided what on which bytes (B2.7, B5.5). */
import { localTime } from "../../../agent/loop/local-time.ts";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import { paintStatus, type PlansRequest } from "./request.ts";
import { counted, oneLine } from "./screen.ts";

export function header(
  loaded: LoadedPlan,
  { screen, library }: PlansRequest,
  chosen: { readonly revision: number | null },
): string {
  const { entry, pending, comments, stale } = loaded;
  const { paint } = screen;
  const rows: [string, string][] = [
    ["id", entry.id],
    ["status", `${paintStatus(screen, entry.status)}${pending === null ? "" : " · awaits your verdict"}`],
    ["file", oneLine(entry.file) + (loaded.onDisk === null ? " (gone)" : "")],
  ];
  if (entry.source !== undefined) rows.push(["agent", oneLine(entry.source)]);
  if (entry.project !== null) rows.push(["project", projectOf(loaded)]);
  if (entry.session !== null) rows.push(["session", `${entry.session}${loaded.log === null ? " (gone)" : ""}`]);
  for (const { number, at, by, hash } of entry.revisions) {
    rows.push([
      `revision ${number}`,
      `${localTime(at)} by ${by === "model" ? (entry.source === undefined ? "the model" : oneLine(entry.source)) : "the person"} ${paint("dim", short(hash, screen.columns))}`,
    ]);
  }
  for (const { kind, by, at, hash, mode } of entry.decisions) {
    const who = `${oneLine(by.user)} (${oneLine(by.surface)})`;
    rows.push([
      said[kind] ?? kind,
      `${localTime(at)} by ${who}, mode ${mode} ${paint("dim", short(hash, screen.columns))}`,
    ]);
  }
  const { previous, forkedFrom, carriedOutIn } = entry.lineage;
  if (previous !== null) rows.push(["follows", titleOf(library, previous)]);
  if (forkedFrom !== null) rows.push(["forked from", titleOf(library, forkedFrom)]);
  if (carriedOutIn !== null) rows.push(["carried out in", carriedOutIn]);
  if (comments.length > 0) rows.push(["open", counted(comments.length, "comment")]);
  if (stale.length > 0) rows.push(["changed since", paint("yellow", stale.map(oneLine).join(", "))]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const shown = chosen.revision === null ? [] : [paint("dim", `Shown: revision ${chosen.revision}.`)];
  return [
    paint("bold", entry.title === "" ? "(no title)" : oneLine(entry.title)),
    ...rows.map(([name, value]) => `${paint("dim", name.padEnd(width))}  ${value}`),
    ...shown,
    ...warnings(loaded).map((line) => paint("yellow", line)),
  ].join("\n");
}

function warnings({ entry, changedOutside, approved, log }: LoadedPlan): readonly string[] {
  if (changedOutside && approved !== null) {
    return ["The file was changed after the approval. Shown are the approved bytes, from the session's log."];
  }
  if (changedOutside || (approvedHash(entry) !== null && approved === null)) {
    return ["The approved bytes are gone: what is shown is not what was approved."];
  }
  return log === null && entry.session !== null ? ["Its session is gone: this is what the file holds."] : [];
}

function projectOf({ entry: { project, origin, evidence } }: LoadedPlan): string {
  const commit = evidence?.commit ?? origin.commit;
  const parts = [
    oneLine(project ?? ""),
    origin.branch === null ? null : `branch ${oneLine(origin.branch)}`,
    commit === null ? null : `commit ${commit.slice(0, 10)}`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

function titleOf(library: PlansRequest["library"], id: string): string {
  const plan = library.list({ all: true }).find((one) => one.id === id);
  return plan === undefined ? id : `${oneLine(plan.title)} (${id})`;
}

/** Whole, where there is room for it. */
function short(hash: string, columns: number): string {
  return columns < 130 ? hash.slice(0, 12) : hash;
}

const said: Readonly<Record<string, string>> = {
  approve: "approved",
  revise: "sent back",
  save: "saved",
  abandon: "abandoned",
  dismiss: "dismissed",
};
