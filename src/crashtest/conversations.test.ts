import { expect, test } from "vitest";
import { conversationsOf } from "./conversations.ts";
import { probeTable } from "./probes/table.ts";

const ids = (mode: "plan" | "work"): readonly (readonly string[])[] =>
  conversationsOf(probeTable, mode).map((probes) => probes.map(({ id }) => id));

test("B17.1 what leaves the conversation as it was is tried in one, by its circumstances; what does not is alone", () => {
  const [plain = [], rules = [], ...rest] = ids("plan");
  expect([plain[0], plain.at(-1), plain.length]).toEqual(["edit-file", "shell-elsewhere", 27]);
  expect([rules[0], rules.at(-1), rules.length]).toEqual(["rules-edit", "rules-elsewhere", 24]);
  expect(rest).toEqual([
    ["rules-planted"],
    ["bypass-write", "bypass-shell"],
    ["git-fsmonitor"],
    ["git-external-diff"],
    ["git-textconv"],
    ["git-filter"],
  ]);
});

test("B17.1 outside of plan mode the person's rules make no other conversation", () => {
  expect(ids("work")[0]).toHaveLength(27 + 24);
});
