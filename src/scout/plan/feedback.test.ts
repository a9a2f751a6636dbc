import { expect, test } from "vitest";
import type { Comment } from "../../core/verdict.ts";
import { isAboutPlan, isGoOn, noWishes, readFeedback, type Wishes } from "./feedback.ts";

const known = ["src/a.ts", "src/cli/b.ts", "src/cli/c.ts", "src/core/settings/settings.ts", "lib/d.py"];

const rows: readonly (readonly [said: string, wishes: Partial<Omit<Wishes, "record">>])[] = [
  ["leave out src/a.ts", { without: ["src/a.ts"] }],
  ["Please drop b.ts and c.ts.", { without: ["src/cli/b.ts", "src/cli/c.ts"] }],
  ["Don't touch `src/cli`", { without: ["src/cli"] }],
  ["lib/d.py is out of scope", { without: ["lib/d.py"] }],
  ["add src/a.ts", { also: ["src/a.ts"] }],
  ["you forgot far/away.ts", { also: ["far/away.ts"] }],
  ["only src/cli", { only: ["src/cli"] }],
  [
    "Just settings.ts, nothing else",
    { only: ["src/core/settings/settings.ts"], also: ["src/core/settings/settings.ts"] },
  ],
  ["without tests", { tests: "none" }],
  ["no new tests, and leave out src/a.ts", { tests: "none", without: ["src/a.ts"] }],
  ["leave out src/a.ts but add lib/d.py", { without: ["src/a.ts"], also: ["lib/d.py"] }],
  ["the cache must expire", { more: ["the cache must expire"] }],
  ["this is not good", {}],
  ["Why is the cache in it?", {}],
];

test.each(rows)("B10.1 feedback: %s", (said, wishes) => {
  const { record, ...read } = readFeedback([{ text: said }], known);
  const { record: _, ...none } = noWishes;
  expect(read).toEqual({ ...none, ...wishes });
  expect(record.map((one) => one.said).join(" ")).not.toBe("");
});

test("a later remark takes back an earlier one", () => {
  const wishes = readFeedback([{ text: "leave out src/a.ts" }, { text: "add src/a.ts after all" }], known);
  expect(wishes).toMatchObject({ without: [], also: ["src/a.ts"] });
});

test("a comment speaks of the lines that it quotes", () => {
  const place = { from: 7, to: 7 };
  const comments: readonly Comment[] = [
    { id: "1", kind: "change", ...place, quote: "- `src/a.ts`: fits the task", text: "leave this out" },
    { id: "2", kind: "note", ...place, quote: "- [ ] Run", text: "fine" },
  ];
  expect(readFeedback([{ text: "", comments }], known)).toMatchObject({
    without: ["src/a.ts"],
    record: [
      { said: "leave this out", done: "`src/a.ts` left out" },
      { said: "fine", done: expect.stringContaining("stays open") },
    ],
  });
});

test("words after a plan are about it, another task, or nothing but go on", () => {
  expect(isAboutPlan("leave out src/a.ts", known)).toBe(true);
  expect(isAboutPlan("a smaller scope, please", known)).toBe(true);
  expect(isAboutPlan("Teach the parser about nested quotes in heredocs", known)).toBe(false);
  expect([isGoOn("go on"), isGoOn("Ok, continue."), isGoOn("go on strike")]).toEqual([true, true, false]);
});
