/** `groundplan plans rm`: removes a plan's file and takes it out of the library; what was approved only by force. */
import { lstat, rm } from "node:fs/promises";
import { lockSession } from "../../../agent/host/files/lock.ts";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import { logPath } from "../../../agent/library/session-logs.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import { askYes } from "../../ask.ts";
import { answer, answerJson, isInteractive } from "../../command.ts";
import { complain } from "../../complaint.ts";
import { planOf, type PlansRequest } from "./request.ts";
import { oneLine } from "./screen.ts";

export async function remove(request: PlansRequest): Promise<number> {
  const { streams, options } = request;
  const [wanted, ...more] = request.words;
  if (wanted === undefined || more.length > 0) return complain(streams, "Which plan? groundplan plans rm <plan>", 2);
  const plan = await planOf(request, wanted);
  if (typeof plan === "number") return plan;
  const name = nameOf(plan);
  if (approvedHash(plan) !== null && !options.force) {
    const kept = `${name} was approved, and what was approved is kept. --force removes it all the same.`;
    return complain(streams, kept, 1);
  }
  if (!options.yes) {
    if (!isInteractive(streams)) return complain(streams, `Nothing was removed: say --yes to remove ${name}.`, 2);
    const isMeant = await askYes(streams, `Remove ${name} (${oneLine(plan.file)})?`);
    if (!isMeant) return complain(streams, "Nothing was removed.", 1);
  }
  return whileClosed(request, plan, () => removeNow(request, plan));
}

function nameOf({ title, file }: PlanEntry): string {
  return oneLine(title === "" ? file : title);
}

async function removeNow({ library, streams, options }: PlansRequest, plan: PlanEntry): Promise<number> {
  const found = await lstat(plan.file).catch(() => null);
  if (found !== null && !found.isFile())
    return complain(streams, `${oneLine(plan.file)} is not a regular file; nothing was removed.`, 1);
  try {
    await library.forget(plan);
    if (found !== null) await rm(plan.file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return complain(streams, `It could not be removed: ${why}`, 1);
  }
  const removed = found === null ? [] : [plan.file];
  if (options.json) return answerJson(streams, { id: plan.id, removed });
  const log = ` Its text is still in the session's log; groundplan sessions rm ${plan.session} removes that.`;
  return answer(streams, `Removed ${nameOf(plan)}.${plan.session === null ? "" : log}`);
}

/** A plan that a running session works on is left alone. */
async function whileClosed(request: PlansRequest, plan: PlanEntry, action: () => Promise<number>): Promise<number> {
  const path =
    plan.session === null || plan.project === null ? null : logPath(request.configHome, plan.project, plan.session);
  const isKept = path !== null && (await lstat(path).catch(() => null)) !== null;
  if (!isKept) return action();
  const locking = await lockSession(`${path}.lock`);
  if (locking.kind === "refused") {
    const who = locking.pid === null ? "another process" : `process ${locking.pid}`;
    return complain(request.streams, `Its session is open in ${who}; close it there first. Nothing was removed.`, 1);
  }
  try {
    return await action();
  } finally {
    await locking.lock.release();
  }
}
