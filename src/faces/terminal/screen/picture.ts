/** Puts the views together: the transcript's lines, kept as long as nothing about them changes, and the lines at the bottom. */
import type { Component } from "@earendil-works/pi-tui";
import type { InputArea } from "../keys/input.ts";
import type { Item } from "./items.ts";
import type { Keys } from "../keys/keys.ts";
import type { SessionLink } from "../link.ts";
import { cutAt, safeText } from "../view/safe-text.ts";
import type { Screen } from "./screen.ts";
import { leaveWithin } from "./screen.ts";
import { wrapText } from "../view/spans.ts";
import type { Theme } from "../view/theme.ts";
import { doingLines, queuedLines, statusLines } from "../view/status.ts";
import type { ViewFacts } from "../view/view.ts";

type ItemViews = (facts: ViewFacts) => (item: Item) => readonly string[];

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
export function asideLines(said: string | null, width: number): readonly string[] {
  return said === null
    ? []
    : safeText(cutAt(said, 1_000))
        .split("\n")
        .flatMap((line) => wrapText(line, width))
        .slice(0, 6);
}

export interface BottomFacts {
  readonly aside: readonly string[];
  readonly screen: Screen;
  readonly dialog: Component | null;
  /** Dialogs behind it. */
  readonly waiting: number;
  readonly input: InputArea;
  readonly link: SessionLink | null;
  readonly theme: Theme;
  readonly keys: Keys;
  readonly width: number;
  readonly rows: number;
  readonly now: number;
}

export function bottomLines(facts: BottomFacts): readonly string[] {
  const { aside, screen, dialog, waiting, input, link, theme, keys, width, rows, now } = facts;
  const { session, phase, model, sandbox, doing, leaving } = screen;
  const mode = session?.permissions.mode.current ?? "default";
  input.colour(mode === "default" ? theme.faint : theme.mode(mode));
  const isLeaving = leaving !== null && now - leaving < leaveWithin;
  const hint = isLeaving
    ? `${keys.label("leave")} again to leave`
    : waiting > 0
      ? "you are asked something else: it waits behind this"
      : null;
  const costOf = link?.costOf ?? (() => null);
  const status = statusLines({ session, phase, model, sandbox, costOf, hint, width, theme });
  if (dialog !== null) return [...(aside.length === 0 ? [""] : aside), ...dialog.render(width), status[0] ?? ""];
  const queued = session?.turn.queued ?? [];
  const busy =
    doing === null
      ? queuedLines(queued, { width, theme, isWaiting: true })
      : ["", ...doingLines(doing, { now, width, theme, cancelKey: keys.label("cancel"), queued })];
  const lines = input.lines(width);
  const isTight = rows < 10;
  return [...(busy.length === 0 && !isTight ? [""] : busy), ...lines, ...(isTight ? status.slice(0, 1) : status)];
}
