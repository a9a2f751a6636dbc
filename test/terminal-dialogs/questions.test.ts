/** The question dialog, key by key. */
import { expect, test } from "vitest";
import type { QuestionAnswer, UserQuestion } from "../../src/core/questions.ts";
import { questionsDialog } from "../../src/faces/terminal/dialogs/questions/questions.ts";
import { emulator, key, typing, type Emulator, type EmulatorOptions } from "./emulator.ts";
import { oneQuestion, threeQuestions } from "./requests.ts";

const dates = "Which library should format the dates?";
const tests = "Where should the tests go?";
const browsers = "Which browsers must it support?";

test.each<[string, readonly string[], QuestionAnswer]>([
  ["by number", ["2"], { status: "answered", answers: { [dates]: "Luxon" } }],
  ["by arrow and Enter", [key.down, key.enter], { status: "answered", answers: { [dates]: "Luxon" } }],
  [
    "in their own words, where digits are digits",
    ["3", ...typing("1 of x, or n"), key.enter],
    { status: "answered", answers: { [dates]: "1 of x, or n" } },
  ],
  [
    "with notes",
    ["n", ...typing("only 2 pages"), key.enter, "1"],
    { status: "answered", answers: { [dates]: "date-fns" }, notes: "only 2 pages" },
  ],
  ["by declining", ["x"], { status: "declined" }],
  ["by dismissing", [key.escape], { status: "dismissed" }],
])("B8.5 one question is answered %s", async (_, inputs, answer) => {
  const { answers, terminal } = opened(oneQuestion);
  await terminal.press(...inputs);
  expect(answers).toEqual([answer]);
});

test("B8.5 several questions are tabs, several options can be marked, and all is looked over before it is sent", async () => {
  const { answers, terminal } = opened(threeQuestions);
  await terminal.press("1", "2", key.space, key.down, key.down, key.space);
  await terminal.press("4", ...typing("Lynx 2"), key.enter, key.tab);
  expect(answers).toEqual([]);
  const screen = (await terminal.screen()).join("\n");
  for (const part of ["Your answers", "date-fns", "In test/", "Firefox, Safari, Lynx 2"])
    expect(screen).toContain(part);
  await terminal.press(key.enter);
  expect(answers).toEqual([
    {
      status: "answered",
      answers: { [dates]: "date-fns", [tests]: "In test/", [browsers]: "Firefox, Safari, Lynx 2" },
    },
  ]);
});

test("B8.5 before sending all answers and the notes are in view, also of four questions on ten rows of 40 columns", async () => {
  const four = [...threeQuestions, { ...oneQuestion[0]!, question: "And the last?", header: "Last" }];
  const { terminal } = opened(four, { columns: 40, rows: 10 });
  await terminal.press("1", "2", key.space, key.enter, "n", ...typing("mind the phones"), key.enter, key.tab);
  const [, , ...below] = (await terminal.screen()).map((line) => line.trimEnd());
  expect(below).toEqual([
    " Dates: date-fns",
    " Tests: In test/",
    " Browsers: Firefox",
    " Last: not answered",
    " Notes: mind the phones",
    "❯ 1. Send these answers  s",
    "  2. Decline to answer  x",
    " enter choose · esc stop",
  ]);
});

test("B8.5 an answer can be changed and taken back before sending", async () => {
  const { answers, terminal } = opened(threeQuestions);
  await terminal.press("1", key.shiftTab, "2", key.left, key.right, key.right, "1", "1", "2", key.enter, key.enter);
  expect(answers).toEqual([{ status: "answered", answers: { [dates]: "Luxon", [browsers]: "Chrome" } }]);
});

test("B8.5 what nobody answered has no answer, and nothing at all cannot be sent", async () => {
  const { answers, terminal } = opened(threeQuestions);
  await terminal.press(key.tab, key.tab, key.tab, key.enter);
  expect(answers).toEqual([]);
  expect((await terminal.screen()).join("\n")).toContain("Nothing is answered yet");
  await terminal.press(key.shiftTab, key.shiftTab, "1", key.tab, key.enter);
  expect(answers).toEqual([{ status: "answered", answers: { [tests]: "Beside the files" } }]);
});

test("B8.5 leaving with answers given asks once more; declining and dismissing stay different", async () => {
  const left = opened(threeQuestions);
  await left.terminal.press("1", key.escape);
  expect(left.answers).toEqual([]);
  expect((await left.terminal.screen()).join("\n")).toContain("loses your answers");
  await left.terminal.press(key.escape);
  expect(left.answers).toEqual([{ status: "dismissed" }]);
  const declined = opened(threeQuestions);
  await declined.terminal.press("1", "x", "x");
  expect(declined.answers).toEqual([{ status: "declined" }]);
});

test("B2.4 keys that came too soon do not answer", async () => {
  const { answers, terminal } = opened(oneQuestion);
  await terminal.pass(0);
  await terminal.send("1", key.enter);
  expect(answers).toEqual([]);
});

function opened(
  questions: readonly UserQuestion[],
  options: EmulatorOptions = {},
): {
  readonly answers: QuestionAnswer[];
  readonly terminal: Emulator;
} {
  const terminal = emulator(options);
  const answers: QuestionAnswer[] = [];
  terminal.show(questionsDialog(questions, terminal.surface, (answer) => answers.push(answer)));
  return { answers, terminal };
}
