/** Whether a plan's work is done: its checks pass, what it names was touched, and nothing else was (B6.3). */
import { basename, dirname, isAbsolute, relative } from "node:path";
import { approvedHash } from "../../core/plan/ledger.ts";
import { hashText } from "../../core/plan/hash.ts";
import { isNamedIn } from "../../core/plan/scope.ts";
import { checksOf, type PlanChecks } from "../../core/plan/steps.ts";
import { changedSince, type LoadedPlan } from "../library/load-plan.ts";
import { isOurName } from "../library/loose-files.ts";
import { runChecks, type CheckResult, type RunChecks } from "./run-checks.ts";
import { touchedSince } from "./touched-files.ts";

export interface Verification {
  readonly steps: readonly VerifiedStep[];
  /** Checks of the plan as a whole. */
  readonly commands: readonly CheckResult[];
  /** Files planned but untouched; null where nobody knows how they were before. */
  readonly untouched: readonly string[] | null;
  /** Files touched but not planned; null as above. */
  readonly unplanned: readonly string[] | null;
  readonly passed: boolean;
  /** Ctrl-C: what is here is not all. */
  readonly interrupted: boolean;
}

export interface VerifiedStep {
  readonly title: string;
  readonly files: readonly string[];
  readonly checks: readonly CheckResult[];
}

export interface VerifyOptions extends Omit<RunChecks, "directory"> {
  readonly project: string;
}

/** Every command that would run, in order. */
export function commandsOf(text: string): readonly string[] {
  const { steps, commands } = checksOf(text);
  return [...new Set([...steps.flatMap(({ verify }) => verify), ...commands])];
}

export async function verifyPlan(plan: LoadedPlan, options: VerifyOptions): Promise<Verification> {
  const { text } = plan;
  const checks = checksOf(text);
  const files = await compareFiles(plan, checks, options.project);
  const results = await runChecks(commandsOf(text), { ...options, directory: options.project });
  const resultsOf = (commands: readonly string[]) => commands.flatMap((command) => results.get(command) ?? []);
  const interrupted = options.signal.aborted;
  const isChecked = results.size > 0 || checks.files.length > 0;
  const holds =
    [...results.values()].every(({ passed }) => passed) &&
    (files?.untouched.length ?? 0) === 0 &&
    (files?.unplanned.length ?? 0) === 0;
  return {
    steps: checks.steps.map(({ title, files: named, verify }) => ({ title, files: named, checks: resultsOf(verify) })),
    commands: resultsOf(checks.commands),
    untouched: files?.untouched ?? null,
    unplanned: files?.unplanned ?? null,
    passed: isChecked && holds && !interrupted,
    interrupted,
  };
}

/** Before any command runs, since these may write files of their own. */
async function compareFiles(plan: LoadedPlan, { files }: PlanChecks, project: string) {
  const { entry, text } = plan;
  const { evidence, revisions } = entry;
  const at = plan.approved?.at ?? revisions.at(-1)?.at;
  if (evidence === null || at === undefined) return null;
  const changed = new Set(await changedSince(evidence, project));
  const touched = (await touchedSince(project, { commit: evidence.commit, at })).filter(
    (path) => !isOurs(`${project}/${path}`, entry.file),
  );
  const isTouched = (named: string): boolean => {
    const quoted = `\`${isAbsolute(named) ? relative(project, named) : named}\``;
    return changed.has(named) || touched.some((path) => isNamedIn(quoted, `${project}/${path}`, project));
  };
  return {
    untouched: files.filter((named) => !isTouched(named)),
    unplanned: touched.filter((path) => !isNamedIn(text, `${project}/${path}`, project)),
  };
}

/** Our settings and the plans themselves, where they lie in the project. */
export function isOurs(path: string, planFile: string): boolean {
  const isPlan = dirname(path) === dirname(planFile) && isOurName(basename(path));
  return path === planFile || isPlan || path.includes("/.groundplan/");
}

/** Exactly what a person approved: its commands need no further question. */
export function isApprovedText({ approved, entry, text }: LoadedPlan): boolean {
  return approved !== null && hashText(text) === approvedHash(entry);
}
