/** What a row of the table of agents is: how one agent is started in plan mode and out of it, and what its tools are called. */
import type { ClientName } from "../../clients/client.ts";
import type { LoopbackRequest, LoopbackWire, ScriptedTurn } from "../../testing/loopback/turn.ts";
import type { Circumstances, CrashProbe } from "../probe.ts";
import type { Ended } from "../inside/process.ts";
import type { CrashPlace } from "../place.ts";

/** One start of an agent, in a place of its own. */
export interface Stage extends CrashPlace {
  /** Program and first arguments that start the agent. */
  readonly program: readonly string[];
  readonly mode: "plan" | "work";
  readonly circumstances: Circumstances;
  /** Our guard is installed in it. */
  readonly guarded: boolean;
  readonly prompt: string;
  /** Where the scripted model listens, without a path. */
  readonly url: string;
  readonly wire: LoopbackWire;
  readonly limitMs: number;
  /** Resolves when the model has said its last word. */
  readonly finished: Promise<void>;
  /** PATH and whatever every program needs; a row adds its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** The conversation is one that was begun before. */
  readonly resumes: boolean;
}

export interface AgentStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A tool that the agent told the model of. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelAsked {
  readonly stage: Stage;
  readonly offered: readonly OfferedTool[];
  readonly request: LoopbackRequest;
}

/** What the model says, a turn each, to have a thing done; null where the agent has no tool for it. */
type Way<Of extends readonly unknown[]> = (asked: ModelAsked, ...of: Of) => readonly ScriptedTurn[] | null;

export interface Ways {
  readonly shell: Way<[command: string]>;
  readonly write: Way<[path: string, text: string]>;
  readonly edit: Way<[path: string, from: string, to: string]>;
  readonly read: Way<[path: string]>;
  readonly agent: Way<[prompt: string, type: "writer" | "reader"]>;
  readonly presentPlan: Way<[text: string]>;
}

type Saying = (asked: ModelAsked, at: number) => ScriptedTurn | null;

/** A probe of one agent's own tools. */
export interface OwnProbe extends CrashProbe {
  /** What the model says in its nth turn of it; null: that was all. */
  readonly say: Saying;
  /** The same for an agent of the agent, by how many results it was told. */
  readonly inside?: Saying;
}

/** What must go on with our guard installed. */
export interface CrashUse extends OwnProbe {
  readonly mode: Stage["mode"];
  /** What the model must be told; or something must change. */
  readonly expects: RegExp | "changes";
}

export interface AgentRow {
  readonly name: string;
  readonly title: string;
  /** What it is called on the PATH. */
  readonly programs: readonly string[];
  /** Wire formats that it can be led to, the usual one first. */
  readonly wires: readonly LoopbackWire[];
  /** Versions that this row was seen to work with; none: it was not tried. */
  readonly tried: readonly string[];
  /** Why a circumstance cannot be made here. */
  readonly cannot: Partial<Record<keyof Circumstances, string>>;
  /** Paths in the project that the agent itself writes: not looked at. */
  readonly own: readonly string[];
  readonly guard: ClientName | null;
  /** Writes its settings. */
  readonly prepare: (stage: Stage) => void;
  readonly start: (stage: Stage) => AgentStart;
  /** Instead of a run to the end with the prompt on the command line. */
  readonly converse?: (stage: Stage, start: AgentStart) => Promise<Ended>;
  /** After `groundplan install`: whatever makes the entries count. */
  readonly trust?: (stage: Stage) => Promise<void>;
  /** Begins a plan, has its file changed when the person has read it, and approves what was read. */
  readonly approve?: (stage: Stage, changed: boolean) => Promise<Ended>;
  /** A turn of a conversation, not a title or the like; where that is not told by tools on offer. */
  readonly isTurn?: (request: LoopbackRequest) => boolean;
  readonly probes?: readonly CrashProbe[];
  readonly uses?: readonly CrashUse[];
  /** Where its tools are not found by what they are called. */
  readonly ways?: Partial<Ways>;
  /** What an agent inside says at its end, where words alone are not enough. */
  readonly endInside?: (asked: ModelAsked) => ScriptedTurn;
  /** Results that say that the agent's own machinery does not run here. */
  readonly broken?: RegExp;
}
