/** A plan among many: one line, two where the screen is narrow; with what a search found in it. */
import { localTime } from "../../../agent/loop/local-time.ts";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import type { Match, MatchingLine } from "../../../agent/library/search.ts";
import type { PlanStatus } from "../../../core/plan/ledger.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { charactersOf, columnsOf, safePath } from "../../../faces/terminal/view/safe-text.ts";
import { ageColumns, ageOf } from "./age.ts";
import type { PlansRequest } from "./request.ts";
import { counted, cut, oneLine, type OutputScreen, type OutputStyle } from "./screen.ts";

export interface RowFacts extends Pick<PlansRequest, "screen" | "now"> {
  readonly short: string;
  /** Whether to say which project it is of. */
  readonly project: boolean;
}

export function planRow(plan: PlanEntry, facts: RowFacts): string {
  return facts.screen.isTerminal ? shownRow(plan, facts) : plainRow(plan, facts);
}

/** For programs: nothing is cut, and times are times. */
function plainRow({ status, at, title, revisions, source, project }: PlanEntry, facts: RowFacts): string {
  const left = [facts.short.padEnd(8), status.padEnd(9), localTime(at), `${revisions.length} rev`.padStart(6)];
  const more = [source ?? null, facts.project ? project : null].flatMap((one) => (one === null ? [] : [oneLine(one)]));
  return `${left.join("  ")}  ${[nameOf(title), ...more].join("  · ")}`;
}

function shownRow(plan: PlanEntry, { screen, now, short, project }: RowFacts): string {
  const { paint, columns } = screen;
  const isWide = columns >= oneLineFrom;
  const age = ageOf(plan.at, now);
  const begin = [paint("cyan", short.padEnd(8)), paintStatus(screen, plan.status, 9)].join("  ");
  const left = `${begin}  ${paint("dim", isWide ? age.padEnd(ageColumns) : age)}`;
  const room = columns - (isWide ? columnsOf(left) + 2 : 2);
  const rest = factsOf(plan, { project, room: Math.floor(room / 2) });
  const name = cut(nameOf(plan.title), rest === "" ? room : room - columnsOf(rest) - 3);
  const text = rest === "" ? name : `${name}${paint("dim", ` · ${rest}`)}`;
  if (isWide) return `${left}  ${text}`;
  return columnsOf(left) <= columns ? `${left}\n  ${text}` : `${begin}\n  ${text}\n  ${paint("dim", age)}`;
}

const oneLineFrom = 76;

function factsOf(
  { revisions, source, project }: PlanEntry,
  shown: { readonly project: boolean; readonly room: number },
): string {
  const known = [
    ...(source === undefined ? [] : [cut(oneLine(source), 16)]),
    ...(revisions.length > 1 ? [counted(revisions.length, "revision")] : []),
  ].join(" · ");
  const left = shown.room - (known === "" ? 0 : columnsOf(known) + 3);
  if (!shown.project || project === null || left < 8) return known;
  return [...(known === "" ? [] : [known]), safePath(project, left)].join(" · ");
}

function nameOf(title: string): string {
  return title === "" ? "(no title)" : oneLine(title);
}

export function paintStatus({ paint }: OutputScreen, status: PlanStatus, width = 0): string {
  return paint(statusStyles[status], status.padEnd(width));
}

const statusStyles: Readonly<Record<PlanStatus, OutputStyle>> = {
  draft: "dim",
  submitted: "yellow",
  approved: "green",
  rejected: "red",
  saved: "cyan",
  executing: "yellow",
  done: "green",
  abandoned: "dim",
};

export function matchRows({ plan, lines }: Match, facts: RowFacts): string {
  const { screen } = facts;
  const shown = lines.map(
    (line) => `${screen.paint("dim", String(line.line).padStart(6))}  ${matchLine(line, screen)}`,
  );
  return [planRow(plan, facts), ...shown].join("\n");
}

/** What was found is marked; where the line is too long, it stands in the middle of what is shown. */
function matchLine({ text, marks }: MatchingLine, { columns, paint }: OutputScreen): string {
  const parts = partsOf(text, marks);
  const room = Math.min(columns, 200) - 8;
  const whole = parts.map(({ text: part }) => part).join("");
  if (columns === Infinity) return whole;
  const cells = parts.flatMap(({ text: part, isMark }) => charactersOf(part).map((cell) => ({ cell, isMark })));
  const [from, to] = columnsOf(whole) <= room ? [0, cells.length] : windowOf(cells, room);
  const runs: { text: string; isMark: boolean }[] = [];
  for (const { cell, isMark } of cells.slice(from, to)) {
    const last = runs.at(-1);
    if (last?.isMark === isMark) last.text += cell;
    else runs.push({ text: cell, isMark });
  }
  const painted = runs.map(({ text: run, isMark }) => (isMark ? paint("marked", run) : run));
  return `${from > 0 ? "…" : ""}${painted.join("")}${to < cells.length ? "…" : ""}`;
}

interface Part {
  readonly text: string;
  readonly isMark: boolean;
}

/** Made visible piece by piece, so that the marks stay where they are. */
function partsOf(text: string, marks: MatchingLine["marks"]): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(
      { text: blanked(text.slice(at, from)), isMark: false },
      { text: blanked(text.slice(from, to)), isMark: true },
    );
    at = to;
  }
  return [...parts, { text: blanked(text.slice(at)), isMark: false }].filter((part) => part.text !== "");
}

function blanked(text: string): string {
  return makeVisible(text).replaceAll(/\s+/g, " ");
}

/** So many cells around the first mark as fit, two columns left for the signs of a cut. */
function windowOf(cells: readonly { readonly cell: string; readonly isMark: boolean }[], room: number) {
  const first = Math.max(
    0,
    cells.findIndex(({ isMark }) => isMark),
  );
  const afterMark = cells.findIndex(({ isMark }, index) => index > first && !isMark);
  let [from, to] = [first, first];
  let left = room - 2;
  const take = (index: number): boolean => {
    const columns = columnsOf(cells[index]?.cell ?? "");
    if (index < 0 || index >= cells.length || columns > left) return false;
    left -= columns;
    return true;
  };
  while (to < (afterMark === -1 ? cells.length : afterMark) && take(to)) to += 1;
  for (let isOpen = true; isOpen;) {
    const before = take(from - 1);
    if (before) from -= 1;
    const after = take(to);
    if (after) to += 1;
    isOpen = before || after;
  }
  return [from, to] as const;
}
