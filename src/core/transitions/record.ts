/** The current plan's entry in the ledger. */
import { addDecision, type PlanDecision, type PlanRecord } from "../plan/ledger.ts";
import type { Session } from "../session.ts";

export function currentRecord({ plans, plan }: Session): PlanRecord | undefined {
  return plans.findLast(({ file }) => file === plan.file);
}

export function updateRecord(session: Session, change: (record: PlanRecord) => PlanRecord): Session {
  const at = session.plans.findLastIndex(({ file }) => file === session.plan.file);
  if (at < 0) return session;
  return { ...session, plans: session.plans.with(at, change(session.plans[at]!)) };
}

export function recordDecision(session: Session, decision: PlanDecision): Session {
  return updateRecord(session, (record) => addDecision(record, decision));
}
