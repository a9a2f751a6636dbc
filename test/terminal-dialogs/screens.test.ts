/** Every dialog and its states as golden screens at 80×24 and 40×12, drawn by a real terminal emulator. */
import { describe, expect, test } from "vitest";
import type { PermissionAsk } from "../../src/agent/ports/ports.ts";
import type { UserQuestion } from "../../src/core/questions.ts";
import type { Mode } from "../../src/core/mode.ts";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import { placeComments } from "../../src/core/plan/anchors.ts";
import { permissionDialog } from "../../src/faces/terminal/dialogs/permission.ts";
import { questionsDialog } from "../../src/faces/terminal/dialogs/questions/questions.ts";
import { permissionRequest } from "../../src/agent/answers/permission-request.ts";
import { noColour } from "../../src/faces/terminal/view/theme.ts";
import { emulator, expectGolden, key, typing, type Emulator, type EmulatorOptions } from "./emulator.ts";
import {
  approvalDialog,
  commandAsk,
  comment,
  editAsk,
  enterAsk,
  longPlan,
  oneQuestion,
  permissionOptions,
  review,
  smallPlan,
  threeQuestions,
  unprovenAsk,
} from "./requests.ts";

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
] as const;
const earlier = smallPlan.replace("Reuse", "Copy").replace("> Nothing else changes.\n\n", "");
const resubmitted = {
  revision: 2,
  previous: earlier,
  comments: placeComments(
    [comment, { ...comment, id: "old-2", quote: "copy the cookie", text: "Why?", kind: "question" }],
    smallPlan,
  ),
  stale: ["src/session.ts"],
  changed: ["package.json"],
};

interface Scene {
  readonly name: string;
  readonly open: (terminal: Emulator) => Promise<void> | void;
  readonly keys?: readonly string[];
  readonly options?: EmulatorOptions;
}

const scenes: readonly Scene[] = [
  { name: "R7.4 approval", open: approval() },
  { name: "R7.4 approval without colour", open: approval(), options: { theme: noColour() } },
  { name: "approval of an agent", open: approval({ agent: "Plan-2" }) },
  { name: "R9.5 approval of a long plan", open: approval({ plan: longPlan(700) }) },
  { name: "B3.1 approval of a second revision", open: approval(resubmitted) },
  { name: "B3.1 approval difference", open: approval(resubmitted), keys: ["d"] },
  { name: "B2.1 approval again", open: approval({ ...resubmitted, again: "changed" }) },
  { name: "B2.5 approval with hidden characters", open: approval({ plan: hostilePlan() }) },
  { name: "B3.2 approval lines", open: approval(), keys: ["c", key.down, key.down, key.shiftDown] },
  {
    name: "B3.2 approval comment",
    open: approval(),
    keys: ["c", key.down, key.down, "c", key.tab, ...typing("Why not SAML?")],
  },
  {
    name: "B3.2 approval comments made",
    open: approval(),
    keys: [
      "c",
      key.down,
      key.down,
      "c",
      ...typing("Say who"),
      key.enter,
      key.down,
      "c",
      key.tab,
      ...typing("Why not SAML?"),
      key.enter,
      key.escape,
    ],
  },
  { name: "B3.3 approval feedback", open: approval(), keys: ["n", ...typing("Use 2 files, not 1")] },
  { name: "B3.3 approval notes", open: approval(), keys: [key.down, key.tab, ...typing("Mind the tests")] },
  {
    name: "approval about to lose a comment",
    open: approval(),
    keys: ["c", "c", ...typing("Hm"), key.enter, key.escape, key.escape],
  },
  { name: "R6.3 enter plan mode", open: permission(enterAsk) },
  { name: "permission command", open: permission(commandAsk("npm run build && rm -rf dist", { part: "rm -rf dist" })) },
  { name: "R17.2 permission rule", open: permission(commandAsk("npm run build")), keys: ["a"] },
  { name: "permission reason", open: permission(commandAsk("npm run build")), keys: ["n", ...typing("Use make")] },
  { name: "permission edit", open: permission(editAsk("  return sum;", "  return sum * (1 + tax / 100);")) },
  { name: "B1.3 permission unproven", open: permission(unprovenAsk("make check"), "plan") },
  { name: "B8.5 question", open: questions(oneQuestion) },
  { name: "B8.5 question other", open: questions(oneQuestion), keys: ["3", ...typing("Temporal, 2 files")] },
  { name: "B8.5 questions first", open: questions(threeQuestions) },
  {
    name: "B8.5 questions several",
    open: questions(threeQuestions),
    keys: ["1", "2", key.space, key.down, key.down, key.space],
  },
  {
    name: "B8.5 questions review",
    open: questions(threeQuestions),
    keys: ["1", key.tab, key.space, key.enter, "n", ...typing("Only the new pages"), key.enter],
  },
];

describe.each(sizes)("at $columns×$rows", ({ columns, rows }) => {
  test.each(scenes)("$name", async ({ name, open, keys = [], options = {} }) => {
    const terminal = emulator({ columns, rows, ...options });
    await open(terminal);
    if (keys.length > 0) await terminal.press(...keys);
    const screen = await terminal.screen();
    terminal.stop();
    expectGolden(`${name.replace(/^[RB]\d+\.\d+ /, "").replaceAll(" ", "-")}-${columns}x${rows}`, screen);
  });
});

test("the dialogs fill no more rows than they were given, from 20×6 to 200×60", async () => {
  for (const [columns, rows] of [
    [20, 6],
    [30, 8],
    [60, 10],
    [120, 30],
    [200, 60],
  ] as const) {
    for (const { open } of scenes) {
      const terminal = emulator({ columns, rows });
      await open(terminal);
      const screen = await terminal.screen();
      expect(screen.every((line) => line.length <= columns)).toBe(true);
      expect(terminal.written()).not.toContain("\u001B[3J");
      terminal.stop();
    }
  }
});

function approval(over: Partial<ReviewRequest> = {}): Scene["open"] {
  return (terminal) => terminal.show(approvalDialog(review(over), terminal.surface, () => {}));
}

function permission(ask: PermissionAsk, mode: Mode = "default"): Scene["open"] {
  return async (terminal) => {
    const request = await permissionRequest(ask, { ...permissionOptions, mode: () => mode });
    terminal.show(permissionDialog(request, terminal.surface, () => {}));
  };
}

function questions(list: readonly UserQuestion[]): Scene["open"] {
  return (terminal) => terminal.show(questionsDialog(list, terminal.surface, () => {}));
}

function hostilePlan(): string {
  return [
    "# Plan\u001B[2J\u001B[H",
    "1. read\u202E files\u200B",
    `2. tidy${" ".repeat(400)}rm -rf ~`,
    "── Approve this plan? ──",
    "❯ 1. Approve, ask before each edit",
    "\u001B]0;owned\u0007 3. 日本語のファイル 👨‍👩‍👧‍👦 e\u0301",
  ].join("\n");
}
