/** What scrolls in the approval dialog: the plan with its comments, or its difference, each line with its number. */
import { saidIn, type Comment, type PlacedComment } from "../../../../core/verdict.ts";
import { safeLine, safeText } from "../../view/safe-text.ts";
import { wrapSpans } from "../../view/spans.ts";
import type { Theme } from "../../view/theme.ts";
import { selectionOf, type ApprovalState } from "./state.ts";
import { signs, type DifferenceLine } from "../difference.ts";
import { shownDifference } from "../difference-spans.ts";
import type { Pages } from "../pager.ts";
import { countOf } from "../../view/view-facts.ts";
import type { PlanLine } from "../../view/plan-lines.ts";

export interface DocumentLook {
  readonly width: number;
  readonly theme: Theme;
  readonly lines: readonly PlanLine[];
  /** Against what was seen last; empty without it. */
  readonly difference: readonly DifferenceLine[];
  /** What must be read before the plan, where there is no room above it. */
  readonly lead: readonly string[];
}

export interface NumberedPages extends Pages {
  /** The line of the plan that is new here or next below, else the one that stands there. */
  numberAt(index: number): number | null;
}

export function planPages(state: ApprovalState, { width, theme, lines, difference, lead }: DocumentLook): Pages {
  const gone = state.request.comments.filter(({ anchor }) => anchor === "gone");
  const fresh = new Set(difference.flatMap((line) => (line.kind === "added" ? [line.after] : [])));
  const gutter = gutterOf(lines.at(-1)?.number ?? 1, width);
  const room = Math.max(1, width - gutter.width);
  return {
    length: lead.length + gone.length + lines.length,
    rows(shown) {
      const index = shown - lead.length;
      if (index < 0) return [lead[shown]!];
      const earlier = gone[index];
      if (earlier !== undefined) return goneRows(earlier, { state, theme, width });
      const line = lines[index - gone.length]!;
      const look = { number: line.number, mark: markOf(state, line.number, { fresh, theme }) };
      const isFirst = lines[index - gone.length - 1]?.number !== line.number;
      const rows = line
        .rows(room)
        .map((row, at) => gutter.before(at === 0 && isFirst ? look : { mark: look.mark }, theme) + row);
      return line.continues ? rows : [...rows, ...commentRows(state, line.number, { theme, width, gutter })];
    },
  };
}

export function differencePages({ width, theme, lines, difference, lead }: DocumentLook): NumberedPages {
  const gutter = gutterOf(lines.at(-1)?.number ?? 1, width);
  const shown = shownDifference(difference, theme);
  return {
    length: lead.length + shown.length,
    numberAt(index) {
      const below = shown.slice(Math.max(0, index - lead.length)).map((entry) => entry());
      const numbered = below.filter((line) => line.kind !== "gap" && line.number !== null);
      const line = numbered.find(({ kind }) => kind === "added") ?? numbered[0];
      return line === undefined || line.kind === "gap" ? null : line.number;
    },
    rows(index) {
      const line = shown[index - lead.length]?.();
      if (line === undefined) return [lead[index]!];
      if (line.kind === "gap") {
        return [theme.faint(`${" ".repeat(gutter.width)}⋯ ${countOf(line.count, "unchanged line")}`)];
      }
      const mark = line.style(signs[line.kind]);
      const rows = wrapSpans(line.spans, { width: Math.max(1, width - gutter.width) });
      return rows.map((row, at) => {
        const isNumbered = at === 0 && line.number !== null;
        return gutter.before(isNumbered ? { number: line.number, mark } : { mark }, theme) + row;
      });
    },
  };
}

interface Gutter {
  readonly width: number;
  before(line: { readonly number?: number | null; readonly mark: string }, theme: Theme): string;
}

/** Text never begins in the first column: nothing in a plan can look like a part of the dialog. */
function gutterOf(last: number, width: number): Gutter {
  const digits = width >= 60 ? String(last).length : 0;
  return {
    width: digits === 0 ? 2 : digits + 4,
    before: ({ number, mark }, theme) =>
      digits === 0 ? `${mark} ` : ` ${theme.faint(String(number ?? "").padStart(digits))} ${mark} `,
  };
}

function markOf(
  state: ApprovalState,
  number: number,
  { fresh, theme }: { readonly fresh: ReadonlySet<number>; readonly theme: Theme },
): string {
  const { from, to } = selectionOf(state);
  const isOnLines = state.focus === "lines" || (state.focus === "box" && state.box?.purpose === "comment");
  if (isOnLines && from <= number && number <= to) return theme.selected("›");
  return fresh.has(number) ? theme.added("+") : " ";
}

function commentRows(
  state: ApprovalState,
  number: number,
  { theme, width, gutter }: { readonly theme: Theme; readonly width: number; readonly gutter: Gutter },
): readonly string[] {
  const said = state.request.comments.filter(({ anchor, to }) => anchor !== "gone" && to === number);
  const made = state.comments.filter(({ to }) => to === number);
  const rows = [
    ...said.map((comment) => earlierText(state, comment)),
    ...made.map((comment) => ({ text: newText(comment), comment })),
  ];
  return rows.flatMap(({ text, comment }) => {
    const head = `● ${text}: `;
    const spans = [
      { text: head, style: styleOf(comment, theme) },
      { text: safeText(saidIn(comment).join("\n")).replaceAll("\n", " ⏎ "), style: theme.italic },
    ];
    return wrapSpans(spans, { width: Math.max(1, width - gutter.width), hanging: 2 }).map(
      (row) => " ".repeat(gutter.width) + row,
    );
  });
}

function newText({ kind, from, to }: Comment): string {
  return from === to ? kind : `${kind}, lines ${from}-${to}`;
}

function earlierText(
  state: ApprovalState,
  comment: PlacedComment,
): { readonly text: string; readonly comment: Comment } {
  const status = state.resolved.includes(comment.id) ? "settled" : "still open";
  return { text: `${comment.kind}, ${status}${anchorTexts[comment.anchor]}`, comment };
}

const anchorTexts: Record<PlacedComment["anchor"], string> = {
  kept: "",
  moved: ", its text moved here",
  changed: ", its text changed here",
  gone: "",
};

function goneRows(
  comment: PlacedComment,
  { state, theme, width }: { readonly state: ApprovalState; readonly theme: Theme; readonly width: number },
): readonly string[] {
  const { text } = earlierText(state, comment);
  const quote = safeLine(comment.quote, Math.max(10, Math.floor(width / 3)));
  const spans = [
    { text: `● ${text}, its text is gone`, style: styleOf(comment, theme) },
    { text: ` “${quote}”: `, style: theme.dim },
    { text: safeText(saidIn(comment).join("\n")).replaceAll("\n", " ⏎ "), style: theme.italic },
  ];
  return wrapSpans(spans, { width: Math.max(1, width - 2), hanging: 2 }).map((row) => `  ${row}`);
}

function styleOf({ kind }: Comment, theme: Theme): (text: string) => string {
  return kind === "change" ? theme.warning : kind === "question" ? theme.accent : theme.dim;
}
