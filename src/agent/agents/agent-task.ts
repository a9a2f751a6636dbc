/** What an agent is given: a task, the call that started it, and what every agent of a session is made of. */
import type { PlanOrigin } from "../../core/plan/ledger.ts";
import type { Mode } from "../../core/mode.ts";
import type { PlanStyle } from "../../prompts/render/reminder.ts";
import type { AgentParts } from "../loop/agent.ts";
import type { NamedModel } from "../ports/model.ts";
import type { AgentKind } from "./agent-kinds.ts";
import type { AgentLimits } from "./agent-limits.ts";
import type { LiveSession, Log, SessionHandle } from "../ports/handle.ts";
import type { Clock, RunContext } from "../ports/ports.ts";
import type { Tool } from "../tools/tool.ts";

/** What every agent of a session is made of, besides what the call itself brings. */
export interface AgentHost {
  /** Everything there is; each kind is offered what it may use. */
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  readonly plansDirectory: string;
  readonly style: PlanStyle;
  readonly origin: () => Promise<PlanOrigin>;
  readonly report: (problem: string) => void;
  /** Where it is, without the project's memory (R10.1). */
  readonly surroundings: string;
  readonly limits: AgentLimits;
  /** Without it, an agent's events are kept in memory while it runs. */
  readonly openLog?: (parentId: string, agentId: string) => Promise<Log & { close(): Promise<void> }>;
  readonly classify?: AgentParts["classify"];
  readonly saveRule?: AgentParts["saveRule"];
  readonly refresh?: AgentParts["refresh"];
  readonly withoutKeys?: AgentParts["withoutKeys"];
  readonly todos?: AgentParts["todos"];
  /** Without it there are no teams here. */
  readonly team?: TeamHost;
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
  readonly submitPlan: NonNullable<AgentParts["submitPlan"]>;
  begin(handle: SessionHandle): void;
  leave(status: "done" | "failed" | "stopped"): Promise<void>;
}

export interface AgentTask {
  readonly id: string;
  readonly kind: AgentKind;
  readonly brief: string;
  readonly model: NamedModel;
  readonly mode?: Mode;
  /** Starts with the conversation so far. */
  readonly fork: boolean;
  /** With it, the agent is a teammate. */
  readonly seat?: Seat & { readonly name: string };
}

export interface AgentCall {
  readonly context: RunContext;
  readonly live: LiveSession;
  readonly host: AgentHost;
  readonly signal: AbortSignal;
}
