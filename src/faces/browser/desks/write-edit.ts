/** The person's edit goes into the plan's file, if that still is what was shown; the model hears of the difference (B3.5). */
import type { PlanRecord } from "../../../core/plan/ledger.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import type { Refused } from "./wire.ts";

export interface PlanEdit {
  readonly file: string;
  /** Of the text that was shown. */
  readonly hash: string;
  readonly text: string | undefined;
  readonly record: PlanRecord | null;
}

/** Null: written, or nothing to write. An approved plan's bytes never change (B5.1). */
export async function writeEdit(files: Files, edit: PlanEdit): Promise<Refused["reason"] | null> {
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
