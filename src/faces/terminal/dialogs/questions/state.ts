/** Questions as a value: which one is open, what is picked and typed for each; nothing is picked that nobody picked (B8.5). */
import type { QuestionAnswer, UserQuestion } from "../../../../core/questions.ts";
import { emptyBox, type TextBox } from "../../keys/text-box.ts";

export interface QuestionsState {
  readonly questions: readonly UserQuestion[];
  /** One for each question, then the review. */
  readonly tab: number;
  readonly answering: readonly AnswerDraft[];
  readonly notes: TextBox;
  readonly typing: "other" | "notes" | null;
  /** On the review: send, or decline. */
  readonly selected: number;
  /** What was chosen although something would be lost; it counts when it is chosen again. */
  readonly doubted: "decline" | "dismiss" | null;
  readonly says: string | null;
}

export interface AnswerDraft {
  /** The options in their order, then words of one's own. */
  readonly cursor: number;
  readonly picked: readonly number[];
  readonly other: TextBox;
}

export const unanswered: AnswerDraft = { cursor: 0, picked: [], other: emptyBox };

export function openedQuestions(questions: readonly UserQuestion[]): QuestionsState {
  return {
    questions,
    tab: 0,
    answering: questions.map(() => unanswered),
    notes: emptyBox,
    typing: null,
    selected: 0,
    doubted: null,
    says: null,
  };
}

/** A single question with a single answer is sent when it is answered; everything else is looked over first. */
export function hasReview({ questions }: QuestionsState): boolean {
  return questions.length > 1 || questions[0]?.multiSelect === true;
}

export function isReviewing({ tab, questions }: QuestionsState): boolean {
  return tab === questions.length;
}

/** The answer in words; "" when there is none. */
export function answerText({ options }: UserQuestion, { picked, other }: AnswerDraft): string {
  const chosen = picked.filter((index) => index < options.length).map((index) => options[index]!.label);
  const own = picked.includes(options.length) ? [other.text.trim()] : [];
  return [...chosen, ...own].filter((text) => text !== "").join(", ");
}

export function answersOf({ questions, answering, notes }: QuestionsState): QuestionAnswer | null {
  const given = questions.map(
    (question, index) => [question.question, answerText(question, answering[index]!)] as const,
  );
  const answers = Object.fromEntries(given.filter(([, text]) => text !== ""));
  const said = notes.text.trim();
  if (Object.keys(answers).length === 0 && said === "") return null;
  return { status: "answered", answers, ...(said === "" ? {} : { notes: said }) };
}

export function isTouched(state: QuestionsState): boolean {
  return answersOf(state) !== null || state.answering.some(({ other }) => other.text.trim() !== "");
}
