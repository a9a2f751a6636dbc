/** What stands above a plan's text: state, history, and who decided what on which bytes (B2.7, B5.5). */
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import { shortIds, shortSession } from "../../../agent/library/find-plan.ts";
import { wrapSpans } from "../../../faces/terminal/view/spans.ts";
import { spansOfStyled } from "../../../faces/terminal/view/inline-spans.ts";
import { columnsOf } from "../../../faces/terminal/view/safe-text.ts";
import { historyRows, openRows, type HeaderRow } from "./history.ts";
import type { PlansRequest } from "./request.ts";
import { paintStatus } from "./rows.ts";
import { oneLine } from "./screen.ts";

export function header(
  loaded: LoadedPlan,
  request: PlansRequest,
  chosen: { readonly revision: number | null },
): string {
  const { entry, pending, stale } = loaded;
  const { screen } = request;
  const { paint } = screen;
  const names = namesOn(request);
  const rows: HeaderRow[] = [
    ["id", names.plan(entry.id)],
    ["status", `${paintStatus(screen, entry.status)}${pending === null ? "" : " · awaits your verdict"}`],
    ["file", oneLine(entry.file) + (loaded.onDisk === null ? " (gone)" : "")],
  ];
  if (entry.source !== undefined) rows.push(["agent", oneLine(entry.source)]);
  if (entry.project !== null) rows.push(["project", projectOf(loaded)]);
  if (entry.session !== null)
    rows.push(["session", `${names.session(entry.session)}${loaded.log === null ? " (gone)" : ""}`]);
  rows.push(...historyRows(loaded, request));
  const { previous, forkedFrom, carriedOutIn } = entry.lineage;
  if (previous !== null) rows.push(["follows", names.title(previous)]);
  if (forkedFrom !== null) rows.push(["forked from", names.title(forkedFrom)]);
  if (carriedOutIn !== null) rows.push(["carried out in", names.session(carriedOutIn)]);
  rows.push(...openRows(loaded, request));
  if (stale.length > 0) rows.push(["changed since", paint("yellow", stale.map(oneLine).join(", "))]);
  const shown = chosen.revision === null ? [] : [paint("dim", `Shown: revision ${chosen.revision}.`)];
  return [
    paint("bold", entry.title === "" ? "(no title)" : oneLine(entry.title)),
    ...rowLines(rows, request),
    ...shown,
    ...warnings(loaded).map((line) => paint("yellow", line)),
  ].join("\n");
}

/** Names in a column of their own; on a terminal what is too long goes on below itself. */
function rowLines(rows: readonly HeaderRow[], { screen }: PlansRequest): readonly string[] {
  const { paint, columns, isTerminal } = screen;
  const width = Math.max(...rows.map(([name]) => name.length));
  const room = Math.max(16, columns - width - 2);
  return rows.flatMap(([name, text]) => {
    const lines = text.split("\n");
    const fitted = isTerminal ? lines.flatMap((line) => fittedLines(line, room)) : lines;
    return fitted.map((line, at) => `${paint("dim", (at === 0 ? name : "").padEnd(width))}  ${line}`);
  });
}

/** A path is left whole, so that it can be copied. */
function fittedLines(line: string, room: number): readonly string[] {
  const isLeft = columnsOf(line) <= room || !line.includes(" ");
  return isLeft ? [line] : wrapSpans(spansOfStyled(line), { width: room });
}

/** On a terminal short, and enough to be found by; for a program whole. */
function namesOn({ library, screen }: PlansRequest) {
  const everywhere = library.list({ all: true });
  const short = shortIds(everywhere);
  const plan = (id: string): string => (screen.isTerminal ? (short.get(id) ?? id) : id);
  return {
    plan,
    session: (id: string): string => (screen.isTerminal ? shortSession(id, everywhere) : id),
    title(id: string): string {
      const known = everywhere.find((one) => one.id === id);
      return known === undefined ? id : `${oneLine(known.title)} (${plan(id)})`;
    },
  };
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
