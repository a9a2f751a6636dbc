/** What stands at the beginning of a conversation: the project's own instructions, a plan to carry out. */
import type { Comment } from "../../core/verdict.ts";
import type { Prompts } from "../index.ts";
import { renderFeedback, renderNotes, type Feedback } from "./feedback.ts";
import { remind, withoutReminderTags } from "./tags.ts";

export interface ProjectMemory {
  readonly path: string;
  readonly text: string;
  readonly truncated: boolean;
}

/** Given to the main agent once (B8.6), never to Explore and Plan (R10.1). */
export function projectMemory(prompts: Prompts, { path, text, truncated }: ProjectMemory): string {
  const cut = truncated ? ` ${prompts("opening/memory-cut")}` : "";
  return remind(prompts, prompts("opening/memory", { path, cut, text: text.trim() }));
}

export interface FreshStart {
  readonly file: string;
  readonly plan: string;
  readonly notes: string | null;
  readonly comments?: readonly Comment[] | undefined;
  /** Questions that were answered while planning. */
  readonly decisions: readonly { readonly question: string; readonly answer: string }[];
}

/** The first words of a session that takes up a plan whose own session is gone. */
export function startAgain(prompts: Prompts, { file, plan }: Pick<FreshStart, "file" | "plan">): string {
  return withoutReminderTags(prompts("opening/plan-again", { file, plan }));
}

export interface TakenPlan extends Feedback {
  /** `name@team` */
  readonly agent: string;
  readonly task: string;
  readonly file: string;
}

/** What a session is told that goes on with a teammate's plan (R14.4). */
export function takenPlan(prompts: Prompts, { agent, task, file, ...said }: TakenPlan): string {
  const feedback = renderFeedback(prompts, said, "results/feedback");
  const open = feedback === "" ? "" : `\n\n${feedback}`;
  return remind(prompts, prompts("opening/taken-plan", { agent, task: sentence(task), file, feedback: open }));
}

function sentence(task: string): string {
  const words = withoutReminderTags(task.trim());
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** The first words of a session that carries out a plan approved in another one (B3.4, B6.4). */
export function freshStart(prompts: Prompts, { file, plan, decisions, ...said }: FreshStart): string {
  const answers = decisions.map(({ question, answer }) => `- ${question} ${answer}`).join("\n");
  const text = prompts("opening/fresh-start", {
    file,
    plan,
    decisions: answers === "" ? "" : `\n\n${prompts("opening/fresh-decisions", { decisions: answers })}`,
    notes: renderNotes(prompts, said, "results/notes"),
  });
  return withoutReminderTags(text);
}

/** What was piped in beside a prompt is part of it, marked; nothing in it ends the mark early. */
export function withPipedInput(prompts: Prompts, prompt: string, piped: string): string {
  if (piped.trim() === "") return prompt;
  const text = withoutReminderTags(piped.trimEnd()).replaceAll(/<(?=\/stdin>)/gi, "&lt;");
  return prompts("opening/piped-input", { prompt, text });
}

/** A text that an editor attached to a prompt is part of it, marked; nothing in it ends the mark early. */
export function withAttachedText(prompts: Prompts, prompt: string, attached: { name: string; text: string }): string {
  const text = withoutReminderTags(attached.text.trimEnd()).replaceAll(/<(?=\/attached>)/gi, "&lt;");
  const name = withoutReminderTags(attached.name).replaceAll(/["<>\r\n]/g, " ");
  return prompts("opening/attached-text", { prompt, name, text });
}
