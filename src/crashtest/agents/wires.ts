/** The wire formats by the names that a person gives them. */
export const wiresByName = {
  anthropic: "anthropic",
  openai: "chat",
  responses: "responses",
  google: "google",
} as const;
