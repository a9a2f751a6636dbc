/** What the review page and its server say to each other: JSON over loopback HTTP, types only. */
import type { PlanDecision, PlanStatus, Revision, VerifiedWork } from "../../../core/plan/ledger.ts";
import type { AnsweredQuestion } from "../../../core/outcome.ts";
import type { WorkingMode } from "../../../core/mode.ts";
import type { ReviewRequest } from "../../../core/plan/review.ts";
import type { Answerer, PlacedComment, VerdictWords } from "../../../core/verdict.ts";
import type { Todo } from "../../../core/reminders/reminder.ts";
import type { Session } from "../../../core/session.ts";

/** `GET /api/state`: everything the page shows, whole each time. */
export interface ReviewState {
  /** Grows with every change; a page that knows this number has nothing to fetch. */
  readonly version: number;
  readonly plan: PlanFacts;
  /** The text to read now: the request's where one is open, else the file's. Always the last of `revisions` too, unless nobody submitted it yet. */
  readonly text: string;
  /** SHA-256 of `text`. */
  readonly hash: string;
  /** `null`: nothing can be decided now; comments may be left. */
  readonly request: OpenRequest | null;
  /** Oldest first. */
  readonly revisions: readonly Revision[];
  /** The text that the person saw last before this one, for the difference (B3.1). */
  readonly previous: string | null;
  /** Said before and not settled, placed in `text` (B3.2). */
  readonly comments: readonly PlacedComment[];
  /** What the model wrote since the last decision: its answers to questions. */
  readonly reply: string | null;
  readonly answers: readonly AnsweredQuestion[];
  readonly decisions: readonly PlanDecision[];
  /** The files that the plan names (B5.5). */
  readonly files: readonly NamedFile[];
  /** Files that changed in the work tree while planning, the plan aside (B1.6). */
  readonly changed: readonly string[];
  readonly usage: (Session["usage"] & { readonly costUsd: number | null }) | null;
  readonly session: { readonly id: string; readonly live: boolean } | null;
  /** What the plan is made of; missing where it is too long to say. */
  readonly outline?: PlanOutline;
  /** How far an approved plan is carried out, step by step. */
  readonly todos?: readonly Todo[];
  /** How the finished work compared with the approved plan. */
  readonly verified?: VerifiedWork;
  /** How the last request of this page ended. */
  readonly answered: Answered | null;
  /** The other agent whose plan it is; missing for one of our own. */
  readonly client?: ReviewClient;
}

/** What can be carried back to it: the page offers only that. */
export interface ReviewClient {
  /** As people call it. */
  readonly title: string;
  readonly edit: boolean;
  readonly notes: boolean;
  /** Whether the mode afterwards can be chosen. */
  readonly mode: boolean;
}

export interface PlanOutline {
  readonly steps: number;
  readonly checks: number;
}

export interface PlanFacts {
  readonly id: string;
  readonly title: string;
  /** As a person would write it: `~` for the home folder. */
  readonly path: string;
  readonly status: PlanStatus;
  readonly project: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

/** `choices` are in R7.4's order; the first is selected. */
export type OpenRequest = Pick<ReviewRequest, "id" | "hash" | "revision" | "choices" | "agent" | "again">;

/** `missing`: was there at the submission and is not now; `new`: does not exist, and did not at the submission. */
export interface NamedFile {
  readonly path: string;
  readonly state: "same" | "changed" | "missing" | "new";
}

/** `by` is null where nobody decided: the request was withdrawn (mode change, interruption, a changed file). */
export interface Answered {
  readonly requestId: string;
  readonly by: Answerer | null;
  readonly kind: PlanDecision["kind"] | "withdrawn";
  readonly mode: WorkingMode | null;
  readonly at: number;
  /** Given by the page that asks: by its `x-groundplan-tab` header (on state, verdict, comments). */
  readonly here: boolean;
}

/**
 * `GET /api/events?tab=…`, server-sent. `changed`: fetch the state if its version is newer (sent once at the beginning too); `gone`:
 * the program ends, or the plan is decided and nothing will follow. A comment line every 15 s keeps the connection.
 */
export type PageEvent =
  | { readonly event: "changed"; readonly data: { readonly version: number } }
  | { readonly event: "gone"; readonly data: { readonly reason: "decided" | "ended" } };

/** `POST /api/comments`: words for the model while no request is open; kept until it can hear them. */
export interface CommentsBody extends Pick<VerdictWords, "feedback" | "comments" | "resolved"> {
  /** Of the text on the screen: another one is refused with 409 (B2.1). */
  readonly hash: string;
  /** The person's edit. Approve: this text is written and approved. Revise: it is written, the model hears of the difference (B3.5). */
  readonly plan?: string | undefined;
}

/** `POST /api/verdict`. */
export interface VerdictBody extends CommentsBody, Pick<VerdictWords, "mode" | "fresh" | "notes"> {
  readonly requestId: string;
  readonly kind: "approve" | "revise" | "save" | "abandon";
}

/** Status 200: the decision is on disk. `state` is what to show next. */
export interface Accepted {
  readonly accepted: true;
  readonly state: ReviewState;
}

/** Status 409. */
export interface Refused {
  readonly accepted: false;
  readonly reason:
    | "stale"
    | "answered"
    | "not-planning"
    | "mode-not-available"
    | "empty-plan"
    | "write-failed"
    | "not-carried"
    | "closed";
  readonly state: ReviewState;
}

/** Status 400, 401, 403, 404, 413, 415, 429, 503 (nobody knows yet whether it counts): `message` is for the person. */
export interface Problem {
  readonly problem: string;
  readonly message: string;
}
