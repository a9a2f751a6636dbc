/** Reading back: the whole transcript, opened, page by page; the cost does not grow with its length. */
import { lastPage, rowsFrom, scrolled, within, type Pages, type Position } from "../dialogs/pager.ts";
import type { Item } from "../screen/items.ts";
import { readKey } from "../keys/key-input.ts";
import { clampLine } from "../view/safe-text.ts";
import type { Component, Surface } from "./surface.ts";

export interface ReadBackParts {
  readonly items: readonly Item[];
  readonly linesOf: (item: Item) => readonly string[];
}

export function readBack({ items, linesOf }: ReadBackParts, surface: Surface, done: () => void): Component {
  const { keys, theme } = surface;
  const pages: Pages = { length: items.length, rows: (line) => [...linesOf(items[line]!), ""] };
  const height = (): number => Math.max(1, surface.rows() - 1);
  let at: Position = scrolled(pages, lastPage(pages, height()), { by: -height() + 2, height: height() });
  const key = (input: string): void => {
    const page = height();
    if (keys.matches(input, "pageUp")) at = scrolled(pages, at, { by: -page + 2, height: page });
    else if (keys.matches(input, "pageDown")) at = scrolled(pages, at, { by: page - 2, height: page });
    else if (keys.matches(input, "up") || keys.matches(input, "lineUp"))
      at = scrolled(pages, at, { by: -1, height: page });
    else if (keys.matches(input, "down") || keys.matches(input, "lineDown"))
      at = scrolled(pages, at, { by: 1, height: page });
    else if (keys.matches(input, "top")) at = { line: 0, row: 0 };
    else if (keys.matches(input, "bottom")) at = lastPage(pages, page);
    else if (keys.matches(input, "dismiss") || keys.matches(input, "confirm") || readKey(input).name === "q") done();
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
