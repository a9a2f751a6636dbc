/** Everything outside of a session that its effects need. */
import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Session } from "../../core/session.ts";
import type { TokenUsage } from "../../core/usage.ts";
import type { Compacted, CompactRequest } from "./compact.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import type { Plans } from "../store/plans.ts";
import type { Clock, PermissionAsk, Person } from "../ports/ports.ts";
import type { ToolBench } from "./tool-bench.ts";

export interface World {
  readonly clock: Clock;
  readonly person: Person;
  readonly plans: Plans;
  readonly tools: ToolBench;
  /** The model that speaks next, and what it is asked. */
  readonly prepare: (session: Session) => { readonly model: Model; readonly request: ModelRequest };
  readonly classify?: (ask: PermissionAsk, session: Session, signal: AbortSignal) => Promise<Classified>;
  /** What changed outside since the model saw it; asked before every request. */
  readonly noticeEdits?: (session: Session) => Promise<readonly Event[]>;
  /** Settings that changed outside have reached the session when it resolves; asked before whatever leads to a decision (B14.4). */
  readonly refresh?: () => Promise<void>;
  readonly compact?: (request: CompactRequest) => Promise<Compacted>;
  readonly saveRule?: (rule: string) => Promise<void>;
  /** Frees an event of models' keys before anything hears of it (B1.12). */
  readonly withoutKeys?: (event: Event) => Event;
  /** Hands a teammate's plan to its lead; resolves when nobody waits for the answer any more. */
  readonly submitPlan?: (request: ReviewRequest, signal: AbortSignal) => Promise<void>;
  readonly startLinked?: (linked: Extract<Effect, { type: "start-linked-session" }>) => Promise<void>;
}

export interface Classified {
  readonly answer: "allow" | "deny" | "unsure";
  readonly reason: string;
  /** What a side model used for it. */
  readonly usage?: TokenUsage;
}
