/** Everything that a session can want done; a runtime performs these and answers with events. */
import type { Call } from "./decide/access.ts";
import type { Question } from "./decide/decision.ts";
import type { HookOccasion } from "./hooks.ts";
import type { OpenQuestions, QuestionAnswer } from "./questions.ts";
import type { Notice } from "./reminders/notice.ts";
import type { ReviewRequest } from "./plan/review.ts";
import type { Answerer, Choice } from "./verdict.ts";
import type { LinkedStart, Session } from "./session.ts";

export type Effect =
  | { readonly type: "call-model"; readonly request: number }
  /** With what the person answered, where the call asked them. */
  | { readonly type: "run-tool"; readonly call: Call; readonly answer?: QuestionAnswer }
  /** The person's own commands for this moment; all of them, side by side. */
  | { readonly type: "run-hooks"; readonly id: string; readonly occasion: HookOccasion }
  | { readonly type: "ask-questions"; readonly call: Call; readonly asked: OpenQuestions }
  | { readonly type: "close-questions"; readonly id: string; readonly by: Answerer | null }
  | {
      readonly type: "ask-permission";
      readonly questionId: string;
      readonly call: Call;
      readonly question: Question;
      readonly modeRevision: number;
    }
  | { readonly type: "withdraw-question"; readonly questionId: string }
  | { readonly type: "classify"; readonly questionId: string; readonly call: Call; readonly question: Question }
  /** Claim a free plan file name exclusively; `task` may name it. */
  | { readonly type: "claim-plan"; readonly task: string | null }
  | { readonly type: "read-plan"; readonly callId: string; readonly file: string }
  | { readonly type: "write-plan"; readonly callId: string; readonly file: string; readonly text: string }
  | { readonly type: "request-review"; readonly request: ReviewRequest }
  /** A plan that is shown can be answered with other choices now. */
  | { readonly type: "reoffer-review"; readonly requestId: string; readonly choices: readonly Choice[] }
  | { readonly type: "close-review"; readonly requestId: string; readonly by: Answerer | null }
  | { readonly type: "submit-plan"; readonly request: ReviewRequest }
  | ({ readonly type: "start-linked-session" } & LinkedStart)
  /** Ask the model for a summary, with this in mind. */
  | { readonly type: "compact-context"; readonly focus: string | null }
  | { readonly type: "save-rule"; readonly rule: string }
  /** Abort the model's stream, a compaction and every running tool. */
  | { readonly type: "stop" }
  | { readonly type: "notify"; readonly notice: Notice }
  /** The event was not applied; the state is as before. */
  | ({ readonly type: "refuse"; readonly event: string } & RefusedEvent);

/** Why an event does not count; an answer that came too late also hears whose was taken. */
export interface RefusedEvent {
  readonly reason: Refusal;
  readonly by?: Answerer;
}

export type Refusal =
  | "unknown-event"
  | "malformed-event"
  | "not-started"
  | "already-started"
  | "stale-request"
  | "unknown-question"
  | "unknown-call"
  | "unknown-request"
  | "already-answered"
  | "not-planning"
  | "stale-mode"
  | "other-hash"
  | "empty-plan"
  | "mode-not-available"
  | "bypass-not-allowed-at-start"
  | "auto-not-available"
  | "no-claim-pending"
  | "plan-path"
  | "busy"
  | "nothing-to-do"
  | "unknown-point"
  | "talk-not-kept"
  | "foreign-answer";

export interface Step {
  readonly session: Session;
  readonly effects: readonly Effect[];
}
