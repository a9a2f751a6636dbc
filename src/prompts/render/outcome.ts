/** Turns what came of a call into the result that the model reads. */
import type { Outcome } from "../../core/outcome.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { wishOf } from "../../core/verdict.ts";
import { renderDenial, type DenialFacts } from "./denial.ts";
import { renderFeedback, renderNotes } from "./feedback.ts";
import type { Prompts } from "../index.ts";
import type { PlanStyle } from "./reminder.ts";
import { withoutReminderTags } from "./tags.ts";

/** A tool that ran gives its own output. */
export type SettledOutcome = Exclude<Outcome, { kind: "ran" }>;

export interface OutcomeFacts extends DenialFacts {
  /** Whether an agent or team tool is offered (R7.9). */
  readonly hasAgents: boolean;
  readonly workflow: PlanStyle["workflow"];
}

export function renderOutcome(prompts: Prompts, outcome: SettledOutcome, facts: OutcomeFacts): string {
  return withoutReminderTags(textOf(prompts, outcome, facts));
}

function textOf(prompts: Prompts, outcome: SettledOutcome, facts: OutcomeFacts): string {
  switch (outcome.kind) {
    case "denied":
      return renderDenial(prompts, outcome.denial, facts);
    case "entered":
      return prompts(facts.workflow === "interview" ? "results/entered-interview" : "results/entered");
    case "approved":
      return approved(prompts, outcome, facts);
    case "revise":
      return revise(prompts, outcome);
    case "unchanged":
      return unchanged(prompts, outcome);
    case "sent-back":
      return prompts("results/sent-back", { missing: outcome.missing.map((heading) => `- ${heading}`).join("\n") });
    case "submitted":
      return prompts("results/submitted", { requestId: outcome.requestId });
    case "cancelled":
    case "interrupted":
    case "left":
    case "saved":
    case "abandoned":
    case "dismissed":
    case "withdrawn":
      return prompts(`results/${outcome.kind}`);
  }
}

type Of<Kind extends Outcome["kind"]> = Extract<Outcome, { kind: Kind }>;

function approved(prompts: Prompts, outcome: Of<"approved">, { actor, hasAgents }: OutcomeFacts): string {
  const { plan, file, edited, fresh } = outcome;
  if (isBlank(plan)) return prompts("results/released");
  if (fresh) return prompts("results/approved-fresh", { file });
  const notes = renderNotes(prompts, outcome, "results/notes");
  if (actor === "subagent") {
    return prompts(edited ? "results/approved-agent-edited" : "results/approved-agent", { file, notes });
  }
  const parallel = hasAgents ? ` ${prompts("results/parallel")}` : "";
  const seeded = todosSeeded(prompts, outcome);
  const todos = seeded === "" ? "" : ` ${seeded}`;
  return prompts(edited ? "results/approved-edited" : "results/approved", { file, todos, parallel, notes, plan });
}

function todosSeeded(prompts: Prompts, { seeded = 0, together }: Of<"approved">): string {
  if (seeded === 0) return "";
  if (seeded === 1) return prompts("results/todos-seeded-one");
  const count = String(seeded);
  return together === undefined
    ? prompts("results/todos-seeded", { count })
    : prompts("results/todos-seeded-together", { count, together: String(together) });
}

function revise(prompts: Prompts, outcome: Of<"revise">): string {
  const feedback = renderFeedback(prompts, outcome, "results/feedback");
  switch (wishOf(outcome)) {
    case "change":
      return prompts("results/revise", { feedback });
    case "answer":
      return prompts("results/revise-questions", { feedback });
    case "consider":
      return prompts("results/revise-notes", { feedback });
    case "ask":
      return prompts("results/revise-silent");
  }
}

/** The third time ends the turn (B4.2). */
function unchanged(prompts: Prompts, outcome: Of<"unchanged">): string {
  const feedback = renderFeedback(prompts, outcome, "results/feedback");
  if (outcome.times < 3) return prompts("results/unchanged", { feedback });
  return prompts("results/unchanged-ended", { times: String(outcome.times), feedback });
}
