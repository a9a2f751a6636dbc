/** How far an agent may go: turns, tokens, and time in which nobody is waited for. */
import { tokensOf } from "../../core/usage.ts";
import type { Happening } from "../ports/handle.ts";

export interface AgentLimits {
  readonly turns: number;
  /** All of them, those from the cache included. */
  readonly tokens: number;
  readonly milliseconds: number;
}

export const agentLimits: AgentLimits = { turns: 30, tokens: 3_000_000, milliseconds: 15 * 60_000 };

/** The limit that this happening goes beyond, in words; null while all is well. */
export function limitReached(happening: Happening, { turns, tokens }: AgentLimits): string | null {
  if (happening.kind !== "event") return null;
  const { effects, session } = happening;
  const next = effects.find((effect) => effect.type === "call-model");
  if (next === undefined) return null;
  if (next.request > turns) return `${turns} turns`;
  return tokensOf(session.usage.total) > tokens ? `${tokens} tokens` : null;
}

export type Stopwatch = ReturnType<typeof startStopwatch>;

export function startStopwatch(milliseconds: number, over: () => void) {
  let left = milliseconds;
  let since = performance.now();
  let waiters = 0;
  let timer: NodeJS.Timeout | null = setTimeout(over, left);
  const pause = (): void => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    left -= performance.now() - since;
  };
  return {
    /** Time does not run while this is awaited. */
    waiting: async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
      waiters += 1;
      pause();
      try {
        return await answer;
      } finally {
        waiters -= 1;
        if (waiters === 0 && left !== Infinity) {
          since = performance.now();
          timer = setTimeout(over, Math.max(0, left));
        }
      }
    },
    stop(): void {
      pause();
      left = Infinity;
    },
  };
}
