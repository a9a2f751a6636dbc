/** Everything besides the call that a decision depends on. */
import type { Permissions, WorkingMode } from "./mode.ts";
import type { Roots } from "./rules.ts";

export type Actor =
  | { readonly kind: "main" }
  /** `ownPlan`: started in plan mode by itself, while its parent may be working (R2.5, R7.13). */
  | { readonly kind: "subagent"; readonly id: string; readonly ownPlan: boolean; readonly parent: "plan" | WorkingMode }
  | { readonly kind: "teammate"; readonly name: string; readonly team: string; readonly planRequired: boolean };

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
  /** Files of approved plans: their bytes never change (B5.1). */
  readonly approvedFiles?: readonly string[];
  /** The text of the plan that is being carried out, and what an edit outside of it calls for (B6.2). */
  readonly scope?: { readonly plan: string; readonly rule: "warn" | "ask" };
}
