/** Who answers: nobody, or another program that sends lines. Faces bring persons of their own. */
import type { Answerer, Verdict } from "../../core/verdict.ts";
import { noOffers, type RuleOffers } from "../../core/decide/offers.ts";
import type { QuestionAnswer } from "../../core/questions.ts";
import type { SendRefused } from "../ports/handle.ts";
import type { PermissionAnswer, Person, QuestionReply, ReviewAnswer, Send } from "../ports/ports.ts";
import { askSurfaces, unsent, untilAborted, type Asked } from "./ask-surface.ts";

/** Headless without an answering program: questions are refused with a reason, a plan is the run's result (B4.4, R7.11). */
export function nobody(): Person {
  return {
    review: async () => null,
    permit: async () => null,
    answer: async () => null,
  };
}

/** Several surfaces at once: each is asked and sends what it answers; the session takes the first, and tells the others. */
export function everyone(...persons: readonly Person[]): Person {
  const each = <Answer>(ask: (person: Person, send: Send<Answer>) => Promise<Answer>, asked: Asked<Answer>) =>
    askSurfaces(
      persons.map((person) => (given: Send<Answer>) => ask(person, given)),
      asked,
    );
  return {
    review: (request, signal, send = unsent) =>
      each((person, given) => person.review(request, signal, given), { send, signal }),
    permit: (ask, signal, send = unsent) =>
      each((person, given) => person.permit(ask, signal, given), { send, signal }),
    answer: (asked, signal, send = unsent) =>
      each((person, given) => person.answer(asked, signal, given), { send, signal }),
    expect: (requestId, send) => persons.forEach((person) => person.expect?.(requestId, send)),
  };
}

export type AnswerDesk = ReturnType<typeof answerDesk>;

/** Answers that come from outside, each to the question with its id; each resolves to why it does not count. */
export function answerDesk(by: Answerer) {
  /** The way of each answer to its session, which refuses what comes too late. */
  const reviews = new Map<string, Send<ReviewAnswer>>();
  const permissions = new Map<string, Send<PermissionAnswer>>();
  const offered = new Map<string, RuleOffers>();
  const questions = new Map<string, Send<QuestionReply>>();
  const gone = new AbortController();
  const closed = (signal: AbortSignal): Promise<null> => untilAborted(AbortSignal.any([signal, gone.signal]));
  const person: Person = {
    review({ id }, signal, send = unsent) {
      reviews.set(id, send);
      return closed(signal);
    },
    permit({ id, offers = noOffers }, signal, send = unsent) {
      permissions.set(id, send);
      offered.set(id, offers);
      return closed(signal);
    },
    async answer({ id }, signal, send = unsent) {
      if (gone.signal.aborted) return null;
      questions.set(id, send);
      await closed(signal);
      return { answer: { status: "dismissed" }, by };
    },
    expect: (id, send) => void reviews.set(id, send),
  };
  return {
    ...person,
    decide: (requestId: string, verdict: Verdict) => sent(reviews, requestId, { verdict, by }),
    /** A yes for more than once is remembered by the rules that the question offered. */
    permitted: (questionId: string, answer: Permitted, scope: "once" | "session" | "always" = "once") =>
      sent(permissions, questionId, { ...answer, ...keptFor(scope, offered.get(questionId)), by }),
    answered: (questionId: string, answer: QuestionAnswer) => sent(questions, questionId, { answer, by }),
    /** No more answers will come: everything that waits, now or later, is answered as by nobody. */
    leave: (): void => gone.abort(),
  };
}

type Permitted = Pick<NonNullable<PermissionAnswer>, "allowed" | "reason" | "stop">;

function keptFor(scope: "once" | "session" | "always", { session, always }: RuleOffers = noOffers) {
  if (scope === "session" && session.length > 0) return { forSession: session };
  return scope === "always" && always.length > 0 ? { remember: always } : {};
}

/** A question is asked right behind the event that tells of it: an answer out of that very event waits for that. */
async function sent<Answer>(
  ways: ReadonlyMap<string, Send<Answer>>,
  id: string,
  answer: NonNullable<Answer>,
): Promise<SendRefused | null> {
  await Promise.resolve();
  return ways.get(id)?.(answer) ?? { reason: "unknown-request" };
}
