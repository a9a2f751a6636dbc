/** A session's log read again, with the plans that it tells of. */
import type { Event } from "../../core/event.ts";
import { reduce } from "../../core/reduce.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { readLog } from "../store/log-reader.ts";
import { laterOf, type PlanEntry } from "./entry.ts";
import { trackPlans } from "./track-plans.ts";

export interface ReadLog {
  readonly session: Session;
  /** The newest state of each plan. */
  readonly plans: readonly PlanEntry[];
  /** The newest text of each plan file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Every verdict that was given, with its words; those that were refused are among them. */
  readonly verdicts: readonly GivenWords[];
}

export type GivenWords = Extract<Event, { readonly type: "review-decided" | "lead-answered" }>;

/** Null when the log is gone, cannot be opened, or is a newer program's. */
export async function replayLog(path: string): Promise<ReadLog | null> {
  const tracker = trackPlans();
  const plans = new Map<string, PlanEntry>();
  const verdicts: GivenWords[] = [];
  let session = freshSession();
  try {
    for await (const { entry } of readLog(path)) {
      if (entry === null) continue;
      const { event } = entry;
      if (event.type === "review-decided" || event.type === "lead-answered") verdicts.push(event);
      const before = session;
      session = reduce(session, event).session;
      if (before.plans === session.plans && before.plan === session.plan) continue;
      for (const plan of tracker.note(session, entry.at)) plans.set(plan.id, laterOf(plans.get(plan.id), plan));
    }
  } catch {
    return null;
  }
  return { session, plans: [...plans.values()], texts: tracker.texts, verdicts };
}
