/** Prompts of the tools: descriptions and the results that a model reads. */

export const toolSlots = {
  "tools/read": [],
} as const;
