/** What a hook asks of the review, and what can come of it. */
import type { ClientName, ReviewOffer } from "../client.ts";

export interface PlanPresentation {
  /** The config home. */
  readonly home: string;
  readonly client: ClientName;
  /** The client's own id of the session. */
  readonly session: string;
  readonly directory: string;
  /** Exactly these bytes are shown, and only these or the person's edit of them come back approved. */
  readonly plan: string;
  readonly offer: ReviewOffer;
  /**
   * A strict review where the client opens a dialog of its own: `ask` brings the answer before that, `collect` gives it to the dialog,
   * once, and asks nobody. Left out where one call is all of it.
   */
  readonly step?: "ask" | "collect";
  /** After so long the answer is `over`; the page and its drafts stay, and the same text presented again joins them. */
  readonly deadlineMs: number;
  /** The hook is ended: as with the deadline. */
  readonly signal?: AbortSignal;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The page's link, as soon as it is there; `opened` is false where no browser could be started: then the person must be told. */
  readonly onLink?: (link: string, opened: boolean) => void;
  /** How the page process is started: program and arguments. Our own program where it is left out. */
  readonly starter?: readonly [program: string, ...args: string[]];
}

export type PlanAnswer =
  /** Exactly these bytes, edited or not. */
  | {
      readonly kind: "approved";
      readonly plan: string;
      readonly mode: ReviewOffer["modes"][number]["ours"];
      readonly notes: string | null;
      readonly edited: boolean;
    }
  /** For the model; at most 9,500 characters. Also where the plan cannot be taken at all: empty, too long, review switched off. */
  | { readonly kind: "sent-back"; readonly feedback: string }
  /** `review: "terminal"`: the client's own dialog decides; the plan is kept in the library. */
  | { readonly kind: "leave-to-client" }
  /** Never an approval: nobody answered, no page, time over, answered in the client itself. `link`: where it still can be answered. */
  | { readonly kind: "over"; readonly why: string; readonly link: string | null };

export interface AnsweredElsewhere extends Pick<PlanPresentation, "home" | "client" | "session" | "environment"> {
  readonly how: "approved" | "rejected" | "over";
}
