/** Prompts that stand in other agents' own files and in the launcher: a refusal where our program is missing. */

export const entrySlots = {
  "clients-entry/launcher-missing": ["agent", "file"],
  "clients-entry/program-missing": ["agent"],
} as const;
