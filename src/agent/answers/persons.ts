/** Who answers: nobody, or another program that sends lines. Faces bring persons of their own. */
import type { Answerer, Verdict } from "../../core/verdict.ts";
import type { SendRefused } from "../ports/handle.ts";
import type { PermissionAnswer, Person, QuestionAnswer, ReviewAnswer, Send, UserQuestion } from "../ports/ports.ts";
import { askSurface, unsent, untilAborted } from "./ask-surface.ts";

/** Headless without an answering program: questions are refused with a reason, a plan is the run's result (B4.4, R7.11). */
export function nobody(): Person {
  return {
    review: async () => null,
    permit: async () => ({ allowed: false, by: null }),
    answer: async () => ({ status: "not-shown" }),
  };
}

/** Several surfaces at once: each is asked and sends what it answers; the session takes the first, and tells the others. */
export function everyone(...persons: readonly Person[]): Person {
  const absent = nobody();
  /** Ends when nobody is there, or with the signal. */
  const each = async (signal: AbortSignal, ask: (person: Person) => Promise<boolean>): Promise<null> => {
    const there = await Promise.all(persons.map(ask));
    return there.includes(true) ? untilAborted(signal) : null;
  };
  return {
    review: (request, signal, send = unsent) =>
      each(signal, (person) => askSurface((given) => person.review(request, signal, given), { send, signal })),
    async permit(question, signal, send = unsent) {
      const asked = { send, signal, isNobody: isByNobody };
      await each(signal, (person) => askSurface((given) => person.permit(question, signal, given), asked));
      return absent.permit(question, signal);
    },
    /** A tool asks for itself: the first who shows the questions. */
    answer: (questions, signal) =>
      new Promise((resolve, reject) => {
        const own = new AbortController();
        signal.addEventListener("abort", () => own.abort(), { once: true });
        let waiting = persons.length;
        const take = (answer: QuestionAnswer): void => {
          waiting -= 1;
          if (answer.status === "not-shown" && waiting > 0) return;
          resolve(answer);
          own.abort();
        };
        for (const person of persons) person.answer(questions, own.signal).then(take, reject);
      }),
  };
}

type AskedKind = "review" | "permission";

/** Answers that come from outside, each to the question with its id. */
export interface AnswerDesk extends Person {
  /** Resolves to why it does not count. */
  decide(requestId: string, verdict: Verdict): Promise<SendRefused | null>;
  permitted(
    questionId: string,
    answer: { readonly allowed: boolean; readonly reason?: string },
  ): Promise<SendRefused | null>;
  /** False when no question with that id waits. */
  answered(questionId: string, answer: QuestionAnswer): boolean;
  /** The other program was told of this question or review: its answer counts, even if it comes before we ask for it. */
  expect(kind: AskedKind, id: string): void;
  /** It was taken back. */
  forget(kind: AskedKind, id: string): void;
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
  const reviews = openQuestions<ReviewAnswer>();
  const permissions = openQuestions<PermissionAnswer>();
  const questions = new Map<string, (answer: QuestionAnswer) => void>();
  const told = { review: reviews.told, permission: permissions.told };
  const gone = new AbortController();
  let asked = 0;
  return {
    async review({ id }, signal, send = unsent) {
      return reviews.wait(id, send, AbortSignal.any([signal, gone.signal]));
    },
    async permit(ask, signal, send = unsent) {
      await permissions.wait(ask.id, send, AbortSignal.any([signal, gone.signal]));
      return absent.permit(ask, signal);
    },
    answer(list, signal) {
      if (gone.signal.aborted) return Promise.resolve({ status: "not-shown" });
      const id = `ask${(asked += 1)}`;
      const answer = new Promise<QuestionAnswer>((resolve) => {
        questions.set(id, resolve);
        void untilAborted(AbortSignal.any([signal, gone.signal])).then(() => resolve({ status: "dismissed" }));
      });
      onQuestion(id, list);
      return answer.finally(() => questions.delete(id));
    },
    decide: (id, verdict) => reviews.give(id, { verdict, by }),
    permitted: (id, answer) => permissions.give(id, { ...answer, by }),
    answered(id, answer) {
      questions.get(id)?.(answer);
      return questions.delete(id);
    },
    expect: (kind, id) => void told[kind].add(id),
    forget: (kind, id) => void told[kind].delete(id),
    leave: () => gone.abort(),
  };
}

interface OpenQuestions<Answer> {
  /** Ids that the other program knows, and that were not asked for here yet. */
  readonly told: Set<string>;
  wait(id: string, send: Send<Answer>, signal: AbortSignal): Promise<null>;
  give(id: string, answer: NonNullable<Answer>): Promise<SendRefused | null>;
}

function openQuestions<Answer>(): OpenQuestions<Answer> {
  const told = new Set<string>();
  const open = new Map<string, Send<Answer>>();
  const early = new Map<string, NonNullable<Answer>>();
  return {
    told,
    async wait(id, send, signal) {
      told.delete(id);
      const answer = early.get(id);
      if (answer !== undefined) await send(answer);
      open.set(id, send);
      await untilAborted(signal);
      early.delete(id);
      open.delete(id);
      return null;
    },
    async give(id, answer) {
      const send = open.get(id);
      if (send !== undefined) return send(answer);
      if (!told.delete(id)) return { reason: "unknown-request" };
      early.set(id, answer);
      return null;
    },
  };
}

function isByNobody({ by }: PermissionAnswer): boolean {
  return by === null;
}
