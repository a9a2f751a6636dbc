/** The answers to one session's plans on their way to whoever waits for them: each is kept until it is acknowledged. */
import { join } from "node:path";
import { oneAtATime } from "../../agent/host/one-at-a-time.ts";
import type { Happening } from "../../agent/ports/handle.ts";
import type { PlanAnswer } from "../../clients/review/plan-answer.ts";
import { hashText } from "../../core/plan/hash.ts";
import type { Prompts } from "../../prompts/index.ts";
import { answerOf } from "./client-words.ts";
import { endedBy, type EndedCall } from "./presented-call.ts";
import type { UndeliveredAnswers } from "./undelivered.ts";

export interface SettlingOptions {
  /** The config home. */
  readonly home: string;
  /** As people call the agent. */
  readonly title: string;
  readonly prompts: Prompts;
  readonly undelivered: UndeliveredAnswers;
  readonly tell: (line: string) => void;
  readonly onWaiting: (waits: boolean) => Promise<void>;
}

export type Settling = ReturnType<typeof createSettling>;

export function createSettling(options: SettlingOptions) {
  const { home, title, prompts, undelivered, tell, onWaiting } = options;
  const listeners = new Set<(answer: PlanAnswer) => void>();
  const inTurn = oneAtATime();
  const folder = join(home, "reviews", "feedback");
  let presented: string | null = null;
  let answer: PlanAnswer | null = null;

  const give = (given: PlanAnswer): void => {
    for (const listener of listeners) listener(given);
    listeners.clear();
  };
  const keep = (given: PlanAnswer, text: string): Promise<void> =>
    undelivered
      .keep({ hash: hashText(text), at: Date.now(), answer: given })
      .catch((error: unknown) => tell(`an answer could not be kept: ${String(error)}`));
  const settle = async (ended: EndedCall): Promise<void> => {
    const text = presented ?? ended.shown;
    const isElsewhere = ended.by?.surface === title;
    const given = isElsewhere ? null : await answerOf({ ...ended, presented: text }, { prompts, folder });
    answer =
      given ??
      nobody(
        isElsewhere ? prompts("clients-review/answered-there", { agent: title }) : prompts("clients-review/taken-back"),
      );
    await onWaiting(false);
    if (given !== null && ended.by !== null) await keep(given, text);
    give(answer);
  };

  return {
    listen(happening: Happening): void {
      const ended = happening.kind === "event" ? endedBy(happening) : null;
      if (ended !== null) void inTurn(() => settle(ended));
    },
    /** The text that is presented from now on. */
    begin(plan: string | null): void {
      presented = plan;
      answer = null;
    },
    presented: () => presented,
    /** What is on its way has arrived. */
    done: () => inTurn(() => Promise.resolve()),
    /** The answer to what was presented last, which nobody is asked about any more. */
    async settled(): Promise<PlanAnswer> {
      await inTurn(() => Promise.resolve());
      return answer ?? nobody(prompts("clients-review/taken-back"));
    },
    /** Resolves with the next answer. */
    next: () => new Promise<PlanAnswer>((resolve) => void listeners.add(resolve)),
    /** Null when the signal is aborted before. */
    async wait(signal: AbortSignal, isOpen: () => boolean): Promise<PlanAnswer | null> {
      if (!isOpen()) await inTurn(() => Promise.resolve());
      if (answer !== null || signal.aborted) return answer;
      return new Promise((resolve) => {
        const leave = (): void => {
          listeners.delete(resolve);
          resolve(null);
        };
        listeners.add(resolve);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
    async close(): Promise<void> {
      await inTurn(() => Promise.resolve());
      give(nobody(prompts("clients-review/time-over")));
    },
  };
}

function nobody(why: string): PlanAnswer {
  return { kind: "over", why, link: null };
}
