/** What a verification found, each by its severity, worst first (B16.3). */
import { bySeverity, type PlanFinding } from "../../core/proof/finding.ts";
import type { CheckResult } from "./run-checks.ts";
import type { Verification } from "./verify-plan.ts";

/** `isApproved`: the text is exactly what a person approved. */
export function findingsOf(
  done: Verification,
  { isApproved }: { readonly isApproved: boolean },
): readonly PlanFinding[] {
  const { steps, commands, untouched, unplanned, interrupted } = done;
  const broken = new Map<string, PlanFinding>();
  for (const check of [...steps.flatMap(({ checks }) => checks), ...commands])
    if (!check.passed) broken.set(check.command, brokenCheck(check));
  const unverified = [
    ...(isApproved ? [] : ["Nobody approved this text."]),
    ...(interrupted ? ["It was interrupted: not every check was run."] : []),
    ...(unplanned === null ? ["Nobody knows which files were changed: the plan was never submitted."] : []),
    ...steps.filter(({ checks }) => checks.length === 0).map(({ title }) => `“${title}” has no check.`),
  ];
  return bySeverity([
    ...broken.values(),
    ...(unplanned ?? []).map((path): PlanFinding => ({
      severity: "outside of the plan",
      text: `${path} was changed, and the plan does not name it.`,
    })),
    ...(untouched ?? []).map((path): PlanFinding => ({
      severity: "not done",
      text: `${path} is named in the plan, and was not changed.`,
    })),
    ...unverified.map((text): PlanFinding => ({ severity: "unverified", text })),
  ]);
}

function brokenCheck({ command, exitCode, timedOut, output }: CheckResult): PlanFinding {
  const how = timedOut ? "timed out" : `failed (exit ${exitCode ?? "by a signal"})`;
  const last = output.trimEnd().split("\n").slice(-mostLines).join("\n");
  const text = `${command} ${how}.`;
  return { severity: "breaks the plan", text, ...(last === "" ? {} : { detail: last }) };
}

const mostLines = 20;
