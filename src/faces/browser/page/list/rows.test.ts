import { expect, test } from "vitest";
import { countOf, factsOf, lengthOf, newsOf, titleOf } from "./rows.ts";

const minute = 60_000;
const plan = {
  id: "p",
  title: "Plan",
  by: { kind: "teammate", name: "ann" },
  session: "3f2a91bc",
  project: "repo",
  since: 0,
  until: null,
  live: true,
} as const;

test.each<[number, string]>([
  [-5, "less than a minute"],
  [minute - 1, "less than a minute"],
  [59 * minute, "59 min"],
  [60 * minute, "1 h"],
  [90 * minute, "1 h 30 min"],
  [659 * minute, "10 h"],
  [48 * 60 * minute, "2 days"],
])("%i ms are %s", (ms, words) => {
  expect(lengthOf(ms)).toBe(words);
});

test("a row says who, which session, where, and for how long", () => {
  expect(factsOf(plan, 5 * minute)).toEqual(["teammate ann", "session 3f2a91bc", "repo", "waits for 5 min"]);
  const own = { ...plan, by: { kind: "own", name: "Groundplan" }, project: null } as const;
  expect(factsOf(own, 5 * minute)).toEqual(["Groundplan", "session 3f2a91bc", "waits for 5 min"]);
  expect(factsOf({ ...own, live: false }, 5 * minute).at(-1)).toBe("submitted 5 min ago");
});

test("only what somebody waits for now is counted, in the words and in the title", () => {
  expect(countOf({ version: 1, plans: [plan, { ...plan, live: false }, plan] })).toBe(2);
  expect([0, 1, 2].map(titleOf)).toEqual([
    "Plans that wait · Groundplan",
    "(1) Plans that wait · Groundplan",
    "(2) Plans that wait · Groundplan",
  ]);
  expect([1, 2].map((count) => newsOf(count, 3))).toEqual([
    "One plan waits for your answer.",
    "2 plans wait for your answer.",
  ]);
  expect([0, 1].map((later) => newsOf(0, later))).toEqual([
    "Nothing waits for you now. This page tells when something does.",
    "No session waits for you now. This page tells when one does.",
  ]);
});
