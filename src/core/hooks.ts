/** Hooks as values: what a person's own commands are asked about, and what they answered (B14.1). */
import type { HookName } from "./settings/hook-names.ts";

/** What the session waits for hooks about; everything else about it is in the session itself. */
export type HookOccasion =
  | { readonly event: "PreToolUse" | "PostToolUse" | "plan.submitted"; readonly callId: string }
  | { readonly event: "UserPromptSubmit"; readonly prompt: string }
  /** `again`: the model goes on already because a hook did not let it stop. */
  | { readonly event: "Stop" | "SubagentStop"; readonly again: boolean }
  | { readonly event: "SessionStart"; readonly source: "startup" | "resume" | "clear" | "compact" };

export interface WaitingHooks {
  readonly id: string;
  readonly occasion: HookOccasion;
  /** The mode is another one since they were asked: they may refuse and ask, their yes is for the mode that they were told of. */
  readonly isLate?: true;
}

/** What all hooks of one moment came to: a refusal goes before a question, a question before a yes. */
export interface HooksAnswer {
  /** On moments without a decision of their own, `deny` is a "block". */
  readonly answer: "allow" | "deny" | "ask" | "none";
  readonly reason: string;
  /** For the model, as it is. */
  readonly context: readonly string[];
  /** For the person: what a hook says to them, and which one failed how. */
  readonly told: readonly string[];
  /** The refusal is for a hook that failed: nothing was said against the thing itself. */
  readonly failed?: true;
  /** The turn is over, and why: `continue: false`. */
  readonly stop?: string;
}

export interface HookState {
  readonly waiting: readonly WaitingHooks[];
  /** For the model's next request. */
  readonly heard: readonly HeardHook[];
  /** How often in a row the model was not let stop. */
  readonly stops: number;
  readonly asked: number;
}

export interface HeardHook {
  readonly event: HookName;
  readonly text: string;
  /** It is to be done, and not only known. */
  readonly isOrder: boolean;
}

export const noHooks: HookState = { waiting: [], heard: [], stops: 0, asked: 0 };

/** After so many the model may stop, whatever the hook says. */
export const mostStops = 8;
