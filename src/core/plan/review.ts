/** Review: the frozen request that a person answers, and the answers that it offers. */
import { freedomOf, type WorkingMode } from "../mode.ts";
import type { Choice, PlacedComment } from "../verdict.ts";

export interface ReviewRequest {
  readonly id: string;
  readonly callId: string;
  readonly planFile: string;
  /** Exactly what is shown, and all that an approval can approve. */
  readonly plan: string;
  readonly hash: string;
  readonly modeRevision: number;
  readonly revision: number;
  /** What the person saw last, for the difference (B3.1). */
  readonly previous: string | null;
  readonly comments: readonly PlacedComment[];
  readonly choices: readonly Choice[];
  /** Why it is shown again although it was answered: the file changed meanwhile, or could not be written (B2.1). */
  readonly again: "changed" | "write-failed" | null;
  /** Files that the plan names and that changed since it was first submitted (B5.5). */
  readonly stale: readonly string[];
  /** Files that changed in the work tree since plan mode began (B1.6). */
  readonly changed: readonly string[];
  /** Whose plan it is, when not the main agent's. */
  readonly agent: string | null;
  /** Until when a team lead's answer counts (B9.1). */
  readonly deadline?: number;
}

export interface ChoiceFacts {
  readonly returnTo: WorkingMode;
  readonly bypassAvailable: boolean;
  /** False after auto mode's breaker tripped: what cannot be had is not offered (R7.6). */
  readonly autoAvailable: boolean;
  /** The most that may be granted: a subagent's parent's mode. */
  readonly ceiling: WorkingMode | null;
}

export function choicesFor(facts: ChoiceFacts): readonly Choice[] {
  const { bypassAvailable, autoAvailable, ceiling } = facts;
  const returnTo = facts.returnTo === "auto" && !autoAvailable ? "default" : facts.returnTo;
  const modes: Extract<Choice, { kind: "approve" }>[] = [
    { kind: "approve", mode: "default", label: "each-edit" },
    { kind: "approve", mode: "acceptEdits", label: "accept-edits" },
  ];
  if (!modes.some(({ mode }) => mode === returnTo)) modes.push({ kind: "approve", mode: returnTo, label: "earlier" });
  if (bypassAvailable && returnTo !== "bypassPermissions") {
    modes.push({ kind: "approve", mode: "bypassPermissions", label: "skip-permissions" });
  }
  const open = ceiling === null ? modes : modes.filter(({ mode }) => freedomOf(mode) <= freedomOf(ceiling));
  const fresh: Choice[] = ceiling === null ? [{ kind: "approve-fresh", mode: returnTo }] : [];
  return [...open, ...fresh, { kind: "save" }, { kind: "revise" }, { kind: "abandon" }];
}
