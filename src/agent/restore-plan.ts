/** R14.2: a plan file that is gone is rebuilt from what the log knows, and the person is told. */
import type { Session } from "../core/session.ts";
import type { Files } from "./ports.ts";

export interface RestoreOptions {
  readonly files: Files;
  readonly tell: (line: string) => void;
}

/** What the plan file holds now, for `session-resumed`. */
export async function restorePlan({ plan }: Session, { files, tell }: RestoreOptions): Promise<string | null> {
  for (const kept of [plan, plan.approved]) {
    if (kept === null || kept.file === null || kept.text === null || kept.text === "") continue;
    if ((await files.stat(kept.file).catch(() => null)) !== null) continue;
    await files.writeText(kept.file, kept.text, { mode: 0o600 });
    tell(`The plan file ${kept.file} was gone; it was rebuilt from the session's log.`);
  }
  if (plan.file === null) return null;
  const bytes = await files.readBytes(plan.file).catch(() => null);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
