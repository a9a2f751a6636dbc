/** The session under the names of the specification, for hosts and tests that speak these. */
import { items } from "./chain.ts";
import type { Event } from "./event.ts";
import type { Mode, WorkingMode } from "./mode.ts";
import type { Outcome } from "./outcome.ts";
import { needsExitReminder } from "./reminders/reminders.ts";
import type { OpenQuestions } from "./questions.ts";
import type { ReviewRequest } from "./plan/review.ts";
import { effectiveAllow, strippedRules } from "./decide/rules.ts";
import type { Session } from "./session.ts";
import { replyText } from "./transcript.ts";

export interface PermissionContext {
  readonly mode: Mode;
  readonly prePlanMode?: WorkingMode;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly strippedDangerousRules?: readonly string[];
}

/** R1.1 */
export function permissionContext({ permissions }: Session): PermissionContext {
  const { mode, rules } = permissions;
  return {
    mode: mode.current,
    ...(mode.current === "plan" ? { prePlanMode: mode.returnTo } : {}),
    allow: effectiveAllow(rules),
    deny: rules.deny,
    ask: rules.ask,
    ...(rules.stripped ? { strippedDangerousRules: strippedRules(rules) } : {}),
  };
}

export interface PlanFlags {
  readonly needsPlanModeExitReminder: boolean;
  readonly hasExitedPlanMode: boolean;
  readonly planSlug: string | null;
}

/** R1.2 */
export function planFlags(session: Session): PlanFlags {
  return {
    needsPlanModeExitReminder: needsExitReminder(session),
    hasExitedPlanMode: session.notices.hasExited,
    planSlug: session.plan.slug,
  };
}

/** R7.8 */
export interface ExitOutput {
  readonly plan: string | null;
  readonly isAgent: boolean;
  readonly filePath: string | null;
  readonly hasTaskTool?: true;
  readonly planWasEdited?: true;
  readonly awaitingLeaderApproval?: true;
  readonly requestId?: string;
}

type ExitOutcome = Extract<Outcome, { kind: "approved" | "submitted" }>;

/** What ExitPlanMode gives out when it came to an end without an error; null for every other outcome. */
export function exitOutput(
  session: Session,
  outcome: ExitOutcome,
  facts: { readonly hasTaskTool: boolean },
): ExitOutput;
export function exitOutput(
  session: Session,
  outcome: Outcome,
  facts: { readonly hasTaskTool: boolean },
): ExitOutput | null;
export function exitOutput(
  { actor, plan: { awaiting } }: Session,
  outcome: Outcome,
  { hasTaskTool }: { readonly hasTaskTool: boolean },
): ExitOutput | null {
  const isAgent = actor.kind === "subagent";
  if (outcome.kind === "approved") {
    const { plan, file: filePath, edited } = outcome;
    const task = hasTaskTool ? ({ hasTaskTool } as const) : {};
    return { plan, isAgent, filePath, ...task, ...(edited ? { planWasEdited: true } : {}) };
  }
  if (outcome.kind === "submitted") {
    const { requestId } = outcome;
    const { plan = null, planFile: filePath = null } = awaiting?.id === requestId ? awaiting : {};
    return { plan, isAgent, filePath, awaitingLeaderApproval: true, requestId };
  }
  return null;
}

export function pendingReview({ turn, plan }: Session): ReviewRequest | null {
  for (const { state } of turn.open) if ("request" in state) return state.request;
  return plan.awaiting;
}

/** Questions of the model that wait for an answer. */
export function openQuestions({ turn }: Session): readonly OpenQuestions[] {
  return turn.open.flatMap(({ state }) => (state.kind === "questioning" ? [state.asked] : []));
}

/** Nothing is under way and nothing is due: the person has the floor. */
export function isIdle({ turn }: Session): boolean {
  return turn.thinking === null && turn.open.length === 0 && !turn.due && turn.compaction?.state !== "running";
}

/** `⏸ plan mode on …` and the others, for status lines; one source for every face (R15.1). */
export function statusLabel({ permissions }: Session): string {
  const hint = "(shift+tab to cycle)";
  switch (permissions.mode.current) {
    case "plan":
      return `⏸ plan mode on ${hint}`;
    case "default":
      return "";
    case "acceptEdits":
      return `⏵⏵ accept edits on ${hint}`;
    case "auto":
      return `⏵⏵ auto mode on ${hint}`;
    case "bypassPermissions":
      return `⏵⏵ bypass permissions on ${hint}`;
  }
}

/** What the model said last, without thoughts and calls. */
export function lastWords({ transcript }: Session): string {
  for (const entry of items(transcript).toReversed()) {
    if (entry.kind !== "assistant") continue;
    const text = replyText(entry.content);
    if (text.trim() !== "") return text.trim();
  }
  return "";
}

/** Why hooks did not let the person's words through; null where this event is no such answer. */
export function refusedPrompt({ hooks }: Session, event: Event): string | null {
  if (event.type !== "hooks-answered") return null;
  const asked = hooks.waiting.find(({ id }) => id === event.id)?.occasion;
  const { answer, reason, stop } = event.answer;
  if (asked?.event !== "UserPromptSubmit") return null;
  return stop ?? (answer === "deny" ? reason : null);
}
