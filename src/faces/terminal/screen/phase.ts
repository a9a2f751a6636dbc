/** The planning phase, derived from what happens and never asked of the model (R15.6). */
import type { Happening } from "../../../agent/ports/handle.ts";
import type { Effect } from "../../../core/effect.ts";
import type { Event } from "../../../core/event.ts";
import { isPlanning } from "../../../core/mode.ts";
import type { Session } from "../../../core/session.ts";

export type Phase = "explore" | "design" | "review" | "finalize" | "exit";

/** Null outside of plan mode. */
export function phaseAfter(phase: Phase | null, happening: Happening): Phase | null {
  if (happening.kind === "agent")
    return phase === null ? null : phaseOfAgent(phase, happening.agent, happening.news.kind);
  if (happening.kind !== "event") return phase;
  const { event, session, effects } = happening;
  if (session.id === "" || !isPlanning(session.permissions)) return null;
  return phaseOfEvent(phase ?? phaseOf(session), event, effects);
}

/** Where a session stands that was just resumed. */
export function phaseOf({ turn, plan }: Session): Phase {
  if (turn.open.some(({ state }) => state.kind === "reviewing")) return "exit";
  return plan.text !== null && plan.text.trim() !== "" ? "finalize" : "explore";
}

function phaseOfAgent(phase: Phase, agent: string, news: "started" | "within" | "finished"): Phase {
  if (news === "started") return agent === "Explore" ? "explore" : agent === "Plan" ? "design" : phase;
  return news === "finished" && agent === "Plan" && phase === "design" ? "review" : phase;
}

function phaseOfEvent(phase: Phase, event: Event, effects: readonly Effect[]): Phase {
  if (effects.some(({ type }) => type === "request-review" || type === "submit-plan")) return "exit";
  if (event.type === "plan-saved") return "finalize";
  if (event.type === "review-decided") return event.verdict.kind === "revise" ? "review" : phase;
  const asks = effects.some(({ type }) => type === "ask-questions");
  return asks && phase === "design" ? "review" : phase;
}
