/** What a verification tells people: each step and check, then what was found, worst first (B6.3, B16.3). */
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import type { CheckResult } from "../../../agent/verify/run-checks.ts";
import type { Verification } from "../../../agent/verify/verify-plan.ts";
import type { PlanFinding } from "../../../core/proof/finding.ts";
import { oneLine, type OutputScreen } from "../plans/screen.ts";
import { listed } from "./finding-lines.ts";

type Paint = Pick<OutputScreen, "paint">;

export interface PlanReport {
  readonly done: Verification;
  readonly findings: readonly PlanFinding[];
  readonly screen: Paint;
}

export function planReport({ entry, approved }: LoadedPlan, { done, findings, screen }: PlanReport): string {
  const { paint } = screen;
  const by = approved === null ? "not approved" : `approved by ${oneLine(approved.by.user)}`;
  const lines = [`${paint("bold", oneLine(entry.title))} (${by})`];
  for (const { title, checks } of done.steps) {
    const state = checks.length === 0 ? "none" : checks.every(({ passed }) => passed) ? "passed" : "failed";
    lines.push(`${mark(state, screen)} ${oneLine(title)}${state === "none" ? paint("dim", "  no check given") : ""}`);
    for (const check of checks) lines.push(...checkLines(check, screen));
  }
  for (const check of done.commands)
    lines.push(`${mark(check.passed ? "passed" : "failed", screen)} the whole plan`, ...checkLines(check, screen));
  const broken = findings.filter(({ severity }) => severity === "breaks the plan").map(({ text }) => text);
  lines.push(
    ...(broken.length === 0 ? [] : listed(`${paint("red", "✗ breaks the plan:")} checks that failed:`, broken)),
    ...fileLines("touched but not planned", done.unplanned, { ...screen, severity: "outside of the plan" }),
    ...fileLines("planned but untouched", done.untouched, { ...screen, severity: "not done" }),
  );
  return [...lines, lastWords(done, screen)].join("\n");
}

function lastWords(done: Verification, { paint }: Paint): string {
  if (done.interrupted) return paint("red", "Interrupted: not everything was checked.");
  const unshown = done.steps.filter(({ checks }) => checks.length === 0).length;
  const rest = unshown === 0 ? "" : ` Unverified: ${unshown} step${unshown === 1 ? "" : "s"} without a check.`;
  if (done.passed) return `${paint("green", "All of it holds.")}${rest}`;
  const isEmpty = done.commands.length === 0 && done.steps.every(({ checks }) => checks.length === 0);
  const why = isEmpty
    ? "The plan has no commands to verify it by, and its files do not show that it is done."
    : "Not all of it holds.";
  return `${paint("red", why)}${isEmpty ? "" : rest}`;
}

function checkLines(
  { command, passed, exitCode, timedOut, durationMs, output }: CheckResult,
  { paint }: Paint,
): readonly string[] {
  const how = timedOut ? "timed out" : passed ? "ok" : `exit ${exitCode ?? "by a signal"}`;
  const head = `    $ ${oneLine(command)}  ${paint(passed ? "green" : "red", how)} ${paint("dim", `${(durationMs / 1000).toFixed(1)} s`)}`;
  if (passed) return [head];
  const last = output.trimEnd() === "" ? [] : output.trimEnd().split("\n").slice(-12);
  return [head, ...last.map((line) => paint("dim", `      ${oneLine(line)}`))];
}

function fileLines(
  what: string,
  files: readonly string[] | null,
  { paint, severity }: Paint & { readonly severity: PlanFinding["severity"] },
): readonly string[] {
  if (files === null) return [paint("dim", `· files ${what}: not known, since the plan was never submitted`)];
  if (files.length === 0) return [`${paint("green", "✓")} no files ${what}`];
  return listed(`${paint("red", `✗ ${severity}:`)} files ${what}:`, files);
}

function mark(state: "passed" | "failed" | "none", { paint }: Paint): string {
  if (state === "none") return paint("dim", "·");
  return state === "passed" ? paint("green", "✓") : paint("red", "✗");
}
