/** What an agent is given: a task, the call that started it, and what every agent of a session is made of. */
import type { Mode } from "../../core/mode.ts";
import type { SessionParts } from "../loop/agent.ts";
import type { LiveSession, Log, SessionHandle } from "../ports/handle.ts";
import type { Host } from "../ports/host.ts";
import type { NamedModel } from "../ports/model.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentKind } from "./agent-kinds.ts";
import type { AgentLimits } from "./agent-limits.ts";

/** What every agent of a session is made of, besides what the call itself brings. */
export interface AgentsOptions {
  /** The session's. */
  readonly host: Host;
  readonly kinds: readonly AgentKind[];
  /** Everything there is; each kind is offered what it may use. */
  readonly tools: readonly Tool[];
  /** The model of a kind, as the parent stands now; why it cannot be had otherwise (B7.4). */
  readonly modelFor: (kind: AgentKind, live: LiveSession) => Promise<NamedModel | { readonly problem: string }>;
  /** Where it is, without the project's memory (R10.1). */
  readonly surroundings: string;
  readonly limits: AgentLimits;
  readonly openLog: (parentId: string, agentId: string) => Promise<Log & { close(): Promise<void> }>;
  /** Undefined where there are no teams. */
  readonly team: TeamHost | undefined;
}

/** How an agent with a name joins a team (section 12). */
export interface TeamHost {
  join(wanted: JoinRequest): Promise<Seat | { readonly problem: string }>;
}

export interface JoinRequest {
  readonly name: string;
  /** Null: the session's own team. */
  readonly team: string | null;
  readonly task: string;
  /** The lead wants it to end. */
  readonly onShutdown: () => void;
}

/** A teammate's place: its inbox, and its way to the lead. */
export interface Seat {
  readonly team: string;
  /** Milliseconds that the lead has for an answer. */
  readonly answerWithin: number;
  readonly submitPlan: NonNullable<SessionParts["submitPlan"]>;
  begin(handle: SessionHandle): void;
  leave(status: "done" | "failed" | "stopped"): Promise<void>;
}

export interface AgentTask {
  readonly id: string;
  /** The session and the call that started it. */
  readonly live: LiveSession;
  readonly signal: AbortSignal;
  readonly kind: AgentKind;
  readonly brief: string;
  readonly model: NamedModel;
  readonly mode?: Mode;
  /** Starts with the conversation so far. */
  readonly fork: boolean;
  /** With it, the agent is a teammate. */
  readonly seat?: Seat & { readonly name: string };
}
