import { describe, expect, test } from "vitest";
import type { WorkingMode } from "../mode.ts";
import { choicesFor } from "./review.ts";
import { placeComments } from "./anchors.ts";
import { saidComments, stayOpen, wantsChange, type Comment } from "../verdict.ts";

describe("choices", () => {
  test.each<[WorkingMode, boolean, WorkingMode | null, readonly string[]]>([
    // earlier mode, bypass allowed at start, ceiling
    ["default", false, null, ["default", "acceptEdits", "fresh"]],
    ["acceptEdits", false, null, ["default", "acceptEdits", "fresh"]],
    ["auto", false, null, ["default", "acceptEdits", "auto (earlier)", "fresh"]],
    ["default", true, null, ["default", "acceptEdits", "bypassPermissions", "fresh"]],
    ["auto", true, null, ["default", "acceptEdits", "auto (earlier)", "bypassPermissions", "fresh"]],
    ["bypassPermissions", true, null, ["default", "acceptEdits", "bypassPermissions (earlier)", "fresh"]],
    ["default", true, "default", ["default"]],
    ["acceptEdits", true, "acceptEdits", ["default", "acceptEdits"]],
    ["auto", true, "auto", ["default", "acceptEdits", "auto (earlier)"]],
  ])(
    "R7.4 B2.4 R7.13 from %s, bypass %s, at most %s: the least permissive yes stands first",
    (returnTo, bypassAvailable, ceiling, approvals) => {
      const named = choicesFor({ returnTo, bypassAvailable, autoAvailable: true, ceiling }).map((choice) => {
        if (choice.kind === "approve") return choice.label === "earlier" ? `${choice.mode} (earlier)` : choice.mode;
        return choice.kind === "approve-fresh" ? "fresh" : choice.kind;
      });
      expect(named).toEqual([...approvals, "save", "revise", "abandon"]);
    },
  );

  test("R7.6 after auto mode's breaker tripped neither the earlier mode nor fresh context offers auto", () => {
    const facts = { returnTo: "auto", bypassAvailable: false, autoAvailable: false, ceiling: null } as const;
    expect(choicesFor(facts).flatMap((choice) => ("mode" in choice ? [`${choice.kind} ${choice.mode}`] : []))).toEqual([
      "approve default",
      "approve acceptEdits",
      "approve-fresh default",
    ]);
  });
});

describe("comments", () => {
  test.each<[string, Comment, string, { from: number; to: number; anchor: string }]>([
    ["the same lines", at(2, "b"), "a\nb\nc", { from: 2, to: 2, anchor: "kept" }],
    ["a part of the line", at(2, "ell"), "a\nhello\nc", { from: 2, to: 2, anchor: "kept" }],
    ["lines further down", at(1, "b"), "a\nx\nb", { from: 3, to: 3, anchor: "moved" }],
    ["the nearest of several", at(4, "b"), "b\na\na\na\nb", { from: 5, to: 5, anchor: "moved" }],
    ["several lines, moved", at(1, "b\nc", 2), "a\nb\nc", { from: 2, to: 3, anchor: "moved" }],
    ["a selection within lines", at(1, "llo\nwor", 2), "hello\nworld", { from: 1, to: 2, anchor: "kept" }],
    ["three lines, moved", at(1, "b\nc\nd", 3), "a\nb\nc\nd", { from: 2, to: 4, anchor: "moved" }],
    ["three lines, the middle longer", at(1, "b\nc\nd", 3), "b\ncc\nd", { from: 1, to: 3, anchor: "gone" }],
    ["several lines, one changed", at(1, "b\nc", 2), "b\nd", { from: 1, to: 2, anchor: "gone" }],
    ["nothing", at(1, "zzz"), "a\nb", { from: 1, to: 1, anchor: "gone" }],
    ["an empty text", at(1, "b"), "", { from: 1, to: 1, anchor: "gone" }],
    ["no words at all", at(1, ""), "a", { from: 1, to: 1, anchor: "gone" }],
    ["an odd line number", at(Number.NaN, "b"), "a\nb", { from: 2, to: 2, anchor: "moved" }],
  ])("B3.2 a comment finds %s", (_, comment, text, { from, to, anchor }) => {
    expect(placeComments([comment], text)).toEqual([{ ...comment, from, to, anchor }]);
  });

  test("B3.2 open are the earlier ones that are neither resolved nor replaced, and the new ones; notes are only said", () => {
    const [a, b, c] = ["a", "b", "c"].map((id): Comment => Object.assign(at(1, "q"), { id }));
    const note = { ...at(1, "q"), id: "n", kind: "note" } as const;
    const newC = { ...c!, text: "other" };
    const said = saidComments([a!, b!, c!], [newC, note], ["a"]);
    expect(said).toEqual([b, newC, note]);
    expect(stayOpen(said)).toEqual([b, newC]);
  });

  test.each<[string, string, readonly Comment["kind"][], boolean]>([
    ["words", "do more", [], true],
    ["nothing at all", " ", [], true],
    ["a question", "", ["question"], false],
    ["a question and words", "hm", ["question"], true],
    ["a change", "", ["question", "change"], true],
    ["a note", "", ["note"], false],
  ])("B4.2 B3.2 %s asks for another text", (_, feedback, kinds, wanted) => {
    const comments = kinds.map((kind) => Object.assign(at(1, "q"), { kind }));
    expect(wantsChange({ kind: "revise", feedback, comments })).toBe(wanted);
  });
});

function at(from: number, quote: string, to = from): Comment {
  return { id: "c", kind: "change", from, to, quote, text: "t" };
}
