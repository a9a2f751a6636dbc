/** An agent's way to the person: its parent's surface, each question labelled with the agent (R7.13, R10.6). */
import { agentQuestionId, questionsOf } from "../ports/handle.ts";
import type { Person } from "../ports/ports.ts";

export interface Asker {
  readonly id: string;
  readonly name: string;
  /** While a person is asked, the agent's time stands still. */
  readonly waiting: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
}

export function personFor(person: Person, { id, name, waiting }: Asker): Person {
  return {
    /** The request itself says whose plan it is. */
    review: (request, signal, send) => waiting(person.review(request, signal, send)),
    permit: (ask, signal, send) =>
      waiting(person.permit({ ...ask, id: agentQuestionId(id, ask.id), agent: id }, signal, send)),
    answer: (asked, signal, send) =>
      waiting(
        person.answer(
          { id: agentQuestionId(id, asked.id), questions: questionsOf(name, asked.questions) },
          signal,
          send,
        ),
      ),
  };
}
