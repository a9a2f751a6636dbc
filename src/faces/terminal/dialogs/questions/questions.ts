/** The question dialog: one to four questions as tabs, options, words of one's own, notes, a look over before sending. */
import type { QuestionAnswer, UserQuestion } from "../../../../core/questions.ts";
import { columnsOf, safeLine, safeText } from "../../view/safe-text.ts";
import { wrapText } from "../../view/spans.ts";
import type { Dialog, Surface } from "../../overlays/surface.ts";
import type { Theme } from "../../view/theme.ts";
import { dialogOf, type DialogScreen } from "../component.ts";
import { choiceRows, hints, rule, tooSoonRow, type KeyHint } from "../frame.ts";
import { answerText, hasReview, isReviewing, openedQuestions, type QuestionsState } from "./state.ts";
import { updateQuestions } from "./update.ts";
import { boxRows } from "../../keys/line-view.ts";

export const questionsDialog: Dialog<readonly UserQuestion[], QuestionAnswer> = (questions, surface, done) =>
  dialogOf<QuestionsState, QuestionAnswer>({
    surface,
    done,
    initial: openedQuestions(questions),
    update: (state, key) => updateQuestions(state, key, surface.keys),
    takesText: ({ typing }) => typing !== null,
    view: (state, screen) => questionRows(state, surface, screen),
  });

function questionRows(state: QuestionsState, surface: Surface, screen: DialogScreen): readonly string[] {
  const { theme } = surface;
  const { columns, rows } = screen;
  const total = state.questions.length;
  const title = isReviewing(state)
    ? "Your answers"
    : total === 1
      ? "A question for you"
      : `Question ${state.tab + 1} of ${total}`;
  const header = [rule(title, { width: columns, style: theme.accent }), ...tabRows(state, theme, columns)];
  const footer = footerRows(state, surface, screen);
  const height = Math.max(1, rows - header.length - footer.length);
  const look = { theme, columns, isTight: rows < 16, height };
  const body = isReviewing(state) ? reviewRows(state, look) : optionRows(state, look);
  return [...header, ...body.slice(0, height), ...footer].slice(-rows);
}

interface Look {
  readonly theme: Theme;
  readonly columns: number;
  readonly isTight: boolean;
  readonly height: number;
}

function tabRows(state: QuestionsState, theme: Theme, columns: number): readonly string[] {
  if (!hasReview(state)) return [];
  const named = (room: number): readonly string[] =>
    state.questions.map((question, index) => {
      const isAnswered = answerText(question, state.answering[index]!) !== "";
      return `${isAnswered ? "✓" : "·"} ${safeLine(question.header, room)}`;
    });
  const fits = (room: number): boolean => named(room).reduce((sum, name) => sum + columnsOf(name) + 3, 6) <= columns;
  const room = [24, 16, 12, 10, 8, 7, 6, 5, 4, 3].find(fits) ?? 3;
  const names = named(room);
  const tabs = [...names, "Send"].map((name, index) =>
    index === state.tab ? theme.marked(` ${name} `) : theme.dim(` ${name} `),
  );
  return [tabs.join(" ")];
}

/** The question stays; of the options those around the cursor are shown. */
function optionRows(state: QuestionsState, { theme, columns, isTight, height }: Look): readonly string[] {
  const question = state.questions[state.tab]!;
  const { cursor, picked, other } = state.answering[state.tab]!;
  const half = Math.max(1, Math.floor(height / 2));
  const asked = wrapText(safeText(question.question.slice(0, 2_000)), columns - 2).slice(0, half);
  const own = other.text.trim() === "" ? "Something else (type it)" : `In your own words: ${other.text.trim()}`;
  const entries = [...question.options, { label: own, description: "" }].map(({ label, description }, index) => {
    const isHere = index === cursor;
    const mark = question.multiSelect ? (picked.includes(index) ? "[x] " : "[ ] ") : picked.includes(index) ? "✓ " : "";
    const head = `${isHere ? "❯" : " "} ${index + 1}. ${mark}`;
    const first = (isHere ? theme.selected : theme.plain)(head + safeLine(label, columns - columnsOf(head) - 1));
    const more =
      description === "" || (isTight && !isHere) ? [] : wrapText(safeText(description.slice(0, 1_000)), columns - 7);
    return [first].concat(more.slice(0, isTight ? 2 : 4).map((row) => theme.dim(`      ${row}`)));
  });
  const room = Math.max(1, height - asked.length - (isTight ? 0 : 2));
  const gap = isTight ? [] : [""];
  return [...gap, ...asked.map((row) => theme.bold(` ${row}`)), ...gap, ...around(entries, cursor, room)];
}

/** As many entries as fit, the one at the cursor whole. */
function around(entries: readonly (readonly string[])[], cursor: number, room: number): readonly string[] {
  let first = 0;
  const rowsTo = (from: number): number => entries.slice(from, cursor + 1).flat().length;
  while (first < cursor && rowsTo(first) > room) first += 1;
  return entries.slice(first).flat().slice(0, room);
}

function reviewRows(state: QuestionsState, { theme, columns, isTight, height }: Look): readonly string[] {
  const lines = state.questions.flatMap((question, index) => {
    const answer = answerText(question, state.answering[index]!);
    if (isTight) return [shortAnswer(question.header, answer, { theme, columns })];
    const shown =
      answer === "" ? theme.warning("   not answered") : `   ${theme.selected(safeLine(answer, columns - 4))}`;
    return [theme.dim(` ${safeLine(question.question, columns - 2)}`), shown];
  });
  const said = state.notes.text.trim();
  const notes = isTight
    ? [shortAnswer("Notes", said, { theme, columns })]
    : [theme.dim(" Notes"), `   ${safeLine(said, columns - 4)}`];
  const gap = isTight ? [] : [""];
  const choices = choiceRows(sendOrDecline, { width: columns, rows: 2, selected: state.selected, theme });
  const room = Math.max(1, height - choices.length - 2 * gap.length);
  return [...gap, ...[...lines, ...(said === "" ? [] : notes)].slice(0, room), ...gap, ...choices];
}

const sendOrDecline = [
  { label: "Send these answers", letter: "s" },
  { label: "Decline to answer", letter: "x" },
];

/** Where there is little room: all answers in view all the same, one line each. */
function shortAnswer(name: string, answer: string, { theme, columns }: Pick<Look, "theme" | "columns">): string {
  const head = ` ${safeLine(name, Math.floor(columns / 2))}: `;
  const room = Math.max(1, columns - columnsOf(head) - 1);
  return theme.dim(head) + (answer === "" ? theme.warning("not answered") : theme.selected(safeLine(answer, room)));
}

function footerRows(
  state: QuestionsState,
  surface: Surface,
  { columns, rows, tooSoon }: DialogScreen,
): readonly string[] {
  const { theme, keys } = surface;
  const isTight = rows < 16;
  const look = { width: columns, rows: isReviewing(state) && state.questions.length + 7 > rows ? 1 : 2, theme };
  const help = (...does: readonly KeyHint[]): readonly string[] => hints(does, look);
  const [enter, esc] = [keys.label("confirm"), keys.label("dismiss")];
  if (state.typing !== null) {
    const box = state.typing === "other" ? state.answering[state.tab]!.other : state.notes;
    const hint = state.typing === "other" ? "Your answer" : "Anything the model should know besides";
    const title = theme.heading(state.typing === "other" ? " In your own words" : " Notes");
    const typing = boxRows(box, { width: columns - 1, rows: isTight ? 2 : 4, theme, hint }).map((row) => ` ${row}`);
    return [title, ...typing, ...help([enter, "keep"], [esc, "back"])];
  }
  if (state.doubted !== null)
    return [theme.warning(` ${safeLine("Once more goes on and loses your answers.", columns - 2)}`)];
  if (tooSoon) return [tooSoonRow(columns, theme)];
  if (state.says !== null) return [theme.warning(` ${safeLine(state.says, columns - 2)}`)];
  const isMulti = state.questions[state.tab]?.multiSelect === true;
  const isLast = isReviewing(state);
  const mark: readonly KeyHint[] = isMulti && !isLast ? [[keys.label("toggle"), "mark"]] : [];
  const answer: KeyHint = [enter, isLast ? "choose" : isMulti ? "next" : "answer"];
  const back: KeyHint = [keys.label("previousField"), "back"];
  if (look.rows === 1) return help(...mark, answer, [esc, "stop"], back);
  const turn: KeyHint = isLast ? back : [keys.label("nextField"), "next"];
  const tabs = !hasReview(state) || isMulti ? [] : [turn];
  return help(["↑↓", "move"], ...mark, answer, ...tabs, ["n", "notes"], ["x", "decline"], [esc, "stop"]);
}
