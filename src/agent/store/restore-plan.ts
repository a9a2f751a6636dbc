/** R14.2: a plan file that is gone is rebuilt from what the log knows, and the person is told. */
import { dirname } from "node:path";
import { items } from "../../core/chain.ts";
import type { Session } from "../../core/session.ts";
import type { Files } from "../ports/ports.ts";

export interface RestoreOptions {
  readonly files: Files;
  readonly tell: (line: string) => void;
  /** Where a log that cannot be believed may have files rebuilt; anywhere otherwise. */
  readonly within?: string;
}

/** What the plan file holds now, for `session-resumed`. */
export async function restorePlan(session: Session, { files, tell, within }: RestoreOptions): Promise<string | null> {
  const { plan } = session;
  for (const kept of [plan, plan.approved, ...referenced(session)]) {
    if (kept === null || kept.file === null || kept.text === null || kept.text === "") continue;
    if (within !== undefined && dirname(kept.file) !== within) continue;
    if ((await files.stat(kept.file).catch(() => null)) !== null) continue;
    await files.writeText(kept.file, kept.text, { mode: 0o600 });
    tell(`The plan file ${kept.file} was gone; it was rebuilt from the session's log.`);
  }
  if (plan.file === null || (within !== undefined && dirname(plan.file) !== within)) return null;
  const bytes = await files.readBytes(plan.file).catch(() => null);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** The last of R14.2's sources: a plan that was given to the model again after a compaction. */
function referenced({ plan, transcript }: Session): readonly { readonly file: string; readonly text: string }[] {
  const given = items(transcript).flatMap((entry) => {
    if (entry.kind !== "reminder" || entry.reminder.type !== "plan_file_reference") return [];
    const { planFilePath: file, planContent: text } = entry.reminder;
    return file === plan.file ? [{ file, text }] : [];
  });
  return given.slice(-1);
}
