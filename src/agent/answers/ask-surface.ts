/** One surface and one question: what is answered is sent, as long as the question is open; the session alone says what counts. */
import type { SendRefused } from "../ports/handle.ts";
import type { Send } from "../ports/ports.ts";

export interface Asked<Answer> {
  readonly send: Send<Answer>;
  /** Aborted when the question is closed. */
  readonly signal: AbortSignal;
}

/** False where nobody is there: also when an answer that does not count is given again. */
export async function askSurface<Answer>(
  ask: (send: Send<Answer>) => Promise<Answer>,
  { send, signal }: Asked<Answer>,
): Promise<boolean> {
  for (let before = ""; ;) {
    const answer = await ask(send);
    if (signal.aborted) return true;
    if (answer === null || answer === undefined) return false;
    const said = JSON.stringify(answer);
    if (said === before) return false;
    before = said;
    const refused = await send(answer);
    if (refused === null || signal.aborted || isLate(refused)) return true;
  }
}

/** Several at once, for a person that is made of others: ends when nobody is there, or with the signal. */
export async function askSurfaces<Answer>(
  asks: readonly ((send: Send<Answer>) => Promise<Answer>)[],
  asked: Asked<Answer>,
): Promise<null> {
  const areThere = await Promise.all(asks.map((ask) => askSurface(ask, asked)));
  return areThere.includes(true) ? untilAborted(asked.signal) : null;
}

/** Nothing that is said now can count. */
export function isLate({ reason }: SendRefused): boolean {
  return ["already-answered", "unknown-request", "unknown-question", "closed", "halted"].includes(reason);
}

export function untilAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** Where nobody takes what is sent. */
export function unsent(): Promise<SendRefused> {
  return Promise.resolve({ reason: "closed" });
}
