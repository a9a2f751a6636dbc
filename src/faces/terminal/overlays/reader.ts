/** Reading back: the whole transcript, opened, page by page; the cost does not grow with its length. */
import { beginning, lastPage, rowsFrom, scrolled, within, type Pages, type Position } from "../dialogs/pager.ts";
import type { LayoutRequest } from "../screen/layout.ts";
import { readKey } from "../keys/key-input.ts";
import type { Action } from "../keys/keys.ts";
import { clampLine } from "../view/safe-text.ts";
import type { Component, Surface } from "./surface.ts";

export type ReadBackParts = Pick<LayoutRequest, "items" | "linesOf">;

export function readBack({ items, linesOf }: ReadBackParts, surface: Surface, done: () => void): Component {
  const { keys, theme } = surface;
  const pages: Pages = { length: items.length, rows: (line) => [...linesOf(items[line]!), ""] };
  const height = (): number => Math.max(1, surface.rows() - 1);
  let at: Position = scrolled(pages, lastPage(pages, height()), { by: -height() + 2, height: height() });
  const scroll = (by: number): Position => scrolled(pages, at, { by, height: height() });
  const key = (input: string): void => {
    const does = (...actions: readonly Action[]): boolean => actions.some((action) => keys.matches(input, action));
    if (does("pageUp")) at = scroll(2 - height());
    else if (does("pageDown")) at = scroll(height() - 2);
    else if (does("up", "lineUp")) at = scroll(-1);
    else if (does("down", "lineDown")) at = scroll(1);
    else if (does("top")) at = beginning;
    else if (does("bottom")) at = lastPage(pages, height());
    else if (does("dismiss", "confirm") || readKey(input).name === "q") done();
  };
  return {
    handleInput(input) {
      key(input);
      surface.redraw();
    },
    render(width) {
      at = within(pages, at, height());
      const rows = rowsFrom(pages, at, height());
      const filled = [...rows.map(({ text }) => text), ...Array.from({ length: height() - rows.length }, () => "")];
      const last = rows.at(-1);
      const hint = ` reading back · ${(last?.line ?? 0) + 1} of ${items.length} · ↑↓ page up/down g G · esc`;
      return [...filled, theme.marked(clampLine(hint, width))].map((line) => clampLine(line, width));
    },
  };
}
