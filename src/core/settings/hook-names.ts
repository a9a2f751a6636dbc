/** The moments at which a person's own commands run: Claude Code's, and those of plans (B8.2, B14.1). */

export const hookNames = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PermissionRequest",
  "Notification",
  "plan.entered",
  "plan.submitted",
  "plan.approved",
  "plan.rejected",
] as const;

export type HookName = (typeof hookNames)[number];

/** Our earlier names of two of them. */
export const hookAliases = { "tool.before": "PreToolUse", "tool.after": "PostToolUse" } as const satisfies Readonly<
  Record<string, HookName>
>;

/** Where a hook that fails refuses: everywhere else it is told, and the work goes on. */
export const closedNames: ReadonlySet<HookName> = new Set(["PreToolUse", "plan.submitted"]);
