/** What the page of waiting plans and its server say to each other; types only. */
import type { PageEvent } from "../desks/wire.ts";

/** `GET api/state`. */
export interface WaitingState {
  /** Grows with every change. */
  readonly version: number;
  /** Those that somebody waits for now first, each part oldest first. */
  readonly plans: readonly WaitingPlan[];
}

export interface WaitingPlan {
  readonly id: string;
  readonly title: string;
  /** Who wrote it: another agent, a teammate, or a session of our own. */
  readonly by: { readonly kind: "agent" | "teammate" | "own"; readonly name: string };
  /** The beginning of the session's id. */
  readonly session: string;
  /** The folder's name. */
  readonly project: string | null;
  /** When it was submitted. */
  readonly since: number;
  /** Until when somebody waits for the answer; null where there is no limit. */
  readonly until: number | null;
  /** Whether it is heard at once: else when the session is taken up again. */
  readonly live: boolean;
}

/** What the server serves beside pages of single plans. */
export interface WaitingPlans {
  state(): Promise<WaitingState>;
  version(): number;
  subscribe(listener: (event: PageEvent) => void): () => void;
  /** A link to the page of that plan; null where it does not wait any more. */
  open(id: string): Promise<string | null>;
}
