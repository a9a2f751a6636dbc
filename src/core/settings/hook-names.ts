/** The moments at which a person's own commands may run (B8.2). */

export const hookNames = [
  "plan.entered",
  "plan.submitted",
  "plan.approved",
  "plan.rejected",
  "tool.before",
  "tool.after",
] as const;

export type HookName = (typeof hookNames)[number];
