/** The first words of a session that carries out a plan approved in another one (B3.4, B6.4). */
import type { Prompts } from "./index.ts";
import { withoutReminderTags } from "./tags.ts";

export interface FreshStart {
  readonly file: string;
  readonly plan: string;
  readonly notes: string | null;
  /** Questions that were answered while planning. */
  readonly decisions: readonly { readonly question: string; readonly answer: string }[];
}

export function freshStart(prompts: Prompts, { file, plan, notes, decisions }: FreshStart): string {
  const answers = decisions.map(({ question, answer }) => `- ${question} ${answer}`).join("\n");
  const text = prompts("fresh-start", {
    file,
    plan,
    decisions: answers === "" ? "" : `\n\n${prompts("fresh-decisions", { decisions: answers })}`,
    notes: notes === null ? "" : `\n\n${prompts("results/notes", { notes: notes.trim() })}`,
  });
  return withoutReminderTags(text);
}
