import { expect, test } from "vitest";
import { justAsked, placed, type Asking } from "./typist.ts";

interface Line {
  readonly text?: string;
  readonly clearedAt?: number;
}

function typing({ text = "", clearedAt }: Line, { takesText = false } = {}) {
  const asked: Asking[] = [justAsked];
  const place = (data: string, isLine = false): string => {
    const facts = { data, isLine, takesText, text, clearedAt: clearedAt ?? null, now: 10_000 };
    const next = placed(asked.at(-1)!, facts);
    asked.push(next.asking);
    return next.place;
  };
  return { place, tolds: () => asked.map(({ isTold }) => isTold) };
}

const up = "\u001B[A";
const paste = "\u001B[200~a\u001B[201~";

test.each<[string, Line, string, string]>([
  ["on an empty line a letter", {}, "a", "dialog"],
  ["on an empty line Enter", {}, "\r", "dialog"],
  ["behind words a letter", { text: "so we" }, "a", "line"],
  ["behind words a blank", { text: "so we" }, " ", "line"],
  ["behind words a backspace", { text: "so we" }, "\u007F", "line"],
  ["behind words Enter", { text: "so we" }, "\r", "nowhere"],
  ["behind words an arrow", { text: "so we" }, up, "dialog"],
  ["behind words Esc", { text: "so we" }, "\u001B", "dialog"],
  ["a moment after words were taken away a letter", { clearedAt: 8_000 }, "a", "line"],
  ["long after words were taken away a letter", { clearedAt: 1_000 }, "a", "dialog"],
  ["anywhere a paste", {}, paste, "line"],
])("B2.4 %s goes to its place", (_, line, key, expected) => {
  expect(typing(line).place(key)).toBe(expected);
});

test("B2.4 who turned to the dialog answers it by letters, and is told only before", () => {
  const { place, tolds } = typing({ text: "so we" });
  expect([place("a"), place("b"), place(up), place("a"), place("\r")]).toEqual([
    "line",
    "line",
    "dialog",
    "dialog",
    "dialog",
  ]);
  expect(tolds()).toEqual([false, true, true, true, true, true]);
});

test("B2.4 several keys of one read are a line, whatever stands in it; it turns nobody", () => {
  const { place } = typing({});
  expect(["\u001B", "a", up, "\r"].map((key) => place(key, true))).toEqual(["nowhere", "line", "nowhere", "line"]);
  expect(place("a")).toBe("dialog");
});

test("words typed into the dialog's own box are the dialog's", () => {
  const { place } = typing({ text: "so we" }, { takesText: true });
  expect([place("a"), place("b", true), place(paste)]).toEqual(["dialog", "dialog", "dialog"]);
});
