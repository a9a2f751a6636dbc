/** Who answers: nobody, or another program that sends lines. Faces bring persons of their own. */
import type { Answerer, Verdict } from "../../core/verdict.ts";
import type { Person, QuestionAnswer, UserQuestion } from "../ports/ports.ts";

/** Headless without an answering program: questions are refused with a reason, a plan is the run's result (B4.4, R7.11). */
export function nobody(): Person {
  return {
    review: async () => null,
    permit: async () => ({ allowed: false, by: null }),
    answer: async () => ({ status: "not-shown" }),
  };
}

/**
 * Several surfaces at once: each is asked, the first answer counts, the others are told to stop by their signal. A surface where nobody
 * is does not count as an answer; when all of them say so, nobody is there.
 */
export function firstOf(...persons: readonly Person[]): Person {
  const race = <Answer>(
    signal: AbortSignal,
    ask: (person: Person, own: AbortSignal) => Promise<Answer>,
    isNobody: (answer: Answer) => boolean,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const own = new AbortController();
      signal.addEventListener("abort", () => own.abort(), { once: true });
      let waiting = persons.length;
      const take = (answer: Answer): void => {
        waiting -= 1;
        if (isNobody(answer) && waiting > 0) return;
        resolve(answer);
        own.abort();
      };
      for (const person of persons) ask(person, own.signal).then(take, reject);
    });
  return {
    review: (request, signal) =>
      race(
        signal,
        (person, own) => person.review(request, own),
        (answer) => answer === null,
      ),
    permit: (question, signal) =>
      race(
        signal,
        (person, own) => person.permit(question, own),
        ({ by }) => by === null,
      ),
    answer: (questions, signal) =>
      race(
        signal,
        (person, own) => person.answer(questions, own),
        ({ status }) => status === "not-shown",
      ),
  };
}

/** Answers that come from outside, matched by id; the first one counts. */
export interface AnswerDesk extends Person {
  /** False when nothing with that id waits for such an answer. */
  decide(requestId: string, verdict: Verdict): boolean;
  permitted(questionId: string, answer: { readonly allowed: boolean; readonly reason?: string }): boolean;
  answered(questionId: string, answer: QuestionAnswer): boolean;
  /** The other program was told of this question or review: its answer counts, even if it comes before we ask for it. */
  expect(id: string): void;
  /** It was taken back. */
  forget(id: string): void;
  /** No more answers will come: everything that waits, now or later, is answered as by nobody. */
  leave(): void;
}

export interface DeskOptions {
  readonly by: Answerer;
  /** Tells the other program that its person is asked; permissions and reviews are told by the session's own events. */
  readonly onQuestion: (id: string, questions: readonly UserQuestion[]) => void;
}

export function answerDesk({ by, onQuestion }: DeskOptions): AnswerDesk {
  const absent = nobody();
  const reviews = new Map<string, (verdict: Verdict | null) => void>();
  const permissions = new Map<string, (answer: { allowed: boolean; reason?: string } | null) => void>();
  const questions = new Map<string, (answer: QuestionAnswer | null) => void>();
  const early: Early = { told: new Set(), answers: new Map() };
  let gone = false;
  let asked = 0;

  return {
    async review(request, signal) {
      const verdict = await answerTo(reviews, { id: request.id, early, signal, gone });
      return verdict === null ? null : { verdict, by };
    },
    async permit(ask, signal) {
      const answer = await answerTo(permissions, { id: ask.id, early, signal, gone });
      return answer === null ? absent.permit(ask, signal) : { ...answer, by };
    },
    async answer(list, signal) {
      if (gone) return { status: "not-shown" };
      const id = `ask${(asked += 1)}`;
      const answer = answerTo(questions, { id, early, signal, gone });
      onQuestion(id, list);
      return (await answer) ?? { status: "dismissed" };
    },
    decide: (id, verdict) => settle(reviews, id, verdict) || keepEarly(early, id, verdict),
    permitted: (id, answer) => settle(permissions, id, answer) || keepEarly(early, id, answer),
    answered: (id, answer) => settle(questions, id, answer),
    expect: (id) => void early.told.add(id),
    forget(id) {
      early.told.delete(id);
      early.answers.delete(id);
    },
    leave() {
      gone = true;
      for (const waiting of [reviews, permissions, questions] as readonly Map<string, (answer: null) => void>[]) {
        for (const [id, resolve] of waiting) {
          waiting.delete(id);
          resolve(null);
        }
      }
    },
  };
}

/** Answers that came between the telling and the asking. */
interface Early {
  readonly told: Set<string>;
  readonly answers: Map<string, unknown>;
}

function keepEarly({ told, answers }: Early, id: string, answer: unknown): boolean {
  if (!told.delete(id)) return false;
  answers.set(id, answer);
  return true;
}

interface Asking {
  readonly id: string;
  readonly early: Early;
  readonly signal: AbortSignal;
  /** No answer will come any more; one that came already counts. */
  readonly gone: boolean;
}

function answerTo<Answer>(
  waiting: Map<string, (answer: Answer | null) => void>,
  { id, early: { told, answers }, signal, gone }: Asking,
): Promise<Answer | null> {
  told.delete(id);
  if (answers.has(id)) {
    const answer = answers.get(id) as Answer;
    answers.delete(id);
    return Promise.resolve(answer);
  }
  if (gone) return Promise.resolve(null);
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    signal.addEventListener(
      "abort",
      () => {
        waiting.delete(id);
        resolve(null);
      },
      { once: true },
    );
  });
}

function settle<Answer>(waiting: Map<string, (answer: Answer | null) => void>, id: string, answer: Answer): boolean {
  const resolve = waiting.get(id);
  if (resolve === undefined) return false;
  waiting.delete(id);
  resolve(answer);
  return true;
}
