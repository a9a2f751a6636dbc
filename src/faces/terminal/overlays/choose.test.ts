import { expect, test } from "vitest";
import { chooseOne } from "./choose.ts";
import { chooseKeys } from "../keys/keys.ts";
import type { Surface } from "./surface.ts";
import { unstyled } from "../view/theme.ts";

const surface: Surface = {
  theme: unstyled(),
  keys: chooseKeys().keys,
  platform: "other",
  rows: () => 10,
  columns: () => 60,
  now: () => 0,
  redraw: () => undefined,
  edit: async () => ({ kind: "unchanged" }),
  later: () => () => undefined,
};
const options = [
  { value: "1", label: "round the \u001B[31mtotals\u202E", note: "plan" },
  { value: "2", label: "add a login", note: "" },
];

test("a list that was called up is searched by typing, and says so; names in it are only text", () => {
  const chosen: (string | null)[] = [];
  const list = chooseOne({ title: "Go on with", options }, surface, (value) => chosen.push(value));
  expect(list.render(60)).toEqual([
    "Go on with",
    "❯ round the \\u{1b}[31mtotals\\u{202e}  plan",
    "  add a login",
    "  type to search · ↑↓ · enter · esc",
  ]);
  for (const key of "login") list.handleInput?.(key);
  expect(list.render(60)).toEqual(["Go on with  login", "❯ add a login", "  type to search · ↑↓ · enter · esc"]);
  list.handleInput?.("\r");
  expect(chosen).toEqual(["2"]);
});

test("B2.4 a list that nobody called up is not searched: words go to the input", () => {
  const typed: string[] = [];
  const list = chooseOne({ title: "Trust?", options, typed: (data) => typed.push(data) > 0 }, surface, () => undefined);
  expect(list.render(60).at(-1)).toBe("  ↑↓ · enter · esc");
  list.handleInput?.("x");
  expect(typed).toEqual(["x"]);
});
