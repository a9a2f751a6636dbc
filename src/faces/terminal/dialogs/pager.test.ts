/** Paging: every row is reached, the last page stays full, a line that is asked for comes into view. */
import { expect, test } from "vitest";
import { beginning, lastPage, revealing, rowsFrom, scrolled, within, type Pages, type Position } from "./pager.ts";

const heights = [1, 3, 7, 2, 1, 12, 1, 4];
const pages: Pages = {
  length: heights.length,
  rows: (line) => Array.from({ length: heights[line]! }, (_, row) => `${line}.${row}`),
};
const all = heights.flatMap((_, line) => pages.rows(line));

test.each([1, 2, 5, 10, 31, 50])(
  "a page of %i rows reaches every row by single steps and by pages, forth and back",
  (height) => {
    for (const by of [1, Math.max(1, height - 1)]) {
      const seen = new Set<string>();
      let from: Position = beginning;
      for (let step = 0; step < 100; step += 1) {
        for (const { text } of rowsFrom(pages, from, height)) seen.add(text);
        from = scrolled(pages, from, { by, height });
      }
      expect([...seen].toSorted()).toEqual(all.toSorted());
      expect(from).toEqual(lastPage(pages, height));
      expect(rowsFrom(pages, from, height)).toHaveLength(Math.min(height, all.length));
      for (let step = 0; step < 100; step += 1) from = scrolled(pages, from, { by: -by, height });
      expect(from).toEqual(beginning);
    }
  },
);

test("a line that is asked for is shown from its beginning", () => {
  for (const [line] of heights.entries()) {
    for (const start of [beginning, lastPage(pages, 6), { line: 5, row: 9 }]) {
      const from = revealing(pages, start, { line, height: 6 });
      expect(rowsFrom(pages, from, 6).map(({ text }) => text)).toContain(`${line}.0`);
    }
  }
});

test("a place that no longer exists becomes the nearest that does", () => {
  expect(within(pages, { line: 99, row: 0 }, 4)).toEqual(lastPage(pages, 4));
  expect(within(pages, { line: 1, row: 99 }, 4)).toEqual({ line: 1, row: 2 });
  expect(within({ length: 0, rows: () => [] }, { line: 3, row: 1 }, 4)).toEqual(beginning);
});
