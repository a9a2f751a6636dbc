/** How a request ended, remembered with the tab that answered it, and told to each tab as it concerns that one. */
import type { Answered } from "./wire.ts";

export interface AnsweredFrom extends Omit<Answered, "here"> {
  /** Null: not from a page of this server. */
  readonly tab: string | null;
}

export function answeredFor(answered: AnsweredFrom | null, asking: string | null): Answered | null {
  if (answered === null) return null;
  const { tab, ...how } = answered;
  return { ...how, here: tab !== null && tab === asking };
}
