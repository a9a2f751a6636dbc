/** The page as a value: what the server last said, what is on the screen, and what the person has said but not sent. */
import type { Comment } from "../../../core/verdict.ts";
import type { ReviewState } from "../desks/wire.ts";
import type { QuotedPlace } from "./places.ts";

export interface PageState {
  /** The newest that the server said. */
  readonly server: ReviewState | null;
  /** The text that the person reads; approval is for this one alone. */
  readonly shown: ShownPlan | null;
  readonly link: LinkState;
  readonly view: View;
  readonly words: UnsentWords;
  /** The comment that is looked at. */
  readonly active: string | null;
  /** The choice by its place in R7.4's order. */
  readonly choice: number;
  readonly open: "choices" | "shortcuts" | null;
  readonly sending: boolean;
  /** What went wrong, for the person. */
  readonly problem: string | null;
}

export interface ShownPlan {
  /** The last that the server said of this very text. */
  readonly facts: ReviewState;
  readonly text: string;
  /** Computed here, of the very bytes that are rendered. */
  readonly hash: string;
  readonly requestId: string | null;
  readonly revision: number | null;
  /** Whether this text was put up for approval while it was shown; a draft that the model still writes is not. */
  readonly asked: boolean;
  /** Seen, with its question, long enough to be answered (B2.4). */
  readonly armed: boolean;
}

/** `gone`: the review is over, and the program with it; `ended`: the program alone is. */
export type LinkState = "connecting" | "live" | "lost" | "gone" | "ended";

export type View =
  | { readonly kind: "read" }
  | { readonly kind: "edit" }
  | { readonly kind: "compare"; readonly from: string; readonly to: string; readonly style: "rendered" | "source" };

/** Everything that was typed and not sent; kept in the browser (nothing is lost by a crash). */
export interface UnsentWords {
  readonly drafts: readonly Comment[];
  /** What is added to earlier comments, by their id. */
  readonly replies: Readonly<Record<string, string>>;
  /** Earlier comments that need nothing more. */
  readonly resolved: readonly string[];
  /** Notes for an approval, feedback for a rejection. */
  readonly message: string;
  /** The person's edit of the shown text. */
  readonly edit: string | null;
  /** An edit of an earlier text, put aside when a newer one came. */
  readonly shelved: string | null;
  /** The comment that is being written. */
  readonly composer: Composer | null;
}

export interface Composer {
  /** Of the draft that it becomes, the same in every tab. */
  readonly id: string;
  readonly place: QuotedPlace;
  readonly kind: Comment["kind"];
  readonly text: string;
  /** What the lines should read instead, where that is being written. */
  readonly suggestion: string | null;
}

export const noWords: UnsentWords = {
  drafts: [],
  replies: {},
  resolved: [],
  message: "",
  edit: null,
  shelved: null,
  composer: null,
};

export const opening: PageState = {
  server: null,
  shown: null,
  link: "connecting",
  view: { kind: "read" },
  words: noWords,
  active: null,
  choice: 0,
  open: null,
  sending: false,
  problem: null,
};

/** What the person has before the eyes: the shown text, or the own edit of it. */
export function textOf({ shown, words }: PageState): string {
  return words.edit ?? shown?.text ?? "";
}

/** A newer text waits, or another plan, and does not take the place of the one that is being read. */
export function isOutdated({ server, shown }: PageState): boolean {
  return server !== null && shown !== null && (server.hash !== shown.hash || isOtherPlan({ server, shown }));
}

/** What was said of one plan is never said of another. */
export function isOtherPlan({ server, shown }: Pick<PageState, "server" | "shown">): boolean {
  return server !== null && shown !== null && server.plan.id !== shown.facts.plan.id;
}

/** Whether a decision on the shown text would count now. */
export function mayDecide(state: PageState): boolean {
  const { server, shown, link, sending } = state;
  if (link !== "live" || sending || shown === null || server === null || server.request === null) return false;
  return shown.armed && shown.requestId === server.request.id && shown.hash === server.request.hash;
}

/** Whether something would be said to the model. */
export function hasWords({ drafts, replies, resolved, message, edit, composer }: UnsentWords): boolean {
  if (composer !== null && composer.text.trim() !== "") return true;
  const isSilent = drafts.length === 0 && Object.keys(replies).length === 0 && resolved.length === 0;
  return !isSilent || message.trim() !== "" || edit !== null;
}
