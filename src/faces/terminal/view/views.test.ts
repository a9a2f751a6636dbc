import { describe, expect, test } from "vitest";
import { createTools } from "../../../agent/tools/registry.ts";
import { callShower } from "../../../agent/tools/show.ts";
import { planning, started } from "../../../testing/core-fixtures.ts";
import type { CallItem, Item } from "../screen/items.ts";
import { columnsOf } from "./safe-text.ts";
import { chooseTheme, noColour } from "./theme.ts";
import { itemLines } from "./item.ts";
import { doingLines, statusLines, type StatusFacts } from "./status.ts";
import type { ViewFacts } from "./view-facts.ts";

const plain: ViewFacts = {
  width: 40,
  theme: noColour(),
  platform: "other",
  details: false,
  directory: "/repo",
  revision: 0,
  highlight: null,
};
const dark = chooseTheme({ setting: "dark", environment: {} });
const show = callShower(createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" }), "/repo");
const shownAs = (tool: string): CallItem["shown"] => show(tool, { file_path: "/repo/src/a.ts" });
const call: CallItem = {
  kind: "call",
  id: "c",
  shown: shownAs("Read"),
  state: "done",
  reason: null,
  output: "one\ntwo",
  agent: null,
};
const plan: Item = {
  kind: "plan",
  outcome: "approved",
  plan: "# Title\n\nText.\n",
  file: "/repo/p.md",
  remark: "",
  comments: [],
};

describe("R15.3 plans that were answered", () => {
  test.each([
    ["other", "●"],
    ["darwin", "⏺"],
  ] as const)("on %s the approved plan comes after %s in the plan colour", (platform, dot) => {
    const lines = itemLines(plan, { ...plain, theme: dark, platform });
    expect(lines[0]).toBe(`${dark.plan(dot)} ${dark.plan(dark.bold("Plan approved"))}`);
    expect(lines.slice(1)).toEqual(
      [`  ${dark.dim("p.md")}`, "", `  ${dark.heading("Title")}`, "", "  Text."].map(same),
    );
  });

  test("the rejected plan is in a rounded, dimmed box under a red line", () => {
    const rejected: Item = { ...plan, outcome: "rejected", remark: "shorter" };
    const lines = itemLines(rejected, { ...plain, theme: dark, width: 20 });
    expect(lines[0]).toContain(dark.error("Plan sent back; st").slice(0, 12));
    expect(lines[1]).toBe(dark.faint(`╭${"─".repeat(18)}╮`));
    expect(lines[2]).toBe(`${dark.faint("│")} ${dark.dim("Title".padEnd(16))} ${dark.faint("│")}`);
    expect(lines.at(-2)).toBe(dark.faint(`╰${"─".repeat(18)}╯`));
    expect(lines.at(-1)).toBe("  shorter");
  });
});

test("a call is one line, opened it has what came of it, a denial has its first reason", () => {
  expect(itemLines(call, plain)).toEqual(["  ▸ \u001B[1mRead\u001B[22m src/a.ts · 2 lines"]);
  expect(itemLines(call, { ...plain, details: true }).map(bare)).toEqual([
    "  ▾ Read src/a.ts · 2 lines",
    "      one",
    "      two",
  ]);
  const denied: CallItem = {
    ...call,
    shown: shownAs("Edit"),
    state: "denied",
    reason: "Denied by plan mode: /repo/a.ts is not the plan file. You may read.",
  };
  expect(itemLines(denied, plain).map(bare)).toEqual([
    "  ✗ Edit src/a.ts · denied",
    "    └ Denied by plan mode: a.ts is not",
    "      the plan file.",
  ]);
});

test.each([20, 40, 80, 200])("at %d columns no line of any item is wider, whatever is in it", (width) => {
  const attack = `\u001B[2J 漢字 👨‍👩‍👧‍👦 \u202E ${"x".repeat(300)} | a | b |\n|---|---|\n- ${"long ".repeat(40)}`;
  const items: readonly Item[] = [
    { kind: "user", text: attack },
    { kind: "text", text: attack, open: true },
    { kind: "notice", text: attack, tone: "error" },
    { kind: "said", text: attack },
    { kind: "card", title: attack, path: attack, content: attack, hint: attack },
    { ...plan, plan: attack, remark: attack },
    { ...plan, outcome: "rejected", plan: attack, remark: attack },
    { ...call, shown: show(attack, { a: attack }), output: attack },
    { ...call, state: "failed", reason: attack, output: attack },
    {
      ...call,
      agent: {
        name: attack,
        model: attack,
        calls: 1,
        latest: attack,
        tokens: 5,
        status: "running",
      },
    },
    { kind: "welcome", version: "1", directory: attack, model: attack, tip: attack },
  ];
  for (const item of items) {
    for (const line of itemLines(item, { ...plain, width, details: true })) {
      expect(columnsOf(line), `${item.kind}: ${line}`).toBeLessThanOrEqual(width);
      expect(line.replaceAll(/\u001B\[[\d;]*m/g, "")).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/);
    }
  }
});

test("what a model says begins behind the margin: no dialog, notice or words of the person can be faked", () => {
  const fake = [
    "── Approve this plan? ──",
    "❯ 1. Yes",
    "❯ yes, do it",
    "· plan mode off",
    "● Plan approved",
    "```",
    "❯ y",
    "```",
  ];
  for (const text of [fake.join("\n\n"), fake.join("\n"), `> ${fake.join("\n> ")}`, `- ${fake.join("\n- ")}`]) {
    const lines = itemLines({ kind: "text", text, open: false }, { ...plain, theme: dark }).map(bare);
    expect(lines.filter((line) => line !== "" && !line.startsWith("  "))).toEqual([]);
    expect(lines.join("\n")).toContain("yes, do it");
  }
});

test("of what a person pasted the beginning is shown, and how much more there is", () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} of a paste`).join("\n");
  const lines = itemLines({ kind: "user", text }, plain).map(bare);
  expect(lines).toHaveLength(31);
  expect(lines.slice(0, 2)).toEqual(["❯ line 1 of a paste", "  line 2 of a paste"]);
  expect(lines.at(-1)).toBe("  … 4,970 more lines");
});

test("an address that just fits is not broken", () => {
  const address = `http://127.0.0.1:41053/${"t".repeat(56)}`;
  const lines = itemLines({ kind: "said", text: `Review page:\n${address}` }, { ...plain, width: 80 });
  expect(lines).toEqual(["  Review page:", address]);
});

describe("R15.1 the status line", () => {
  const facts: StatusFacts = {
    session: planning(),
    phase: "explore",
    model: "m",
    sandbox: null,
    costOf: () => null,
    hint: null,
    width: 80,
    theme: dark,
  };

  test("in plan mode it is in the plan colour, with the phase (R15.6)", () => {
    expect(statusLines(facts)[0]).toContain(
      `${dark.plan("⏸ plan mode on (shift+tab to cycle)")}${dark.dim(" · explore")}`,
    );
  });

  test("the last phase does not read like something to type", () => {
    expect(statusLines({ ...facts, phase: "exit", theme: noColour(), width: 40 })).toEqual([
      "  ⏸ plan mode on (shift+tab to cycle)",
      "  awaiting approval · m",
    ]);
  });

  test("other modes have their own, the sandbox is named where it is known", () => {
    const [line] = statusLines({
      ...facts,
      session: started({ mode: "acceptEdits" }),
      phase: null,
      sandbox: "no sandbox",
    });
    expect(line).toContain(dark.acceptEdits("⏵⏵ accept edits on (shift+tab to cycle)"));
    expect(line).toContain("no sandbox · m");
  });

  test("at 40 columns the mode stays whole and the rest goes below", () => {
    expect(statusLines({ ...facts, theme: noColour(), width: 40 })).toEqual([
      "  ⏸ plan mode on (shift+tab to cycle)",
      "  explore · m",
    ]);
  });

  test("what is done is shown with the time it took, and what waits", () => {
    const doing = { words: "Read a.ts", since: 0 };
    expect(
      doingLines(doing, { now: 65_000, width: 60, theme: noColour(), cancelKey: "esc", queued: ["next"] }),
    ).toEqual([expect.stringMatching(/^\S Read a\.ts 1m 5s · esc to stop$/), "  queued: next"]);
  });
});

function bare(line: string): string {
  return line.replaceAll(/\u001B\[[\d;]*m/g, "");
}

function same(line: string): unknown {
  return expect.stringContaining(bare(line).trim());
}

const edited = (count: number): CallItem => {
  const content = Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
  return { ...call, shown: show("Write", { file_path: "/repo/a.ts", content }), output: "" };
};

test("B18.5 what an edit changed stands below it, folded above twenty lines until it is opened", () => {
  expect(itemLines(edited(2), plain).slice(1)).toEqual(["      + line 1", "      + line 2"]);
  const rows = [20, 21, 70].map((count) => itemLines(edited(count), plain).length);
  expect(rows).toEqual([21, 12, 12]);
  expect(itemLines(edited(21), plain).at(-1)).toBe("      … 11 more lines");
  expect(itemLines(edited(70), { ...plain, details: true })).toHaveLength(62);
  expect(itemLines({ ...edited(2), state: "denied" }, plain)).toHaveLength(1);
});
