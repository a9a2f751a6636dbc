/** Gives kept answers to the session that they are for: a decision to the very request and text it was made on, words as words. */
import type { Effect } from "../../core/effect.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { Happening, SessionHandle } from "../loop/handle.ts";
import { answerStore, type AnswerStore, type FoundAnswer } from "./kept-answers.ts";
import { sayPlanWords } from "./plan-words.ts";
import type { Person, ReviewAnswer } from "../ports/ports.ts";

export interface KeptReviewOptions {
  readonly home: string;
  readonly prompts: Prompts;
  readonly tell: (line: string) => void;
}

export interface KeptReview {
  /** That person, who is asked at once; an answer that is kept, now or meanwhile, counts as well: the first one. */
  beside(person: Person): Person;
  /** The same, but that person is spared a question which was answered already. */
  before(person: Person): Person;
  /** What was answered otherwise needs no kept answer any more. */
  readonly listen: (happening: Happening) => void;
  /**
   * Gives words to the model whenever no plan is under review; ends with the function that it gives back. It begins when whoever is
   * behind a review that waited already has been asked.
   */
  follow(current: () => SessionHandle): Promise<() => void>;
}

export function keptReview({ home, prompts, tell }: KeptReviewOptions): KeptReview {
  const storeOf = (session: string): AnswerStore => answerStore(home, session, tell);
  /** By the request. */
  const given = new Map<string, FoundAnswer>();
  /** Requests of this very process that nobody can have seen before now. */
  const fresh = new Set<string>();
  /** Looks that are under way: afterwards the person has been asked, or needs not be. */
  const asking = new Set<Promise<unknown>>();
  /** Names of what was given once: removed in a moment. */
  const spent = new Set<string>();

  const look = async (request: ReviewRequest): Promise<ReviewAnswer> => {
    const store = storeOf(sessionOf(request.id));
    const isUnseen = fresh.delete(request.id);
    for (const answer of await store.list()) {
      if (isUnseen && answer.requestId === request.id) {
        tell(`an answer (${answer.verdict.kind}) that was there before its question does not count and was removed`);
        await store.drop(answer.name);
        continue;
      }
      const isRefused = given.get(request.id)?.name === answer.name;
      if (spent.has(answer.name) && !isRefused) continue;
      if (isFitting(answer, request) && !isRefused) {
        given.set(request.id, answer);
        spent.add(answer.name);
        return { verdict: answer.verdict, by: answer.by };
      }
      if (answer.requestId === null && !isRefused) continue;
      tell(
        `an answer (${answer.verdict.kind}) that was kept for an earlier text of this plan does not count; look again`,
      );
      await store.drop(answer.name);
    }
    return null;
  };

  const watch = (request: ReviewRequest, signal: AbortSignal): Promise<ReviewAnswer> =>
    new Promise((resolve) => {
      const again = async (): Promise<void> => {
        if (signal.aborted) return resolve(null);
        const found = await look(request).catch(() => null);
        if (found !== null) resolve(found);
        else setTimeout(() => void again(), pollMs).unref();
      };
      void again();
    });

  /** That person's answer, or one that is kept meanwhile. */
  const either = async (person: Person, request: ReviewRequest, signal: AbortSignal): Promise<ReviewAnswer> => {
    const own = new AbortController();
    signal.addEventListener("abort", () => own.abort(), { once: true });
    try {
      return await Promise.race([person.review(request, own.signal), answered(watch(request, own.signal))]);
    } finally {
      own.abort();
    }
  };

  const forget = async ({ requestId, by }: Extract<Effect, { type: "close-review" }>): Promise<void> => {
    const ours = given.get(requestId);
    given.delete(requestId);
    if (ours !== undefined && ours.by !== by) spent.delete(ours.name);
    const store = storeOf(sessionOf(requestId));
    for (const answer of await store.list()) {
      const isUsed = by !== null && ours?.by === by && ours.name === answer.name;
      if (!isUsed && answer.requestId !== requestId) continue;
      await store.drop(answer.name);
      if (!isUsed) tell(`an answer (${answer.verdict.kind}) that was kept came too late and did not count`);
    }
  };

  const sayWords = async (handle: SessionHandle): Promise<void> => {
    const { id, turn } = handle.state;
    if (id === "" || turn.open.some(({ state }) => "request" in state)) return;
    const store = storeOf(id);
    for (const { name, requestId, verdict, file } of await store.list()) {
      if (requestId !== null || verdict.kind !== "revise" || spent.has(name)) continue;
      spent.add(name);
      await sayPlanWords(handle, prompts, { ...verdict, file });
      await store.drop(name);
    }
  };

  return {
    beside: (person) => ({ ...person, review: (request, signal) => either(person, request, signal) }),
    before: (person) => ({
      ...person,
      async review(request, signal) {
        const looked = look(request).catch(() => null);
        const asked = looked.then((found) => found ?? { waiting: either(person, request, signal) });
        asking.add(asked);
        const answer = await asked;
        asking.delete(asked);
        return "waiting" in answer ? answer.waiting : answer;
      },
    }),
    listen(happening) {
      const told =
        happening.kind === "agent" && happening.news.kind === "within" ? happening.news.happening : happening;
      if (told.kind !== "event") return;
      for (const effect of told.effects) {
        if (effect.type === "close-review") void forget(effect).catch(() => undefined);
        if (effect.type === "request-review" && told.event.type !== "session-resumed") fresh.add(effect.request.id);
      }
    },
    async follow(current) {
      await Promise.all(asking);
      await sayWords(current());
      const timer = setInterval(() => void sayWords(current()).catch(() => undefined), wordsMs).unref();
      return () => clearInterval(timer);
    },
  };
}

const pollMs = 250;
const wordsMs = 1000;

/** Made on exactly this request's text, or words on its plan, which are no approval of anything. */
function isFitting({ requestId, file, hash, verdict }: FoundAnswer, request: ReviewRequest): boolean {
  if (requestId === null) return verdict.kind === "revise" && file === request.planFile;
  return requestId === request.id && hash === request.hash;
}

/** Only an answer ends the wait. */
function answered(answer: Promise<ReviewAnswer>): Promise<ReviewAnswer> {
  return new Promise((resolve) => void answer.then((found) => found !== null && resolve(found)));
}

function sessionOf(requestId: string): string {
  return requestId.replace(/-review-\d+$/, "");
}
