/** Which task a conversation is about now, and what was said about its plan since. */
import { fieldOf, type Conversation, type Made, type Said } from "./conversation.ts";
import { isAboutPlan, isGoOn, type Feedback } from "./feedback.ts";

export interface Errand {
  readonly task: Said;
  /** Remarks on the plan, in order: verdicts and plain words. */
  readonly feedback: readonly Feedback[];
  /** Calls since the task was given. */
  readonly calls: readonly Made[];
}

const revision = /^Not approved(?: yet)?: the user (?:wants changes|left notes)[^\n]*\n+/;
const unchanged = /^This is the plan that was sent back, unchanged/;

/** Null where nobody has said anything. */
export function errandOf({ words, calls, planFile, approved, demands }: Conversation): Errand | null {
  let task: Said | null = null;
  const remarks: Feedback[] = [];
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
  const verdicts = own.filter(
    ({ tool, result }) => tool === "ExitPlanMode" && revision.test(result) && !unchanged.test(result),
  );
  const feedback = [
    ...verdicts.map(({ at, result }) => ({ at: at + 0.5, text: feedbackIn(result) })),
    ...own.filter(isWishAsked).flatMap(({ at, result }) => answersIn(result).map((text) => ({ at: at + 0.5, text }))),
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

function isWishAsked({ tool, input }: Made): boolean {
  return tool === "AskUserQuestion" && JSON.stringify(input).includes(`"${wishHeader}"`);
}

/** What the person answered, in their words; nothing where nobody did. */
export function answersIn(result: string): readonly string[] {
  if (!result.startsWith("The user answered:")) return [];
  const given = [...result.matchAll(/^→ (.+)$/gm), ...result.matchAll(/^They added: (.+)$/gm)].map(([, answer]) =>
    answer!.trim(),
  );
  return given.filter((answer) => !answer.startsWith("(no answer"));
}

function feedbackIn(result: string): string {
  return result.replace(revision, "").replace(/^Feedback from the user:\n/, "");
}
