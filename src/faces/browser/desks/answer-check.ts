/** Before what the page sends counts: can its request still be answered so, and can the person's edit be written? */
import { isBlank } from "../../../core/plan/hash.ts";
import type { PlanRecord } from "../../../core/plan/ledger.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import type { Taken } from "./desk.ts";
import type { OpenRequest, VerdictBody } from "./wire.ts";

/** Null: nothing speaks against it. Only the very text that was shown can be answered (B2.1). */
export function objectionTo(request: OpenRequest, body: VerdictBody): Taken {
  if (body.requestId !== request.id || body.hash !== request.hash) return "stale";
  if (body.plan !== undefined && isBlank(body.plan)) return "empty-plan";
  if (body.kind !== "approve") return null;
  const { choices } = request;
  const hasMode = choices.some(
    (choice) => choice.kind === "approve" && (body.mode === undefined || choice.mode === body.mode),
  );
  const hasFresh = body.fresh !== true || choices.some(({ kind }) => kind === "approve-fresh");
  return hasMode && hasFresh ? null : "mode-not-available";
}

export interface PlanEdit {
  readonly file: string;
  /** Of the text that was shown. */
  readonly hash: string;
  readonly text: string | undefined;
  readonly record: PlanRecord | null;
}

/** Into the plan's file, if that still is what was shown; the model hears of the difference (B3.5). An approved plan's bytes never change (B5.1). */
export async function writeEdit(files: Files, edit: PlanEdit): Promise<Taken> {
  const { file, hash, text, record } = edit;
  if (text === undefined) return null;
  if (record?.decisions.some(({ kind }) => kind === "approve") === true) return "closed";
  try {
    await files.writeText(file, text, { mode: 0o600, expectedHash: hash, refuseHardLinks: true });
    return null;
  } catch {
    return "write-failed";
  }
}
