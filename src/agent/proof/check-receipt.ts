/** Holds a difference against a receipt: the plan's scope, the recorded work, the checks, the signature, and the log where it is here (B16.2). */
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { filesNamedIn } from "../../core/plan/outline.ts";
import { isNamedIn } from "../../core/plan/scope.ts";
import { checksOf } from "../../core/plan/steps.ts";
import { deviationOf, differenceHash, readablePath, type TreeChange } from "../../core/proof/difference.ts";
import { bySeverity, isRefusing, type PlanFinding, type Severity } from "../../core/proof/finding.ts";
import type { Receipt, ReceiptCheck } from "../../core/proof/receipt.ts";
import { logPath } from "../library/session-logs.ts";
import { commandsOf } from "../verify/verify-plan.ts";
import { changesBetween, fileIn, resolveRange, type CommitRange, type GitProblem } from "./git-tree.ts";
import { withoutPlan } from "./plan-file-change.ts";
import { readReceipt, type ReadReceipt } from "./read-receipt.ts";
import { headOf } from "./sealed-log.ts";
import { checkSignature } from "./ssh-signature.ts";
import { workTreeChanges } from "./work-tree-changes.ts";

export interface ReceiptCheckRequest {
  readonly root: string;
  readonly configHome: string;
  readonly file: string;
  readonly range: string;
  /** The text of an allowed signers file; null: that of the range's left side, where it has one. */
  readonly signers: string | null;
}

export interface ReceiptReport {
  /** Null where the file is no receipt that can be believed. */
  readonly receipt: Receipt | null;
  readonly range: CommitRange;
  /** Paths of the difference. */
  readonly files: readonly string[];
  readonly signer: string | null;
  /** Worst first. */
  readonly findings: readonly PlanFinding[];
  readonly passed: boolean;
}

/** Where a project says whose receipts count; taken from the left side of the range, so that no change vouches for itself and no old base chooses the signers. */
export const signersPath = ".groundplan/allowed_signers";

export async function checkReceipt(request: ReceiptCheckRequest): Promise<ReceiptReport | GitProblem> {
  const { root, range: wanted, file } = request;
  const range = await resolveRange(root, wanted);
  if ("problem" in range) return range;
  const all = await changesIn(root, range);
  if ("problem" in all) return all;
  const read = await readReceipt(file);
  const own = relative(root, await realpath(file).catch(() => resolve(file)));
  const changes = all.filter(({ path }) => readablePath(path) !== own);
  const report = { range, files: changes.map(({ path }) => readablePath(path)) };
  if ("problems" in read) {
    const findings = read.problems.map((text) => found("breaks the plan", text));
    return { ...report, receipt: null, signer: null, findings, passed: false };
  }
  const { receipt } = read;
  const signed = await signatureFindings(read, request, range);
  const findings = bySeverity([
    ...signed.findings,
    ...workFindings(receipt, withoutPlan(changes, receipt.plan.text)),
    ...checkFindings(receipt),
    ...(await logFindings(receipt, request)),
  ]);
  return { ...report, receipt, signer: signed.signer, findings, passed: !findings.some(isRefusing) };
}

function changesIn(root: string, { base, head }: CommitRange): Promise<readonly TreeChange[] | GitProblem> {
  return head === null ? workTreeChanges(root, { base, at: -Infinity }) : changesBetween(root, base, head);
}

function workFindings({ plan, work }: Receipt, changes: readonly TreeChange[]): readonly PlanFinding[] {
  const paths = changes.map(({ path }) => readablePath(path));
  const isNamed = (path: string): boolean => isNamedIn(plan.text, path, "");
  const outside = paths.filter((path) => !isNamed(path));
  const isTouched = (named: string): boolean => paths.some((path) => isNamedIn(`\`${named}\``, path, ""));
  const undone = checksOf(plan.text).files.filter((named) => !isAbsolute(named) && !isTouched(named));
  const namesNothing = filesNamedIn(plan.text).length === 0 && paths.length > 0 && outside.length === 0;
  return [
    ...(differenceHash(changes) === work.difference ? [] : deviationFindings(changes, work)),
    ...outside.map((path) => found("outside of the plan", `${path} was changed, and the plan does not name it.`)),
    ...undone.map((path) => found("not done", `${path} is named in the plan, and was not changed.`)),
    ...(namesNothing ? [found("unverified", "The plan names no file, so it sets no limit to the difference.")] : []),
  ];
}

function deviationFindings(changes: readonly TreeChange[], { files }: Receipt["work"]): readonly PlanFinding[] {
  const { changedSince, added, missing } = deviationOf(changes, files);
  const told = [
    ...changedSince.map((path) => `${path} is not as it was when the receipt was made.`),
    ...added.map((path) => `${path} was changed after the receipt was made: the receipt does not have it.`),
    ...missing.map((path) => `${path} is in the receipt, and not in this difference.`),
  ];
  const texts = told.length > 0 ? told : ["The difference is another one than that of the receipt."];
  return texts.map((text) => found("breaks the plan", text));
}

function checkFindings({ checks, steps, plan }: Receipt): readonly PlanFinding[] {
  const all = [...steps.flatMap((step) => step.checks), ...checks];
  const broken = new Set(all.filter(({ passed }) => !passed).map(failedWords));
  const known = new Set(all.map(({ command }) => command));
  const left = commandsOf(plan.text).filter((command) => !known.has(command));
  const unshown = steps.filter((step) => step.checks.length === 0);
  return [
    ...[...broken].map((text) => found("breaks the plan", text)),
    ...left.map((command) =>
      found("breaks the plan", `${command} is a check of the plan, and the receipt has no result of it.`),
    ),
    ...unshown.map(({ title, done }) => found("unverified", `“${title}” has no check${doneWords(done)}.`)),
  ];
}

function failedWords({ command, timedOut, exitCode }: ReceiptCheck): string {
  const how = timedOut ? "timed out" : `failed (exit ${exitCode ?? "by a signal"})`;
  return `${command} ${how} when the receipt was made.`;
}

function doneWords(done: boolean | null): string {
  if (done === null) return "";
  return done ? "; the todo list says that it is done" : "; the todo list does not say that it is done";
}

interface SignedBy {
  readonly signer: string | null;
  readonly findings: readonly PlanFinding[];
}

async function signatureFindings(
  { receipt, signed }: ReadReceipt,
  { root, signers: given }: ReceiptCheckRequest,
  { left }: CommitRange,
): Promise<SignedBy> {
  const signers = given ?? (await fileIn(root, left, signersPath));
  if (signers !== null && typeof signers === "object") return only("breaks the plan", signers.problem);
  const { signature } = receipt;
  if (signature === undefined)
    return signers === null
      ? only("unverified", "The receipt is not signed: whoever can write the file can write another one.")
      : only("breaks the plan", "The receipt is not signed, and only those of allowed signers count here.");
  const finding = await checkSignature({ text: signed, signature, signers, directory: root });
  switch (finding.kind) {
    case "allowed":
      return { signer: finding.signer, findings: [] };
    case "refused":
      return only("breaks the plan", finding.why);
    case "no-program":
      return only(signers === null ? "unverified" : "breaks the plan", finding.why);
    case "unknown-signer":
      return only(
        "unverified",
        `The receipt is signed by the key ${finding.key}; nobody says whose signatures count (${signersPath}, or --signers).`,
      );
  }
}

function only(severity: Severity, text: string): SignedBy {
  return { signer: null, findings: [found(severity, text)] };
}

/** On the machine where it was made: the log's lines are those that the receipt was made from. */
async function logFindings(
  { log }: Receipt,
  { configHome, root }: ReceiptCheckRequest,
): Promise<readonly PlanFinding[]> {
  if (!/^[\w.-]{1,200}$/.test(log.session)) return [];
  const head = await headOf(logPath(configHome, root, log.session), log.bytes).catch(() => null);
  if (head === null || (head.hash === log.hash && head.lines === log.lines && head.seal === log.seal)) return [];
  return [
    found(
      "breaks the plan",
      "The session's log here is not the one that the receipt was made from: its lines were changed or moved.",
    ),
  ];
}

function found(severity: Severity, text: string): PlanFinding {
  return { severity, text };
}
