/** Prompts of plan mode: reminders, workflows, agents, and the results of entering and leaving. */

export const planSlots = {
  "plan-sparse": ["planFile"],
} as const;
