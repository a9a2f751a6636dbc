/** Prompts of the plugin for opencode. */

export const clientsOpencodeSlots = {
  "clients-opencode/tool": [],
  "clients-opencode/tool-plan": [],
  "clients-opencode/approved": ["plan", "notes"],
  "clients-opencode/done": [],
  "clients-opencode/notes": ["notes"],
  "clients-opencode/switch-by-hand": ["agent"],
  "clients-opencode/leave": [],
  "clients-opencode/not-now": [],
  "clients-opencode/refused": [],
  "clients-opencode/broken": ["problem"],
} as const;
