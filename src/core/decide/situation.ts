/** Everything besides the call that a decision depends on. */
import type { Permissions, WorkingMode } from "../mode.ts";
import type { Roots } from "./rules.ts";

export type Actor =
  | { readonly kind: "main" }
  /** `ownPlan`: started in plan mode by itself, while its parent may be working (R2.5, R7.13). */
  | { readonly kind: "subagent"; readonly id: string; readonly ownPlan: boolean; readonly parent: "plan" | WorkingMode }
  | {
      readonly kind: "teammate";
      readonly name: string;
      readonly team: string;
      readonly planRequired: boolean;
      /** How long the lead has for an answer, in milliseconds; without it, as long as it likes (B9.1). */
      readonly answerWithin?: number;
      /** The mode of the session that runs it, where it works inside of another one. */
      readonly parent?: "plan" | WorkingMode;
    };

/** The most that may be granted: the mode of the session above; null where there is none, or while that plans. */
export function ceilingOf(actor: Actor): WorkingMode | null {
  const parent = parentOf(actor);
  return parent === undefined || parent === "plan" ? null : parent;
}

/** Plan mode above holds everything below (B1.7). */
export function isHeld(actor: Actor): boolean {
  return parentOf(actor) === "plan";
}

function parentOf(actor: Actor): "plan" | WorkingMode | undefined {
  return actor.kind === "main" ? undefined : actor.parent;
}

export interface Situation {
  readonly permissions: Permissions;
  readonly actor: Actor;
  /** The one file that may be written while planning; null while there is none. */
  readonly planFile: string | null;
  readonly roots: Roots;
  readonly planNetwork: "ask" | "readers" | "off";
  readonly modelMayEnterPlan: "never" | "ask" | "allow";
  /** Whether an approval can be shown on every channel that drives the session (R6.5). */
  readonly reviewable: boolean;
  /** Files of plans that were approved, saved or given up: their bytes never change (B5.1). */
  readonly settledFiles?: readonly string[];
  /** The text of the plan that is being carried out, and what an edit outside of it calls for (B6.2). */
  readonly scope?: { readonly plan: string; readonly rule: "warn" | "ask" };
}
