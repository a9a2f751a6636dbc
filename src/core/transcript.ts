/** What was said and done, as the model will be told it: values, rendered to text at the model's boundary. */
import type { Outcome } from "./outcome.ts";
import type { Reminder } from "./reminders/reminder.ts";
import type { Verdict } from "./verdict.ts";

export type Entry =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly content: readonly ReplyContent[] }
  | { readonly kind: "result"; readonly callId: string; readonly tool: string; readonly outcome: Outcome }
  /** Meta: never taken for a person's words. */
  | { readonly kind: "reminder"; readonly reminder: Reminder }
  | { readonly kind: "summary"; readonly text: string }
  /** The team lead's answer to a plan that was submitted. */
  | { readonly kind: "lead"; readonly requestId: string; readonly verdict: Verdict }
  /** The person stopped the turn. */
  | { readonly kind: "cancelled" };

export type ReplyContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string; readonly signature?: unknown }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly signature?: unknown;
    };

/** What it says, without thoughts and calls. */
export function replyText(content: readonly ReplyContent[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
