/** Everything outside of a session that its effects need, and what they have of the session itself. */
import type { Call } from "../../core/decide/access.ts";
import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Session } from "../../core/session.ts";
import type { Happening, LiveSession, SessionHandle } from "../ports/handle.ts";
import type { Host } from "../ports/host.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import type { Plans } from "../store/plans.ts";
import type { Compacted, CompactRequest } from "./compact.ts";
import type { ToolBench } from "./tool-bench.ts";

export interface World extends Host {
  readonly plans: Plans;
  readonly tools: ToolBench;
  /** The model that speaks next, and what it is asked. */
  readonly prepare: (session: Session) => { readonly model: Model; readonly request: ModelRequest };
  /** What changed outside since the model saw it; asked before every request. */
  readonly noticeEdits?: (session: Session) => Promise<readonly Event[]>;
  readonly compact?: (request: CompactRequest) => Promise<Compacted>;
  /** Hands a teammate's plan to its lead; resolves when nobody waits for the answer any more. */
  readonly submitPlan?: (request: ReviewRequest, signal: AbortSignal) => Promise<void>;
  readonly startLinked?: (linked: Extract<Effect, { type: "start-linked-session" }>) => Promise<void>;
}

/** What whoever performs effects has of the session. */
export interface Wiring {
  readonly world: World;
  readonly send: SessionHandle["send"];
  readonly publish: (happening: Happening) => void;
  readonly subscribe: LiveSession["subscribe"];
  readonly current: () => Session;
}

export function liveOf({ current, subscribe, publish, send }: Omit<Wiring, "world">, { id }: Call): LiveSession {
  return { callId: id, current, subscribe, publish, send };
}
