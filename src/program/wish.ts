/** What somebody wants of a session that is to be opened; whoever asks, by a command line or from another program. */
import type { SessionStarted } from "../core/event.ts";
import type { Mode } from "../core/mode.ts";

export interface SessionWish {
  /** What is to be done: a teammate's lead is told; the words themselves are said by whoever opened the session. */
  readonly prompt: string | null;
  readonly mode: Mode | null;
  /** Nobody chose a mode: scout, which can only plan, then starts in plan mode. */
  readonly modeByModel: boolean;
  readonly model: string | null;
  readonly planModel: string | null;
  readonly effort: "low" | "medium" | "high" | null;
  /** `true`: the newest session of this project. */
  readonly resume: string | true | null;
  readonly fork: boolean;
  readonly sessionId: string | null;
  readonly directory: string | null;
  readonly addedDirectories: readonly string[];
  /** A file, or the settings themselves as JSON. */
  readonly settings: string | null;
  readonly bypass: "off" | "available" | "on";
  readonly mcpConfig: string | null;
  /** The name of the remote channel that drives the session. */
  readonly channel: string | null;
  readonly sandbox: boolean;
  readonly trust: boolean;
  /** The hash of the plan that is approved with the start. */
  readonly approve: string | null;
  readonly teammate: TeammateWish | null;
  /** The session is the review of this other agent's plans. */
  readonly source?: string;
  /** The new session carries out this plan, whose own session is gone. */
  readonly linked?: NonNullable<SessionStarted["linked"]>;
}

export interface TeammateWish {
  readonly name: string;
  /** Null: the setting's, else the default team. */
  readonly team: string | null;
  readonly planRequired: boolean;
  readonly answerWithinMs: number;
}

/** A new session here, as the settings say. */
export const plainWish: SessionWish = {
  prompt: null,
  mode: null,
  modeByModel: true,
  model: null,
  planModel: null,
  effort: null,
  resume: null,
  fork: false,
  sessionId: null,
  directory: null,
  addedDirectories: [],
  settings: null,
  bypass: "off",
  mcpConfig: null,
  channel: null,
  sandbox: true,
  trust: false,
  approve: null,
  teammate: null,
};
