/** A plan that waits, as a row of the list; whatever it is called is only ever text. */
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { WaitingPlan, WaitingState } from "../../server/waiting-wire.ts";

export function drawRow(plan: WaitingPlan, now: number): HTMLLIElement {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = `api/go?id=${encodeURIComponent(plan.id)}`;
  link.target = "_blank";
  link.rel = "noopener";
  link.dir = "auto";
  link.textContent = plan.title === "" ? "(no title)" : makeVisible(plan.title);
  const facts = document.createElement("p");
  facts.textContent = makeVisible(factsOf(plan, now).join(" · "));
  const left = timeLeft(plan, now);
  row.append(link, facts);
  if (left !== null) row.append(left);
  return row;
}

export function factsOf({ by, session, project, since, live }: WaitingPlan, now: number): readonly string[] {
  const who = by.kind === "teammate" ? `teammate ${by.name}` : by.name;
  const waited = live ? `waits for ${lengthOf(now - since)}` : `submitted ${lengthOf(now - since)} ago`;
  return [who, `session ${session}`, ...(project === null ? [] : [project]), waited];
}

function timeLeft({ until }: WaitingPlan, now: number): HTMLElement | null {
  if (until === null) return null;
  const left = document.createElement("p");
  left.className = until - now < soonMs ? "left soon" : "left";
  left.textContent = until <= now ? "time is over" : `${lengthOf(until - now)} left`;
  return left;
}

const soonMs = 5 * 60_000;

export function lengthOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** Those that somebody waits for now. */
export function countOf({ plans }: WaitingState): number {
  return plans.filter(({ live }) => live).length;
}

/** `later`: those of sessions that do not run. */
export function newsOf(count: number, later: number): string {
  if (count === 0 && later === 0) return "Nothing waits for you now. This page tells when something does.";
  if (count === 0) return "No session waits for you now. This page tells when one does.";
  return count === 1 ? "One plan waits for your answer." : `${count} plans wait for your answer.`;
}

export function titleOf(count: number): string {
  return `${count === 0 ? "" : `(${count}) `}Plans that wait · Groundplan`;
}
