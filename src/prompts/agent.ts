/** What Explore and Plan agents read: their system prompt, their brief, and the reminder of every turn (R10.1–R10.3). */
import type { BuiltInAgent } from "../core/agents.ts";
import type { Prompts } from "./index.ts";
import { remind, withoutReminderTags } from "./tags.ts";

/** The same bytes for every agent of a kind, so that the cache serves them all. */
export function agentPrompt(prompts: Prompts, agent: BuiltInAgent): string {
  return prompts(`agents/${agent}`);
}

/** An agent for work of any kind. */
export function generalPrompt(prompts: Prompts): string {
  return prompts("agents/general");
}

/** An agent of the person's own; its file says what it is. */
export function customPrompt(prompts: Prompts, body: string): string {
  return prompts("agents/custom", { body: withoutReminderTags(body.trim()) });
}

/** What an agent knows that starts with the conversation so far (R10.2). */
export function conversationSoFar(prompts: Prompts, conversation: string): string {
  return prompts("agents/conversation", { conversation: withoutReminderTags(conversation) });
}

export type AgentBrief =
  | { readonly agent: "explore"; readonly brief: string; readonly thoroughness?: "quick" | "medium" | "very thorough" }
  | { readonly agent: "plan"; readonly brief: string; readonly perspective?: string };

export function agentBrief(prompts: Prompts, task: AgentBrief): string {
  const { brief } = task;
  if (task.agent === "explore") {
    const { thoroughness } = task;
    return thoroughness === undefined ? brief : prompts("agents/brief-thoroughness", { brief, thoroughness });
  }
  const { perspective } = task;
  return perspective === undefined ? brief : prompts("agents/brief-perspective", { brief, perspective });
}

/** Goes with every turn of either agent. */
export function agentReminder(prompts: Prompts): string {
  return remind(prompts, prompts("agents/critical"));
}
