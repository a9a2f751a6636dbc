/** What a server serves: one plan under review, wherever it lives: in this process's session, in another's log, or in a file. */
import type { Decided } from "./decided.ts";
import type { PlanPicture } from "./pictures.ts";
import type { Answered, CommentsBody, PageEvent, Refused, ReviewState, VerdictBody } from "./wire.ts";

export interface ReviewDesk {
  /** As the page with this tab name sees it. */
  state(tab: string | null): Promise<ReviewState>;
  version(): number;
  subscribe(listener: (event: PageEvent) => void): () => void;
  /** Resolves when the answer counts and is on disk, or when it is certain that it does not. */
  decide(body: VerdictBody, tab: string | null): Promise<Taken>;
  /** Words while nothing can be decided. */
  comment(body: CommentsBody): Promise<Taken>;
  /** What the plan shows by this path; null where it is not of the project, or no picture. */
  picture(path: string): Promise<PlanPicture | null>;
}

/** One that waits for a single decision. */
export interface WaitingDesk extends ReviewDesk {
  readonly decided: Promise<Decided>;
  close(): void;
}

/** Null: it counts. */
export type Taken = Refused["reason"] | null;

/** How a request ended, remembered with the tab that answered it. */
export interface AnsweredFrom extends Omit<Answered, "here"> {
  /** Null: not from a page of this server. */
  readonly tab: string | null;
}

/** As it concerns the tab that asks. */
export function answeredFor(answered: AnsweredFrom | null, asking: string | null): Answered | null {
  if (answered === null) return null;
  const { tab, ...how } = answered;
  return { ...how, here: tab !== null && tab === asking };
}

export type Bell = ReturnType<typeof createBell>;

/**
 * Versions and listeners of a desk; news within a few milliseconds are told once. The first version is the clock's, a thousand to
 * a millisecond, so that it grows over a restart too, however often it rang before.
 */
export function createBell() {
  const listeners = new Set<(event: PageEvent) => void>();
  let version = Date.now() * 1_000;
  let due: NodeJS.Timeout | null = null;
  const tell = (event: PageEvent): void => {
    for (const listener of listeners) listener(event);
  };
  return {
    version: (): number => version,
    /** Something that the page shows is another now. */
    ring(): void {
      version += 1;
      if (due !== null || listeners.size === 0) return;
      due = setTimeout(() => {
        due = null;
        tell({ event: "changed", data: { version } });
      }, quietMs).unref();
    },
    /** The last thing that is ever told. */
    end(reason: "decided" | "ended"): void {
      version += 1;
      if (due !== null) clearTimeout(due);
      tell({ event: "changed", data: { version } });
      tell({ event: "gone", data: { reason } });
      listeners.clear();
    },
    subscribe: (listener: (event: PageEvent) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const quietMs = 60;
