/** Prompts of the policy for Gemini CLI. */

export const clientsGeminiSlots = {
  "clients-gemini/approved-file": [],
  "clients-gemini/shell": [],
  "clients-gemini/exit": [],
  "clients-gemini/external": [],
  "clients-gemini/refused": [],
} as const;
