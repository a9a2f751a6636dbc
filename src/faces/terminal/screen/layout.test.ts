import { expect, test } from "vitest";
import type { Item } from "./items.ts";
import { cursorMark } from "../view/safe-text.ts";
import { layOut, nothingShown, type LayoutRequest } from "./layout.ts";

const linesOf = (item: Item): readonly string[] =>
  item.kind === "said" || item.kind === "text" ? item.text.split("\n") : [`call ${item.kind}`];

function said(text: string): Item {
  return { kind: "said", text };
}

function request(change: Partial<LayoutRequest>): LayoutRequest {
  return { items: [], shown: nothingShown, linesOf, bottom: ["input"], width: 20, height: 6, holds: false, ...change };
}

test("what fits stays where it may change, with air between entries, and the cursor's place is told", () => {
  const bottom = ["rule", `> ab${cursorMark}c`];
  const { commit, live, cursor } = layOut(request({ items: [said("one"), said("two")], bottom }));
  expect(commit).toEqual([]);
  expect(live).toEqual(["one", "", "two", "rule", "> abc"]);
  expect(cursor).toEqual({ row: 4, column: 4 });
});

test("what does not fit goes to the scrollback once, and the rest goes on from there", () => {
  const items = [said("1\n2\n3\n4"), said("5\n6\n7")];
  const first = layOut(request({ items }));
  expect(first.commit).toEqual(["1", "2", "3"]);
  expect(first.live).toEqual(["4", "", "5", "6", "7", "input"]);
  const second = layOut(request({ items: [...items, said("8\n9")], shown: first.shown }));
  expect(second.commit).toEqual(["4", "", "5"]);
  expect(second.live).toEqual(["6", "7", "", "8", "9", "input"]);
});

test("what is still being written goes only as far as it cannot change, and stays counted when it is cut into blocks", () => {
  const text = Array.from({ length: 12 }, (_, index) => `row ${index}`).join("\n");
  const open: Item = { kind: "text", text, open: true };
  const first = layOut(request({ items: [open] }));
  expect(first.commit).toEqual(["row 0", "row 1", "row 2", "row 3", "row 4", "row 5", "row 6"]);
  const blocks: readonly Item[] = [
    { kind: "text", text: "row 0\nrow 1\nrow 2\nrow 3", open: false },
    { kind: "text", text: "row 5\nrow 6\nrow 7\nrow 8\nrow 9\nrow 10\nrow 11\nrow 12", open: true },
  ];
  const second = layOut(request({ items: blocks, shown: first.shown }));
  expect([...first.commit.slice(0, 4), "", ...second.commit, ...second.live]).toContain("row 12");
  expect(second.commit).toEqual(["row 7"]);
});

test("while a dialog holds the place nothing goes, and what it hides is counted", () => {
  const { commit, live } = layOut(
    request({ items: [said("1\n2\n3\n4")], bottom: ["d1", "d2", "d3", "d4"], holds: true, width: 30 }),
  );
  expect(commit).toEqual([]);
  expect(live).toEqual(["  ⋮ 3 more lines above", "4", "d1", "d2", "d3", "d4"]);
});

test("a call that still runs holds back what stands behind it", () => {
  const call: Item = {
    kind: "call",
    id: "c",
    shown: { label: "Read", about: "", brief: "Read", claims: ["read"] },
    state: "running",
    reason: null,
    output: "",
    agent: null,
  };
  const { commit, live } = layOut(request({ items: [call, said("1\n2\n3\n4\n5\n6\n7")] }));
  expect(commit).toEqual([]);
  expect(live.at(-2)).toBe("7");
});

test("a resumed session of 5,000 entries costs no more than its end", () => {
  const items = Array.from({ length: 5_000 }, (_, index) => said(`entry ${index}`));
  const first = layOut(request({ items }));
  expect(first.commit.length).toBe(5_000 * 2 - 1 - 5);
  let asked = 0;
  const counted = (item: Item): readonly string[] => {
    asked += 1;
    return linesOf(item);
  };
  layOut(request({ items: [...items, said("new")], shown: first.shown, linesOf: counted }));
  expect(asked).toBeLessThan(20);
});
