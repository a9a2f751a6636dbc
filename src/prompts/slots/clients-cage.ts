/** Prompts of another agent's command in our cage. */

export const clientsCageSlots = {
  "clients-cage/garbled": [],
  "clients-cage/folder": ["directory"],
  "clients-cage/no-cage": ["reason", "advice"],
  "clients-cage/timed-out": ["minutes"],
} as const;
