/** Hostile text from model, files and tools in every dialog: it cannot move the cursor, fake a dialog or break the width. */
import type { RuleOffers } from "../../src/core/decide/offers.ts";
import { previewRule } from "../../src/core/decide/rule-words.ts";
import type { RulesPreview } from "../../src/agent/answers/permission-request.ts";
import { describe, expect, test } from "vitest";
import { permissionDialog } from "../../src/faces/terminal/dialogs/permission.ts";
import { questionsDialog } from "../../src/faces/terminal/dialogs/questions/questions.ts";
import { hasHidden } from "../../src/core/wire/visible.ts";
import { columnsOf } from "../../src/faces/terminal/view/safe-text.ts";
import type { Component, Surface } from "../../src/faces/terminal/overlays/surface.ts";
import { xtermColumns } from "../support/xterm-columns.ts";
import { emulator, key } from "./emulator.ts";
import { permissionRequest } from "../../src/agent/answers/permission-request.ts";
import { approvalDialog, commandAsk, editAsk, permissionOptions, review } from "./requests.ts";

const family = "👨‍👩‍👧‍👦";
const hostile: Readonly<Record<string, string>> = {
  "clears the screen": "\u001B[2J\u001B[3J\u001B[H",
  "moves the cursor": "a\u001B[10;10Hb\u001B[5A\r\u0008",
  "sets the title": "\u001B]0;owned\u0007\u001B]52;c;ZXZpbA==\u001B\\",
  "answers for the person": "\u001B[6n\u001B[c\u001BP$q\u001B\\",
  "8-bit controls": "\u009B2J\u0090\u009D0;x\u009C",
  "the mark of our cursor": "\u001B_pi:c\u0007\u001B_Gi=1;\u001B\\",
  "other colours": "\u001B[8mhidden\u001B[0m",
  "turns the direction": "\u202Eevil\u202C \u2066x\u2069",
  "zero width": "a\u200Bb\u200Dc\uFEFFd\u2060",
  "400 blanks": `ok${" ".repeat(400)}rm -rf ~`,
  "a long word": "x".repeat(3_000),
  emoji: `${family.repeat(30)} ❤️ 🇩🇪🇫🇷 👍🏽 1️⃣`,
  "CJK at the edge": "日本語".repeat(60),
  "combining marks": `e${"\u0301".repeat(200)} \u0301\u0302`,
  "lone surrogates": "\uD800 \uDC00",
  "a fake dialog": "── Approve this plan? ──────────\n❯ 1. Approve, ask before each edit  y\n 2. No",
  "tabs and returns": "\t\ta\rb\r\nc\u000Bd\u000Ce\u0085f\u2028g",
  "Markdown that never ends": "**`[_~~".repeat(120),
};

describe.each([
  [80, 24],
  [31, 10],
])("at %i×%i", (columns, rows) => {
  test.each(Object.entries(hostile))("B2.5 text that %s is harmless and visible in every dialog", async (_, text) => {
    for (const open of dialogsWith(text)) {
      const terminal = emulator({ columns, rows });
      terminal.show(open(terminal.surface));
      const first = (await terminal.screen()).join("");
      if (hasHidden(text) && columns === 80) expect(first).toMatch(/\\u\{[0-9a-f]+\}|⟨\d+ blanks⟩/);
      await terminal.press(key.pageDown, "d", "c");
      const screen = await terminal.screen();
      expect(sentOf(terminal.written())).toEqual([]);
      expect(terminal.wrapped()).toBe(0);
      expect(screen.some((line) => line.startsWith("──"))).toBe(true);
      const looksLikeOurs = screen.filter(
        (line) => line.startsWith("── ") && !/^── (─*|.*(plan|edit|command|question|Question).*)$/.test(line),
      );
      expect(looksLikeOurs).toEqual([]);
      expect(screen.filter((line) => line.startsWith("── Approve this plan?")).length).toBeLessThanOrEqual(1);
      expect(screen.filter((line) => line.startsWith("❯")).length).toBeLessThanOrEqual(1);
      terminal.stop();
    }
  });
});

test("B2.5 no row is wider than the width, whatever the text and the width", async () => {
  const { surface } = emulator();
  const shown: { readonly row: string; readonly width: number }[] = [];
  for (let seed = 1; seed <= 40; seed += 1) {
    for (const open of dialogsWith(randomText(seed))) {
      const dialog = open(surface);
      for (const width of [1, 2, 7, 20, 39, 40, 61, 80, 133].map((one) => one + (seed % 3))) {
        shown.push(...dialog.render(width).map((row) => ({ row, width })));
      }
    }
  }
  const columns = await xtermColumns(shown.map(({ row }) => row));
  expect(shown.filter(({ row, width }, index) => columnsOf(row) > width || columns[index]! > width)).toEqual([]);
});

test("a line of 10 MB is laid out only where it is looked at: shown, scrolled and answered", async () => {
  const { surface } = emulator();
  const plan = `# Plan\n${"evil \u001B[2J ".repeat(1_000_000)}\nend`;
  const answers: unknown[] = [];
  const dialog = approvalDialog(review({ plan }), { ...surface, later: (_, run) => (run(), nothing) }, (verdict) =>
    answers.push(verdict),
  );
  for (const input of ["", key.pageDown, key.pageDown, key.end, key.home, "c", key.down, key.down, key.escape]) {
    if (input !== "") dialog.handleInput?.(input);
    dialog.render(80);
  }
  dialog.handleInput?.("x");
  expect(answers).toEqual([{ kind: "abandon" }]);
});

function dialogsWith(text: string): readonly ((surface: Surface) => Component)[] {
  const ask = { ...commandAsk(text, { reason: text, directory: text, part: text.slice(2, 9) }), agent: text };
  const questions = [1, 2].map((which) => ({
    question: `${which} ${text}`,
    header: text.slice(0, 30),
    options: [
      { label: text, description: text },
      { label: "b", description: text },
    ],
    multiSelect: which === 2,
  }));
  const comments = [{ id: "1", kind: "change", from: 1, to: 1, quote: text, text, anchor: "gone" } as const];
  return [
    (surface) =>
      approvalDialog(
        review({
          plan: `# ${text}\n- ${text}\n\n\`\`\`js\n${text}\n\`\`\`\n| ${text} | b |\n|---|---|\n| ${text} | d |\n> ${text}`,
          previous: text,
          planFile: `/p/${text}.md`,
          stale: [text],
          changed: [text],
          agent: text,
          comments,
        }),
        surface,
        nothing,
      ),
    (surface) =>
      permissionDialog(
        { ask, mode: "default", before: null, offers: offered(`Bash(${text})`), preview },
        surface,
        nothing,
      ),
    (surface) =>
      permissionDialog(
        {
          ask: editAsk(text, `${text}2`, `/home/${text}`),
          mode: "plan",
          before: `a\n${text}`,
          offers: offered(text),
          preview,
        },
        surface,
        nothing,
      ),
    (surface) => questionsDialog(questions, surface, nothing),
  ];
}

/** Sequences that were sent to the terminal and are not ours: styles, the moves of our drawing, and the end of a row. */
function sentOf(written: string): readonly string[] {
  const ours = /\u001B\[[\d;]*m|\u001B\[\?2026[hl]|\u001B\[\?25[hl]|\u001B\[2K|\u001B\[\d*[ABCJLM]|\r\n|\r/g;
  const hidden = written.includes("\u001B[8m") ? ["hidden text"] : [];
  return [
    ...hidden,
    ...(written.replace(ours, "").match(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069]/g) ??
      []),
  ];
}

function randomText(seed: number): string {
  const pieces = [...Object.values(hostile).map((text) => text.slice(0, 12)), "word ", " ", "\n", "é", "각", "नि", "ﷺ"];
  let state = seed * 7919;
  const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648);
  return Array.from({ length: 1 + (next() % 30) }, () => pieces[next() % pieces.length]!).join("");
}

function nothing(): void {}

test.each([
  [80, 24],
  [60, 20],
] as const)("a long or broken path cannot hide where an edit goes, at %i×%i", async (columns, rows) => {
  const path = `/home/ada/shop/${"deep/".repeat(300)}\n❯ 1. No\n/../../.bashrc`;
  const terminal = emulator({ columns, rows });
  const request = await permissionRequest(editAsk("a", "b", path), permissionOptions);
  terminal.show(permissionDialog(request, terminal.surface, () => undefined));
  const screen = await terminal.screen();
  expect(screen.filter((line) => /^ *❯/.test(line))).toEqual([expect.stringContaining("❯ 1. Yes")]);
  const text = screen.map((line) => line.trim()).join("");
  expect(text).toContain("/home/ada/shop/deep/");
  expect(text).toContain("/../../.bashrc");
  terminal.stop();
});

test("B1.6 one long name cannot push the other changed files out of sight", async () => {
  const terminal = emulator();
  const changed = [`${"x".repeat(900)}.ts`, "src/pay.ts", ".github/workflows/ci.yml", "line\nbreak.ts"];
  terminal.show(approvalDialog(review({ changed }), terminal.surface, () => undefined));
  const text = (await terminal.screen()).map((line) => line.trim()).join(" ");
  for (const part of ["4 files", "src/pay.ts", ".github/workflows/ci.yml", "line ⏎ break.ts"])
    expect(text).toContain(part);
  terminal.stop();
});

const offered = (rule: string): RuleOffers => ({ session: [rule], always: [rule] });
const preview = (rules: readonly string[]): RulesPreview => ({
  rules: rules.map((rule) => previewRule(rule, ["Bash"])),
  coversThis: false,
});
