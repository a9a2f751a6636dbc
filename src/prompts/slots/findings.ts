/** Prompts of what a verification found. */

export const findingSlots = {
  "findings/give-back": ["file", "findings"],
  "findings/list": ["severity", "items"],
  "findings/item": ["text", "detail"],
  "findings/more": ["count"],
} as const;
