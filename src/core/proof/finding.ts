/** What a look at finished work finds, by how bad it is (B16.3). */

/** Worst first. */
export const severities = ["breaks the plan", "outside of the plan", "not done", "unverified"] as const;
export type Severity = (typeof severities)[number];

export interface PlanFinding {
  readonly severity: Severity;
  readonly text: string;
  /** The end of a command's output, where there is one. */
  readonly detail?: string;
}

/** Those of the same severity stay in the order in which they were found. */
export function bySeverity(findings: readonly PlanFinding[]): readonly PlanFinding[] {
  return severities.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

/** What nobody could verify is told, and refuses nothing. */
export function isRefusing({ severity }: PlanFinding): boolean {
  return severity !== "unverified";
}
