/** A person who answers from a script, and remembers what was asked. */
import type { PermissionAsk, Person } from "../agent/ports/ports.ts";
import type { QuestionAnswer, UserQuestion } from "../core/questions.ts";
import type { ReviewRequest } from "../core/plan/review.ts";
import type { Verdict } from "../core/verdict.ts";

export type ScriptedVerdict = Verdict | ((request: ReviewRequest) => Verdict | Promise<Verdict>);

export interface PersonScript {
  /** One for each review; after the last, nobody answers. */
  readonly reviews?: readonly ScriptedVerdict[];
  /** Answers every permission question; without it nobody can be asked. */
  readonly permit?: (ask: PermissionAsk) => boolean | Promise<boolean>;
  readonly answer?: (questions: readonly UserQuestion[]) => QuestionAnswer;
}

export interface ScriptedPerson extends Person {
  readonly reviewed: readonly ReviewRequest[];
  readonly asked: readonly PermissionAsk[];
}

const by = { user: "ada", surface: "script" };

export function scriptedPerson({ reviews = [], permit, answer }: PersonScript = {}): ScriptedPerson {
  const reviewed: ReviewRequest[] = [];
  const asked: PermissionAsk[] = [];
  return {
    reviewed,
    asked,
    async review(request) {
      const verdict = reviews[reviewed.length];
      reviewed.push(request);
      if (verdict === undefined) return null;
      return { verdict: typeof verdict === "function" ? await verdict(request) : verdict, by };
    },
    async permit(ask) {
      asked.push(ask);
      return permit === undefined ? null : { allowed: await permit(ask), by };
    },
    async answer({ questions }) {
      return answer === undefined ? null : { answer: answer(questions), by };
    },
  };
}

/** Approves exactly the text that is shown. */
export function approveShown(
  options: Omit<Extract<Verdict, { kind: "approve" }>, "kind" | "hash"> = {},
): ScriptedVerdict {
  return ({ hash }) => ({ kind: "approve", hash, ...options });
}
