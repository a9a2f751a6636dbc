/** The permission dialog, and the one that asks to enter plan mode (R6.3): which mode, what would happen, yes or no. */
import type { PermissionAnswer } from "../../../agent/ports/ports.ts";
import type { Key } from "../keys/key-input.ts";
import { safeLine, safeNote } from "../view/safe-text.ts";
import { wrapText } from "../view/spans.ts";
import type { Dialog, Surface } from "../overlays/surface.ts";
import { dialogOf, type DialogScreen, type Size, type DialogStep } from "./component.ts";
import { choiceRows, hints, rule, tooSoonRow, type KeyHint } from "./frame.ts";
import { beginning, rowsFrom, scrolledBy, within, type Pages, type Position } from "./pager.ts";
import { permissionContent, type PermissionContent } from "./permission-content.ts";
import type { PermissionRequest, RulesPreview } from "../../../agent/answers/permission-request.ts";
import { permissionChoices, type PermissionChoice } from "../../../agent/answers/permission-words.ts";
import { boxRows } from "../keys/line-view.ts";
import { boxOf, emptyBox, typed, type TextBox } from "../keys/text-box.ts";
import type { ViewLook } from "../view/view-facts.ts";

export type Permission = Omit<NonNullable<PermissionAnswer>, "by">;

export interface PermissionState {
  readonly stage: "choose" | "rule" | "reason";
  readonly selected: number;
  readonly from: Position;
  readonly reason: TextBox;
  /** Rules to keep, one a line, as they are being edited. */
  readonly rules: TextBox;
}

export const permissionDialog: Dialog<PermissionRequest, Permission> = (request, surface, done) => {
  const content = permissionContent(request, surface.theme);
  return dialogOf<PermissionState, Permission>({
    surface,
    done,
    initial: {
      stage: "choose",
      selected: 0,
      from: beginning,
      reason: emptyBox,
      rules: boxOf(request.offers.always.join("\n")),
    },
    update: (state, key, size) => updatePermission(state, key, { request, content, surface, size }),
    takesText: ({ stage }) => stage !== "choose",
    view: (state, screen) => permissionRows(state, { request, content, surface, size: screen }),
  });
};

export function choicesOf(request: PermissionRequest): readonly PermissionChoice[] {
  return permissionChoices(request, safeLine);
}

interface Tools {
  readonly request: PermissionRequest;
  readonly content: PermissionContent;
  readonly surface: Surface;
  readonly size: Size | DialogScreen;
}

function updatePermission(state: PermissionState, key: Key, tools: Tools): DialogStep<PermissionState, Permission> {
  const { request, surface } = tools;
  const { keys } = surface;
  const back: PermissionState = { ...state, stage: "choose" };
  if (state.stage === "rule") {
    if (keys.matches(key, "dismiss")) return { state: back };
    if (!keys.matches(key, "confirm")) return { state: { ...state, rules: typed(state.rules, key) ?? state.rules } };
    const rules = rulesIn(state.rules);
    const isGood = rules.length > 0 && request.preview(rules).rules.every(({ problem }) => problem === null);
    return isGood ? { state, answer: { allowed: true, remember: rules } } : { state };
  }
  if (state.stage === "reason") {
    if (keys.matches(key, "dismiss")) return { state: back };
    if (keys.matches(key, "confirm")) return { state, answer: denied(state.reason.text) };
    return { state: { ...state, reason: typed(state.reason, key) ?? state.reason } };
  }
  return updateChoice(state, key, tools);
}

function updateChoice(state: PermissionState, key: Key, tools: Tools): DialogStep<PermissionState, Permission> {
  const { request, surface } = tools;
  const { keys } = surface;
  const choices = choicesOf(request);
  if (keys.matches(key, "dismiss")) return { state, answer: stopped };
  if (keys.matches(key, "confirm")) return chosen(state, choices[state.selected]!, request);
  const step = keys.matches(key, "up") ? -1 : keys.matches(key, "down") || keys.matches(key, "nextField") ? 1 : 0;
  if (step !== 0) return { state: { ...state, selected: (state.selected + step + choices.length) % choices.length } };
  const from = scrolledBy(key, bodyPages(tools), { from: state.from, keys, height: bodyHeight(state, tools) });
  if (from !== null) return { state: { ...state, from } };
  const byNumber = /^[1-9]$/.test(key.text ?? "") ? choices[Number(key.text) - 1] : undefined;
  const picked = byNumber ?? choices.find(({ letter }) => letter === key.text?.toLowerCase());
  return picked === undefined ? { state } : chosen({ ...state, selected: choices.indexOf(picked) }, picked, request);
}

const stopped: Permission = { allowed: false, stop: true };

function chosen(
  state: PermissionState,
  { does }: PermissionChoice,
  { offers }: PermissionRequest,
): DialogStep<PermissionState, Permission> {
  switch (does) {
    case "allow":
      return { state, answer: { allowed: true } };
    case "session":
      return { state, answer: { allowed: true, forSession: offers.session } };
    case "deny":
      return { state, answer: { allowed: false } };
    case "stop":
      return { state, answer: stopped };
    case "remember":
      return { state: { ...state, stage: "rule" } };
    case "reason":
      return { state: { ...state, stage: "reason" } };
  }
}

/** One a line. */
export function rulesIn({ text }: Pick<TextBox, "text">): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function denied(reason: string): Permission {
  return { allowed: false, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) };
}

function permissionRows(state: PermissionState, tools: Tools): readonly string[] {
  const { surface, size } = tools;
  const { theme } = surface;
  const height = bodyHeight(state, tools);
  const pages = bodyPages(tools);
  const from = within(pages, state.from, height);
  const shown = rowsFrom(pages, from, height);
  const isAll = shown.length > 0 && from.line === 0 && from.row === 0 && isLast(pages, shown.at(-1)!);
  const place = isAll
    ? ""
    : `${from.line + 1}–${(shown.at(-1)?.line ?? 0) + 1} of ${pages.length} lines · ${surface.keys.label("pageDown")}`;
  const line = rule("", { width: size.columns, style: theme.faint, right: place, rightStyle: theme.dim });
  const body = shown.map(({ text }) => text);
  return [...headerRows(tools), ...body, line, ...footerRows(state, tools)].slice(-size.rows);
}

function isLast(pages: Pages, at: Position): boolean {
  return at.line === pages.length - 1 && at.row === pages.rows(at.line).length - 1;
}

function bodyHeight(state: PermissionState, tools: Tools): number {
  return Math.max(1, tools.size.rows - headerRows(tools).length - footerRows(state, tools).length - 1);
}

function headerRows(tools: Tools): readonly string[] {
  const { request, content, surface, size } = tools;
  const { theme } = surface;
  const style = theme[content.tone];
  const rightStyle = request.mode === "default" ? style : theme.mode(request.mode);
  const title = rule(content.title, { width: size.columns, style, right: `${request.mode} mode`, rightStyle });
  return [title, ...(isShort(size) ? [] : noteRows(tools).slice(0, 8))];
}

function isShort({ rows }: Size): boolean {
  return rows < 16;
}

function noteRows({ content: { warnings, notes }, surface: { theme }, size: { columns } }: Tools): readonly string[] {
  const wrapped = (note: string): readonly string[] => wrapText(safeNote(note, columns * 4), columns - 2);
  return [
    ...warnings.flatMap(wrapped).map((row) => theme.warning(` ${row}`)),
    ...notes.flatMap(wrapped).map((row) => theme.dim(` ${row}`)),
  ];
}

/** Where there is little room, why it is asked scrolls with what is asked: a command stands first, a path before its edit. */
function bodyPages(tools: Tools): Pages {
  const { request, content, size } = tools;
  const body = content.pages(size.columns);
  if (!isShort(size)) return body;
  const lines = noteRows(tools);
  const notes: Pages = { length: lines.length, rows: (index) => [lines[index]!] };
  const [first, second] = request.ask.call.access?.kind === "command" ? [body, notes] : [notes, body];
  return {
    length: first.length + second.length,
    rows: (index) => (index < first.length ? first.rows(index) : second.rows(index - first.length)),
  };
}

function footerRows(state: PermissionState, { request, surface, size }: Tools): readonly string[] {
  const { theme, keys } = surface;
  const { columns } = size;
  const isTight = isShort(size);
  const help = (...does: readonly KeyHint[]): readonly string[] => hints(does, { width: columns, rows: 1, theme });
  const [enter, esc] = [keys.label("confirm"), keys.label("dismiss")];
  if (state.stage === "rule") {
    const look = { width: columns - 1, rows: isTight ? 2 : 4, theme, hint: "one rule a line" };
    const box = boxRows(state.rules, look).map((row) => ` ${row}`);
    const title = theme.heading(" This goes into your local settings; edit it first if you like:");
    const told = previewRows(request.preview(rulesIn(state.rules)), { width: columns, theme, most: isTight ? 2 : 5 });
    return [title, ...box, ...told, ...help([enter, "write it and allow"], [esc, "back"])];
  }
  if (state.stage === "reason") {
    const look = { width: columns - 1, rows: isTight ? 2 : 4, theme, hint: "Enter alone just says no" };
    const box = boxRows(state.reason, look).map((row) => ` ${row}`);
    return [theme.heading(" No. What should be done instead?"), ...box, ...help([enter, "say it"], [esc, "back"])];
  }
  const look = { width: columns, rows: isTight ? 3 : 6, selected: state.selected, theme };
  const list = choiceRows(choicesOf(request), look);
  const tooSoon = "tooSoon" in size && size.tooSoon;
  const below = tooSoon ? [tooSoonRow(columns, theme)] : help(["↑↓", "choose"], [enter, "answer"], [esc, "stop"]);
  return [...list, ...below];
}

/** What else the rules cover, and what speaks against them. */
function previewRows(
  { rules, coversThis }: RulesPreview,
  { width, theme, most }: ViewLook & { readonly most: number },
): readonly string[] {
  const rows = rules.flatMap(({ words, problem, isWide }) => {
    if (problem !== null)
      return wrapText(safeNote(`Not understood: ${problem}`, width * 2), width - 2).map(theme.error);
    const wide = isWide ? wrapText("Whoever has this rule can run nearly anything.", width - 2).map(theme.warning) : [];
    return [...wrapText(safeNote(`Covers ${words}`, width * 2), width - 2).map(theme.dim), ...wide];
  });
  const isAll = coversThis || rules.some(({ problem }) => problem !== null);
  const missed = isAll ? [] : [theme.warning("It does not cover this one: that would be asked about again.")];
  return [...missed, ...rows].slice(0, most).map((row) => ` ${row}`);
}
