/** Gives kept answers to the session that they are for: a decision to the very request and text it was made on, words as words. */
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { Happening, SessionHandle } from "../ports/handle.ts";
import { askSurfaces, isLate, unsent, untilAborted, type Asked } from "./ask-surface.ts";
import { answerStore, type AnswerStore, type FoundAnswer } from "./kept-answers.ts";
import { sayPlanWords } from "./plan-words.ts";
import type { Person, ReviewAnswer, Send } from "../ports/ports.ts";

export interface KeptReviewOptions {
  readonly home: string;
  readonly prompts: Prompts;
  readonly tell: (line: string) => void;
}

export type KeptReview = ReturnType<typeof keptReview>;

export function keptReview(options: KeptReviewOptions) {
  const giving = givingOut(options);
  /** Looks that are under way: afterwards the person has been asked, or needs not be. */
  const asking = new Set<Promise<unknown>>();
  /** That person, and beside them what is kept meanwhile. */
  const ask = async (person: Person, request: ReviewRequest, { signal, send }: Asked<ReviewAnswer>): Promise<null> => {
    const looking = setInterval(() => {
      if (signal.aborted) clearInterval(looking);
      else void giving.look(request, send).catch(() => false);
    }, pollMs).unref();
    const over = await askSurfaces([(given) => person.review(request, signal, given)], { send, signal });
    clearInterval(looking);
    return over;
  };
  return {
    /** That person, who is spared a question that was answered already; what is kept meanwhile counts as well: the first answer. */
    before: (person: Person): Person => ({
      ...person,
      async review(request, signal, send = unsent) {
        person.expect?.(request.id, send);
        const looked = giving.look(request, send).catch(() => false);
        asking.add(looked);
        const answer = (await looked) ? untilAborted(signal) : ask(person, request, { signal, send });
        asking.delete(looked);
        return answer;
      },
    }),
    /** What was answered otherwise needs no kept answer any more. */
    listen: (happening: Happening): void => {
      const told =
        happening.kind === "agent" && happening.news.kind === "within" ? happening.news.happening : happening;
      if (told.kind !== "event") return;
      const { id: session } = told.session;
      for (const effect of told.effects) {
        if (effect.type === "request-review")
          giving.opened(effect.request.id, { session, isFresh: told.event.type !== "session-resumed" });
        if (effect.type === "close-review") void giving.closed(session, effect.requestId).catch(() => undefined);
      }
    },
    /**
     * Gives words to the model whenever no plan is under review; ends with the function that it gives back. It begins when whoever is
     * behind a review that waited already has been asked.
     */
    async follow(current: () => SessionHandle): Promise<() => void> {
      await Promise.all(asking);
      await giving.sayWords(current());
      const timer = setInterval(() => void giving.sayWords(current()).catch(() => undefined), wordsMs).unref();
      return () => clearInterval(timer);
    },
  };
}

/** The session of a request that is open, and whether nobody can have seen it before now. */
interface OpenReview {
  readonly session: string;
  readonly isFresh: boolean;
}

function givingOut({ home, prompts, tell }: KeptReviewOptions) {
  const storeOf = (session: string): AnswerStore => answerStore(home, session, tell);
  const open = new Map<string, OpenReview>();
  /** Names of what is being given: removed in a moment. */
  const spent = new Set<string>();
  return {
    opened: (requestId: string, review: OpenReview) => void open.set(requestId, review),
    /** What was kept for it comes too late. */
    async closed(session: string, requestId: string): Promise<void> {
      open.delete(requestId);
      const store = storeOf(session);
      for (const { name, requestId: id, verdict } of await store.list()) {
        if (id !== requestId || spent.has(name)) continue;
        if (await store.drop(name)) tell(`an answer (${verdict.kind}) that was kept ${tooLate}`);
      }
    },
    /** True when an answer that was kept is taken. */
    async look(request: ReviewRequest, send: Send<ReviewAnswer>): Promise<boolean> {
      const asked = open.get(request.id);
      if (asked === undefined) return false;
      const { session, isFresh } = asked;
      const store = storeOf(session);
      open.set(request.id, { session, isFresh: false });
      for (const answer of await store.list()) {
        const { name, requestId, verdict, by } = answer;
        if (spent.has(name)) continue;
        if (isFresh && requestId === request.id) {
          tell(`an answer (${verdict.kind}) that was there before its question does not count and was removed`);
          await store.drop(name);
          continue;
        }
        const isFit = isFitting(answer, request);
        if (!isFit && requestId === null) continue;
        spent.add(name);
        const refused = isFit ? await send({ verdict, by }) : ({ reason: "other-hash" } as const);
        const isOurs = await store.drop(name);
        spent.delete(name);
        if (refused === null) return true;
        if (isOurs) tell(`an answer (${verdict.kind}) that was kept ${isLate(refused) ? tooLate : ofOther}`);
      }
      return false;
    },
    async sayWords(handle: SessionHandle): Promise<void> {
      const { id, turn } = handle.state;
      if (id === "" || turn.open.some(({ state }) => "request" in state)) return;
      const store = storeOf(id);
      for (const { name, requestId, verdict, file } of await store.list()) {
        if (requestId !== null || verdict.kind !== "revise" || spent.has(name)) continue;
        spent.add(name);
        await sayPlanWords(handle, prompts, { ...verdict, file });
        await store.drop(name);
      }
    },
  };
}

const tooLate = "came too late and did not count";
const ofOther = "for an earlier text of this plan does not count; look again";
const pollMs = 250;
const wordsMs = 1000;

/** Made on exactly this request's text, or words on its plan, which are no approval of anything. */
function isFitting({ requestId, file, hash, verdict }: FoundAnswer, request: ReviewRequest): boolean {
  if (requestId === null) return verdict.kind === "revise" && file === request.planFile;
  return requestId === request.id && hash === request.hash;
}
