/** Makes the receipt of an approved plan: the sealed log says what was approved, git what was done, the plan's own checks whether it holds (B16.1). */
import { stepsOf } from "../../core/plan/steps.ts";
import type { TreeChange } from "../../core/proof/difference.ts";
import { changedFile, differenceHash, readablePath, sortedChanges } from "../../core/proof/difference.ts";
import { receiptOf, type Receipt, type ReceiptCheck } from "../../core/proof/receipt.ts";
import type { Todo } from "../../core/reminders/reminder.ts";
import type { LoadedPlan } from "../library/load-plan.ts";
import { logPath } from "../library/session-logs.ts";
import { openSealer } from "../store/log-seal.ts";
import type { CheckResult } from "../verify/run-checks.ts";
import { isOurs, verifyPlan, type Verification, type VerifyOptions } from "../verify/verify-plan.ts";
import { changesBetween, commitOf, isMerging, type GitProblem } from "./git-tree.ts";
import { withoutPlan } from "./plan-file-change.ts";
import { linkedTodos, sealedPlan } from "./sealed-log.ts";
import { workTreeChanges } from "./work-tree-changes.ts";

export interface ReceiptRequest extends VerifyOptions {
  readonly configHome: string;
  readonly plan: LoadedPlan;
  /** Of this program. */
  readonly version: string;
  /** Whether the receipt is to be written there: it is no part of the work. */
  readonly isReceiptFile: (path: string) => boolean;
}

export interface MadeReceipt {
  readonly receipt: Receipt;
  readonly verification: Verification;
  /** Files that the checks themselves changed. */
  readonly changedByChecks: readonly string[];
}

export async function makeReceipt(request: ReceiptRequest): Promise<MadeReceipt | GitProblem> {
  const { configHome, plan, project, version } = request;
  const { entry, log, text } = plan;
  if (log === null || entry.project === null)
    return { problem: "The plan's session is gone: nothing proves who approved it." };
  const sealer = await openSealer(configHome);
  const sealed = await sealedPlan(log, entry.id, sealer);
  if ("problem" in sealed) return sealed;
  const { record, head } = sealed;
  const decision = record.decisions.findLast(({ kind }) => kind === "approve");
  const approved = record.revisions.find(({ hash }) => hash === decision?.hash);
  if (decision === undefined || approved === undefined) return { problem: "Nobody approved this plan." };
  const base = record.evidence?.commit ?? null;
  if (base === null)
    return { problem: "The plan was made where git had no commit: nothing tells what was done since." };
  if (await isMerging(project)) return { problem: "A merge is under way here: finish it first." };
  const { isReceiptFile } = request;
  const since = { base, at: decision.at, planFile: entry.file, planText: approved.text, isReceiptFile };
  const work = await workOf(project, since);
  if ("problem" in work) return work;
  const verification = await verifyPlan({ ...plan, text: approved.text }, request);
  if (verification.interrupted) return { problem: "Interrupted: no receipt was made." };
  const after = await workOf(project, since);
  const todos = await todosOf(request, sealed);
  const made = { at: new Date().toISOString(), version };
  const receipt = receiptOf({
    approval: { at: new Date(decision.at).toISOString(), by: decision.by, hash: decision.hash, mode: decision.mode },
    checks: verification.commands.map(keptCheck),
    log: { ...head, session: record.session },
    made,
    plan: {
      hash: approved.hash,
      id: record.id,
      revision: approved.number,
      source: record.source ?? null,
      text: approved.text,
      title: record.title,
    },
    steps: keptSteps(text, verification, todos),
    task: sealed.task,
    work: {
      base,
      difference: differenceHash(work.changes),
      files: sortedChanges(work.changes).map(changedFile),
      head: work.head,
    },
  });
  return { receipt, verification, changedByChecks: "problem" in after ? [] : newIn(after.changes, work.changes) };
}

interface Work {
  readonly changes: readonly TreeChange[];
  readonly head: string | null;
}

interface WorkSince extends Pick<ReceiptRequest, "isReceiptFile"> {
  readonly base: string;
  readonly at: number;
  readonly planFile: string;
  readonly planText: string;
}

/** The commit where it holds exactly what the work tree has; else the work tree. */
async function workOf(root: string, since: WorkSince): Promise<Work | GitProblem> {
  const { base, at, planFile, planText, isReceiptFile } = since;
  const work = (changes: readonly TreeChange[]): readonly TreeChange[] =>
    withoutPlan(changes, planText).filter(({ path }) => !isReceiptFile(`${root}/${readablePath(path)}`));
  const inTree = await workTreeChanges(root, { base, at });
  if ("problem" in inTree) return inTree;
  const isNews = ({ before, path }: TreeChange): boolean => before !== null || !isOurs(`${root}/${path}`, planFile);
  const changes = work(inTree.filter(isNews));
  const head = await commitOf(root, "HEAD");
  if (typeof head !== "string") return { changes, head: null };
  const committed = await changesBetween(root, base, head);
  if ("problem" in committed) return committed;
  const own = work(committed);
  return differenceHash(own) === differenceHash(changes) ? { changes: own, head } : { changes, head: null };
}

async function todosOf(
  { configHome, plan }: ReceiptRequest,
  { todos, carriedOutIn }: { readonly todos: readonly Todo[]; readonly carriedOutIn: string | null },
): Promise<readonly Todo[]> {
  const { project } = plan.entry;
  if (carriedOutIn === null || project === null) return todos;
  return linkedTodos(logPath(configHome, project, carriedOutIn), await openSealer(configHome));
}

function keptSteps(text: string, { steps }: Verification, todos: readonly Todo[]): Receipt["steps"] {
  const ticked = stepsOf(text);
  const statuses = new Map(todos.map(({ content, status }) => [content, status]));
  return steps.map(({ title, files, checks }, at) => {
    const status = statuses.get(title);
    const done = ticked[at]?.done === true || (status === undefined ? null : status === "completed");
    return { checks: checks.map(keptCheck), done, files: [...files], title };
  });
}

function keptCheck({ command, exitCode, passed, timedOut }: CheckResult): ReceiptCheck {
  return { command, exitCode, passed, timedOut };
}

function newIn(after: readonly TreeChange[], before: readonly TreeChange[]): readonly string[] {
  const known = new Set(before.map(contentKey));
  return after.filter((change) => !known.has(contentKey(change))).map(({ path }) => path);
}

function contentKey({ path, after }: TreeChange): string {
  return `${path}\0${after?.mode} ${after?.hash}`;
}
