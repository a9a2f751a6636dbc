/** What agents read beside their system prompts: who can be started, what they know, the reminder of every turn (R10.1–R10.3). */
import type { Prompts } from "../index.ts";
import { remind, withoutReminderTags } from "./tags.ts";

/** The description of the tool that starts agents; the person's own come last. Never depends on the mode (R5.4). */
export function describeAgents(prompts: Prompts, own: readonly { name: string; description: string }[]): string {
  return prompts("tools/agent", { others: own.map(({ name, description }) => `\n- ${name}: ${description}`).join("") });
}

/** An agent of the person's own; its file says what it is. */
export function customPrompt(prompts: Prompts, body: string): string {
  return prompts("agents/shared/custom", { body: withoutReminderTags(body.trim()) });
}

/** What an agent knows that starts with the conversation so far (R10.2). */
export function conversationSoFar(prompts: Prompts, conversation: string): string {
  return prompts("agents/shared/conversation", { conversation: withoutReminderTags(conversation) });
}

/** Goes with every turn of Explore and Plan. */
export function agentReminder(prompts: Prompts): string {
  return remind(prompts, prompts("agents/shared/critical"));
}
