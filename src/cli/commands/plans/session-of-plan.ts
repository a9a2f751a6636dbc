/** Which session goes on with a plan. */
import { stat } from "node:fs/promises";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import { logPath } from "../../../agent/library/session-logs.ts";

/** The session that carries it out, else its own; of an agent's plan the session that started the agent. */
export async function sessionOfPlan(
  configHome: string,
  { session, project, lineage }: PlanEntry,
): Promise<string | null> {
  if (project === null) return null;
  for (const id of [lineage.carriedOutIn, session?.replace(/-agent-.+$/, "") ?? null]) {
    if (id !== null && (await stat(logPath(configHome, project, id)).catch(() => null)) !== null) return id;
  }
  return null;
}
