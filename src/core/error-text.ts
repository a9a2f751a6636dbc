/** What was thrown, in words: an error's message, else the value itself. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
