/** A request that was put before this surface: at most one answer leaves it, and what became of that the session tells. */
import type { ReviewRequest } from "../../../core/plan/review.ts";
import type { Answerer } from "../../../core/verdict.ts";
import type { ReviewAnswer } from "../../../agent/ports/ports.ts";
import type { Taken } from "./desk.ts";
import { pledge } from "./pledge.ts";

export interface Asked {
  readonly request: ReviewRequest;
  /** Null: ours counted. */
  readonly outcome: Promise<Taken>;
  readonly isOpen: () => boolean;
  /** The answer that left from here, and the tab that it came from. */
  readonly given: () => Given | null;
  readonly answer: (answer: NonNullable<ReviewAnswer>, tab: string | null) => void;
  /** Answered elsewhere, or withdrawn: the session will say which. */
  readonly leave: () => void;
  readonly close: (taken: Taken) => void;
}

export interface Given {
  readonly by: Answerer;
  readonly tab: string | null;
}

export function askedOf(request: ReviewRequest, resolve: (answer: ReviewAnswer) => void): Asked {
  let isOpen = true;
  let given: Given | null = null;
  const { promise: outcome, keep: close } = pledge<Taken>();
  return {
    request,
    outcome,
    isOpen: () => isOpen,
    given: () => given,
    answer(answer, tab) {
      isOpen = false;
      given = { by: answer.by, tab };
      resolve(answer);
    },
    leave() {
      isOpen = false;
      resolve(null);
    },
    close,
  };
}
