/** Notices which plans of a session changed by an event: the same for a live session and for a log that is read again. */
import { summaryOf, type PlanRecord } from "../../core/plan/ledger.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import type { Session } from "../../core/session.ts";
import type { PlanEntry } from "./entry.ts";

export type PlanTracker = ReturnType<typeof trackPlans>;

/** `known`: a session that the index knows of already. */
export function trackPlans(known?: Session) {
  const records = new Map<string, PlanRecord>();
  /** The newest text of every plan file that was seen. */
  const texts = new Map<string, string>();

  /** What the index should say anew; a claimed file without a word in it is no plan. */
  const note = (session: Session, at: number): readonly PlanEntry[] => {
    const { plan, plans } = session;
    const isWritten = plan.file !== null && plan.text !== null && texts.get(plan.file) !== plan.text;
    if (isWritten) texts.set(plan.file, plan.text);
    const changed: PlanEntry[] = [];
    for (const record of plans) {
      const isRewritten = isWritten && record.file === plan.file && record.session === session.id;
      if (records.get(record.id) === record && !isRewritten) continue;
      records.set(record.id, record);
      const text = texts.get(record.file) ?? record.revisions.at(-1)?.text ?? null;
      if (record.revisions.length > 0 || !isBlank(text)) changed.push(entryOf(record, text, at));
    }
    return changed;
  };

  if (known !== undefined) note(known, 0);
  return { note, texts };
}

function entryOf(record: PlanRecord, text: string | null, at: number): PlanEntry {
  const isDraft = record.decisions.every(({ kind }) => kind !== "approve");
  const title = isDraft && text !== null ? titleOf(text) : record.title;
  return { ...summaryOf(record), title, at };
}
