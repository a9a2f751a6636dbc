/** Puts the views together: the transcript's lines, kept as long as nothing about them changes, and the lines at the bottom. */
import type { DialogQueue } from "../overlays/dialog-queue.ts";
import { lineLines } from "../keys/line-view.ts";
import type { SessionLink } from "../link.ts";
import type { Item } from "./items.ts";
import { cutAt, safeText } from "../view/safe-text.ts";
import { isLeaving, modeOf, type Screen } from "./screen.ts";
import { wrapText } from "../view/spans.ts";
import { doingLines, queuedLines, statusLines } from "../view/status.ts";
import type { ViewFacts } from "../view/view-facts.ts";

export type ItemViews = (facts: ViewFacts) => (item: Item) => readonly string[];

export type ItemView = (item: Item, facts: ViewFacts) => readonly string[];

export function createItemViews(view: ItemView): ItemViews {
  const kept = new WeakMap<Item, { readonly facts: string; readonly lines: readonly string[] }>();
  return (facts) => {
    const { width, theme, details, revision } = facts;
    const key = `${width} ${theme.name} ${details} ${revision}`;
    return (item) => {
      const known = kept.get(item);
      if (known?.facts === key) return known.lines;
      const lines = view(item, facts);
      kept.set(item, { facts: key, lines });
      return lines;
    };
  };
}

/** What a command said while a dialog hides the transcript, such as the review page's address: rows above the dialog. */
export function asideLines({ aside, asking }: Screen, width: number): readonly string[] {
  return aside === null || asking === null ? [] : wrapText(safeText(cutAt(aside, 1_000)), width).slice(0, 6);
}

export interface BottomFacts {
  readonly screen: Screen;
  readonly dialogs: Pick<DialogQueue, "current" | "waiting">;
  readonly costOf: SessionLink["costOf"];
  readonly width: number;
  readonly rows: number;
  readonly now: number;
}

export function bottomLines(facts: BottomFacts): readonly string[] {
  const { screen, dialogs, costOf, width, rows, now } = facts;
  const { session, doing, theme, keys } = screen;
  const hint = isLeaving(screen, now)
    ? `${keys.label("leave")} again to leave`
    : dialogs.waiting() > 0
      ? "you are asked something else: it waits behind this"
      : null;
  const status = statusLines({ ...screen, costOf, hint, width });
  const dialog = dialogs.current();
  if (dialog !== null) {
    const aside = asideLines(screen, width);
    return [...(aside.length === 0 ? [""] : aside), ...dialog.render(width), status[0] ?? ""];
  }
  const queued = session?.turn.queued ?? [];
  const busy =
    doing === null
      ? queuedLines(queued, { width, theme, isWaiting: true })
      : ["", ...doingLines(doing, { now, width, theme, cancelKey: keys.label("cancel"), queued })];
  const mode = modeOf(screen);
  const rule = mode === "default" ? theme.faint : theme.mode(mode);
  const lines = lineLines(screen.line, { width, rows, theme, rule });
  const isTight = rows < 10;
  return [...(busy.length === 0 && !isTight ? [""] : busy), ...lines, ...(isTight ? status.slice(0, 1) : status)];
}
