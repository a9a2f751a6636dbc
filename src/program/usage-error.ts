/** What stops a command before it begins: one sentence that says what to do, and the exit code. */

export interface UsageError {
  readonly problem: string;
  readonly exitCode: number;
}

export function isUsageError(value: object): value is UsageError {
  return "problem" in value && "exitCode" in value;
}
