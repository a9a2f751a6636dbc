/** The approval dialog on the screen: what is asked and noticed above, the plan between, the choices always in view below. */
import { hasHidden } from "../../../../core/wire/visible.ts";
import { safeLine, safeNote, safePath } from "../../view/safe-text.ts";
import { wrapText } from "../../view/spans.ts";
import { shortPath } from "../../../../agent/tools/show.ts";
import type { Keys } from "../../keys/keys.ts";
import type { Surface } from "../../overlays/surface.ts";
import type { Theme } from "../../view/theme.ts";
import { countOf } from "../../view/view-facts.ts";
import { differencePages, planPages } from "./document.ts";
import { boxFooter } from "./footer.ts";
import { noticesOf } from "./notices.ts";
import { comparedWith, isEdited, type ApprovalLayout, type ApprovalState } from "./state.ts";
import { choiceText, lostBy } from "./verdict.ts";
import type { DialogScreen, Size } from "../component.ts";
import { differenceLines, type DifferenceLine } from "../difference.ts";
import { choiceRows, hints, rule, tooSoonRow, type KeyHint } from "../frame.ts";
import { rowsFrom, within } from "../pager.ts";
import { planLines, type PlanLine } from "../../view/plan-lines.ts";

export interface ApprovalScreen extends ApprovalLayout {
  readonly header: readonly string[];
  readonly footer: readonly string[];
}

export interface ApprovalView {
  readonly layout: (state: ApprovalState, screen: DialogScreen | Size) => ApprovalScreen;
  readonly view: (state: ApprovalState, screen: DialogScreen) => readonly string[];
}

export function approvalView(surface: Surface): ApprovalView {
  const known = lastOnly((plan: string, base: string | null): Known => ({
    lines: planLines(plan, surface),
    difference: base === null ? [] : differenceLines(base, plan),
    hidden: hasHidden(plan),
  }));

  const layout = (state: ApprovalState, screen: DialogScreen | Size): ApprovalScreen => {
    const facts = known(state.plan, comparedWith(state));
    const { lines, difference } = facts;
    const isLed = isShort(screen.rows) && (state.shows === "plan" || state.request.again !== null);
    const lead = isLed ? noticeRows(state, facts, { columns: screen.columns, theme: surface.theme }) : [];
    const look = { width: screen.columns, theme: surface.theme, lines, difference, lead };
    const compared = state.shows === "plan" ? null : differencePages(look);
    const pages = compared ?? planPages(state, look);
    const header = headerRows(state, facts, { ...screen, theme: surface.theme });
    const footer = footerRows(state, { ...screen, surface });
    const gone = pages.length - lines.length;
    return {
      pages,
      header,
      footer,
      height: Math.max(1, screen.rows - header.length - footer.length - 1),
      isReadable: screen.rows - header.length - footer.length - 1 >= 1 && screen.columns >= fewestColumns,
      lastLine: lines.at(-1)?.number ?? 1,
      sourceLine: (shown) => (compared === null ? (lines[shown - gone]?.number ?? null) : compared.numberAt(shown)),
      documentLine: (source) =>
        gone +
        Math.max(
          0,
          lines.findIndex(({ number }) => number === source),
        ),
    };
  };

  return {
    layout,
    view(state, screen) {
      const { pages, header, footer, height, ...where } = layout(state, screen);
      const from = within(pages, state.from, height);
      const shown = rowsFrom(pages, from, height);
      const lastShown = shown.at(-1) ?? from;
      const isEnd = lastShown.line === pages.length - 1 && lastShown.row === pages.rows(lastShown.line).length - 1;
      const place = placeText({
        first: state.shows === "difference" ? null : (where.sourceLine(from.line) ?? (from.line === 0 ? 1 : null)),
        last: state.shows === "plan" ? where.sourceLine(lastShown.line) : null,
        total: where.lastLine,
        isAll: isEnd && from.line === 0 && from.row === 0,
        more: isEnd ? "end" : `${surface.keys.label("pageDown")} for more`,
      });
      const theme = surface.theme;
      const line = rule("", { width: screen.columns, style: theme.faint, right: place, rightStyle: theme.dim });
      return [...header, ...shown.map(({ text }) => text), line, ...footer].slice(-screen.rows);
    },
  };
}

/** In fewer no word of a plan can be read. */
const fewestColumns = 20;

interface Known {
  readonly lines: readonly PlanLine[];
  readonly difference: readonly DifferenceLine[];
  readonly hidden: boolean;
}

interface Look extends Size {
  readonly theme: Theme;
}

function headerRows(state: ApprovalState, known: Known, { columns, rows, theme }: Look): readonly string[] {
  const { request } = state;
  const whose =
    request.agent === null ? "Approve this plan?" : `Approve the plan of agent ${safeLine(request.agent, 40)}?`;
  const edited = isEdited(state) ? "edited by you" : "";
  const right = [request.revision > 1 ? `revision ${request.revision}` : "", edited]
    .filter((text) => text !== "")
    .join(" · ");
  const title = rule(state.shows === "difference" ? `${whose} · difference` : whose, {
    width: columns,
    style: theme.plan,
    right,
  });
  const size = `${countOf(known.lines.at(-1)?.number ?? 0, "line")} · ${countOf(state.plan.length, "character")}`;
  const path = safePath(shortPath(request.planFile, ""), Math.max(8, columns - size.length - 5));
  const notices = isShort(rows) ? [] : noticeRows(state, known, { columns, theme });
  return [title, theme.dim(` ${path} · ${size}`), ...notices];
}

/** Where there is little room, the notices scroll with the plan. */
function isShort(rows: number): boolean {
  return rows < 20;
}

function noticeRows(state: ApprovalState, known: Known, { columns, theme }: Omit<Look, "rows">): readonly string[] {
  return noticesOf(state, known).flatMap(([tone, text]) =>
    wrapText(safeNote(text, 400), columns - 2)
      .slice(0, 3)
      .map((row) => theme[tone](` ${row}`)),
  );
}

interface Place {
  readonly first: number | null;
  readonly last: number | null;
  readonly total: number;
  readonly isAll: boolean;
  readonly more: string;
}

function placeText({ first, last, total, isAll, more }: Place): string {
  if (isAll) return "all shown";
  return last === null ? more : `lines ${first ?? last}–${last} of ${total}`;
}

function footerRows(
  state: ApprovalState,
  screen: (DialogScreen | Size) & { readonly surface: Surface },
): readonly string[] {
  const { columns, rows, surface } = screen;
  const { theme, keys } = surface;
  if (state.focus === "box" && state.box !== null) return boxFooter({ ...state, box: state.box }, screen);
  const isTight = rows < 20;
  const listed = state.request.choices.map((choice) => {
    const style = choice.kind === "approve" && choice.mode === "bypassPermissions" ? theme.bypass : undefined;
    const label = choice.kind === "revise" ? reviseLabel(state) : choiceText(choice).label;
    return { ...choiceText(choice), label, ...(style === undefined ? {} : { style }) };
  });
  const list = choiceRows(listed, {
    width: columns,
    rows: isTight ? Math.max(3, Math.min(5, rows - 6)) : rows < 28 ? 5 : 12,
    selected: state.focus === "choices" ? state.selected : -1,
    theme,
  });
  const help = hints(helpOf(state, { keys, isTight }), { width: columns, rows: isTight ? 1 : 2, theme });
  return [...list, ...(message(state, { columns, theme, tooSoon: "tooSoon" in screen && screen.tooSoon }) ?? help)];
}

function helpOf(
  state: ApprovalState,
  { keys, isTight }: { readonly keys: Keys; readonly isTight: boolean },
): readonly KeyHint[] {
  const comment = [keys.label("comment"), "comment"] as const;
  if (state.focus === "lines") {
    const change = [keys.label("confirm"), "change it"] as const;
    const remove = [keys.label("remove"), "remove"] as const;
    const back = [keys.label("dismiss"), "back"] as const;
    if (isTight) return [comment, remove, back];
    return [["↑↓", "line"], ["shift+↑↓", "select"], comment, change, remove, [keys.label("resolve"), "settle"], back];
  }
  const compare = [keys.label("difference"), isTight ? "diff" : "difference"] as const;
  const edit = [keys.label("editPlan"), "edit"] as const;
  const leave = [keys.label("dismiss"), isTight ? "leave" : "dismiss"] as const;
  if (isTight) return [comment, compare, edit, leave];
  const scroll = [`${keys.label("pageUp")}/${keys.label("pageDown")}`, "scroll"] as const;
  const notes = [keys.label("nextField"), "notes"] as const;
  const browser = [keys.label("browser"), "browser"] as const;
  return [["↑↓", "choose"], [keys.label("confirm"), "answer"], scroll, comment, compare, edit, notes, browser, leave];
}

function message(
  state: ApprovalState,
  { columns, theme, tooSoon }: { readonly columns: number; readonly theme: Theme; readonly tooSoon: boolean },
): readonly string[] | null {
  if (state.doubted !== null) {
    const lost = lostBy(state, state.doubted).join(" and ");
    const how = state.doubted === "dismiss" ? "Once more closes this" : "Once more goes on";
    return wrapText(`${how} and loses ${lost}.`, columns - 2).map((row) => theme.warning(` ${row}`));
  }
  if (tooSoon) return [tooSoonRow(columns, theme, "the plan")];
  return state.says === null ? null : [theme.accent(` ${safeLine(state.says, columns - 2)}`)];
}

function reviseLabel({ comments }: ApprovalState): string {
  return comments.length === 0 ? "No, keep planning" : `No, send ${countOf(comments.length, "comment")}`;
}

/** Keeps the last result: the same texts are asked for again at every key. */
function lastOnly<Result>(make: (text: string, base: string | null) => Result): typeof make {
  let last: { readonly text: string; readonly base: string | null; readonly result: Result } | null = null;
  return (text, base) => {
    if (last?.text !== text || last.base !== base) last = { text, base, result: make(text, base) };
    return last.result;
  };
}
