/** Which task a conversation is about now, and what was said about its plan since. */
import type { ToolOutput } from "../../agent/ports/ports.ts";
import type { UserQuestion } from "../../core/questions.ts";
import { wishOf } from "../../core/verdict.ts";
import { fieldOf, type Conversation, type Made, type Said } from "./conversation.ts";
import { isAboutPlan, isGoOn } from "./feedback.ts";

export interface Errand {
  readonly task: Said;
  /** Remarks on the plan, in order: verdicts and plain words. */
  readonly feedback: readonly Said[];
  /** Calls since the task was given. */
  readonly calls: readonly Made[];
}

/** Null where nobody has said anything. */
export function errandOf({ words, calls, planFile, approved, demands }: Conversation): Errand | null {
  let task: Said | null = null;
  const remarks: Said[] = [];
  for (const said of words) {
    const before = task;
    const known = before === null ? [] : pathsIn(calls.filter(({ at }) => at > before.at && at < said.at));
    const isOver = before !== null && approved !== null && approved.at > before.at && approved.at < said.at;
    const isPlanned = calls.some(
      (call) => before !== null && call.at > before.at && call.at < said.at && isPlanWrite(call, planFile),
    );
    if (before !== null && !isOver && isGoOn(said.text)) continue;
    if (isPlanned && !isOver && isAboutPlan(said.text, known)) remarks.push(said);
    else task = said;
  }
  if (task === null) return null;
  const since = task.at;
  const own = calls.filter(({ at }) => at > since);
  const feedback = [
    ...own.flatMap(demandIn),
    ...own
      .filter((call) => askedIn(call)?.header === wishHeader)
      .flatMap((call) => answersIn(call).map((text) => ({ at: call.at + 0.5, text }))),
    ...demands.filter(({ at }) => at > since),
    ...remarks.filter(({ at }) => at > since),
  ];
  return { task, feedback: feedback.toSorted((left, right) => left.at - right.at), calls: own };
}

export function isPlanWrite({ tool, input, isError }: Made, planFile: string | null): boolean {
  return tool === "Write" && input["file_path"] === planFile && !isError;
}

/** Paths that the calls spoke of: what a person may name without more ado. */
export function pathsIn(calls: readonly Made[]): string[] {
  const plans = calls.filter(({ tool }) => tool === "Write").map((call) => fieldOf(call, "content"));
  return [
    ...new Set(plans.flatMap((plan) => [...plan.matchAll(/`([^`\s]+?)(?::\d+)?`/g)].map(([, path]) => path!))),
  ].filter((path) => /[./]/.test(path));
}

export const wishHeader = "What to change";

/** The question that a call asked. */
export function askedIn({ tool, input }: Made): Partial<UserQuestion> | null {
  const { questions } = input;
  return tool === "AskUserQuestion" && Array.isArray(questions) ? (questions[0] ?? null) : null;
}

/** What the person answered, in their words; nothing where nobody did. */
export function answersIn(call: Made): readonly string[] {
  const { answers = [], notes } = outputOf(call);
  return [...answers.map(({ answer }) => answer.trim()), ...(notes === undefined ? [] : [notes])];
}

/** What a tool gave beside its text. */
export function outputOf({ outcome }: Made): Partial<ToolOutput> {
  const output = outcome?.kind === "ran" ? outcome.output : null;
  return typeof output === "object" && output !== null ? output : {};
}

/** What a verdict wants changed or thought of. */
function demandIn({ at, outcome }: Made): readonly Said[] {
  if (outcome?.kind !== "revise" || !["change", "consider"].includes(wishOf(outcome))) return [];
  return [{ at: at + 0.5, text: outcome.feedback, comments: outcome.comments }];
}
