/** What a session has used so far, in words for the person (`/cost`). */
import type { Session } from "../../core/session.ts";
import { shortCount, tokensOf, type UsageTotal } from "../../core/usage.ts";

export interface CostFacts {
  readonly session: Session;
  readonly model: string;
  readonly costOf: (usage: UsageTotal) => number | null;
}

export function costText({ session, model, costOf }: CostFacts): string {
  const { usage, settings } = session;
  const line = (name: string, used: UsageTotal): string => {
    const cost = costOf(used);
    const money = cost === null ? "price not known" : `$${cost.toFixed(4)}`;
    return `${name.padEnd(9)} ${shortCount(tokensOf(used))} tokens in ${used.requests} requests, ${money}`;
  };
  const budget =
    settings.maxPlanningTokens === null
      ? []
      : [`budget    ${shortCount(settings.maxPlanningTokens)} tokens for planning`];
  const exits = exitsText(session);
  return [
    `model     ${model}`,
    line("all", usage.total),
    line("planning", usage.planning),
    ...budget,
    ...(exits === null ? [] : [exits]),
  ].join("\n");
}

/** R7.3: how often the model wanted to leave plan mode where there was none; null when never. */
export function exitsText({ counters: { exitsOutsidePlan: count } }: Session): string | null {
  if (count === 0) return null;
  return `exits     ${count} attempt${count === 1 ? "" : "s"} to leave plan mode outside of it, refused`;
}
