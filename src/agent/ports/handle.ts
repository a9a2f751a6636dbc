/** What a surface holds of a live session: it sends events, and listens. */
import type { Effect, RefusedEvent } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { LogEntry } from "../../core/wire/log-format.ts";
import type { UserQuestion } from "../../core/questions.ts";
import type { Session } from "../../core/session.ts";
import type { UsageTotal } from "../../core/usage.ts";
import type { PublicEvent } from "./event-shapes.ts";
import type { ModelDelta } from "./model.ts";

export interface Log {
  /** Resolves when the entry would survive the end of this process. Rejects when it cannot be kept. */
  append(entry: LogEntry): Promise<void>;
}

export type Happening =
  | {
      readonly kind: "event";
      /** When it happened, as the log has it. */
      readonly at?: number;
      readonly event: Event;
      readonly before: Session;
      readonly session: Session;
      readonly effects: readonly Effect[];
    }
  | { readonly kind: "delta"; readonly request: number; readonly delta: ModelDelta }
  /** News of an agent that a call of this session started. */
  | AgentHappening
  /** News of the team that a session works in, or leads. */
  | { readonly kind: "team"; readonly news: TeamNews }
  /** A question about a call is put to whoever answers, once nothing else speaks against the call; or it is taken back. */
  | { readonly kind: "asking"; readonly news: AskingNews }
  /** Nobody can review here: the plan is the run's result (R7.11). */
  | { readonly kind: "unanswered"; readonly requestId: string }
  /** The log cannot be written: nothing further is done. */
  | { readonly kind: "halted"; readonly error: string };

type AskingNews = Extract<PublicEvent, { type: "permission.requested" | "permission.withdrawn" }>;

export type TeamNews = Extract<PublicEvent, { type: `team.${string}` }>;

export interface AgentHappening {
  readonly kind: "agent";
  /** The agent's. */
  readonly id: string;
  readonly agent: string;
  /** The call that started it. */
  readonly callId: string;
  readonly news:
    | { readonly kind: "started"; readonly description: string; readonly model: string }
    | { readonly kind: "within"; readonly happening: Happening }
    | {
        readonly kind: "finished";
        readonly status: "done" | "failed" | "limit" | "cancelled";
        readonly usage: UsageTotal;
      };
}

/** The session that a running call belongs to, for tools that start sessions of their own. */
export interface LiveSession {
  readonly callId: string;
  current(): Session;
  subscribe(listener: (happening: Happening) => void): () => void;
  publish(happening: AgentHappening): void;
  /** What a person answered to an agent and means for the whole session. */
  send(event: Extract<Event, { type: "session-allowed" | "turn-cancelled" }>): Promise<SendRefused | null>;
}

/** The core's reason, or that nothing is taken any more: the session was closed, or its log cannot be written. */
export type SendRefused = RefusedEvent | { readonly reason: "closed" | "halted"; readonly by?: undefined };

export interface SessionHandle {
  readonly state: Session;
  /** Resolves when the event is applied, logged, and its effects have begun: to null, or to why it does not count. */
  send(event: Event): Promise<SendRefused | null>;
  /** Whatever others send waits until this is done; it sends by what it is given. */
  alone<Result>(act: (send: SessionHandle["send"]) => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way any more: the person has the floor, or nobody can answer. */
  settled(): Promise<void>;
  /** Lets a summary take the place of the conversation; resolves when the wish is noted. */
  compact(focus?: string): Promise<SendRefused | null>;
  subscribe(listener: (happening: Happening) => void): () => void;
  /** Stops everything that runs; the log stays valid and the session can be resumed. */
  close(): void;
}

/** Nothing is under way any more, also not in a session that an approved plan went on in. */
export async function settled(composed: { readonly handle: SessionHandle }): Promise<void> {
  for (;;) {
    const { handle } = composed;
    await handle.settled();
    if (handle === composed.handle) return;
  }
}

/** What an agent asks says that it does. */
export function questionsOf(agent: string, questions: readonly UserQuestion[]): readonly UserQuestion[] {
  return questions.map((question) => ({ ...question, header: `${agent}: ${question.header}` }));
}

/** Questions of a session's agents, apart from its own and from each other's. */
export function agentQuestionId(agent: string, questionId: string): string {
  return `${agent}:${questionId}`;
}
