/** Whether a file is a plan that nobody may write any more: a settled one, or another session's (B5.1). */
import { isSettled } from "../../core/plan/ledger.ts";
import { refreshIndex, type RefreshOptions } from "./refresh.ts";

/** A file that no session knows as its plan is a person's own. */
export async function isKeptPlan(file: string, session: string, options: RefreshOptions): Promise<boolean> {
  const plans = [...(await refreshIndex(options)).values()].filter((plan) => plan.file === file);
  return plans.some((plan) => plan.session !== null && (plan.session !== session || isSettled(plan)));
}
