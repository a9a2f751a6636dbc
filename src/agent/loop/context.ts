/** The session as a model request: entries, reminders and results become messages; the prefix never changes (B7.1). */
import type { Actor } from "../../core/decide/situation.ts";
import { items } from "../../core/chain.ts";
import { isError, type Outcome } from "../../core/outcome.ts";
import type { Session } from "../../core/session.ts";
import type { Entry } from "../../core/transcript.ts";
import { renderEntry } from "../../prompts/render/entry.ts";
import type { Prompts } from "../../prompts/index.ts";
import { renderOutcome, type OutcomeFacts } from "../../prompts/render/outcome.ts";
import { renderReminder, type PlanStyle } from "../../prompts/render/reminder.ts";
import type { ImagePart, Message, TextPart, ToolResultPart } from "../ports/model.ts";
import type { ToolOutput } from "../ports/ports.ts";

/** Kept for a session: other values would change messages that were sent already. */
export interface ContextStyle {
  readonly prompts: Prompts;
  readonly plan: PlanStyle;
  readonly hasAgents: boolean;
}

export function messagesOf(session: Session, style: ContextStyle): readonly Message[] {
  const messages: Message[] = [];
  if (session.opening !== "") say(messages, session.opening);
  for (const entry of items(session.transcript)) add(messages, entry, session.actor, style);
  return messages.flatMap((message, index) => answered(message, messages[index + 1], style));
}

/** Words after everything that the model answers to: in the same places in every later request, so that the prefix stays. */
export function withEveryTurn(messages: readonly Message[], text: string): readonly Message[] {
  const turns: Message[] = [];
  for (const [index, message] of messages.entries()) {
    turns.push(message);
    const next = messages[index + 1];
    if (message.role !== "assistant" && (next === undefined || next.role === "assistant")) say(turns, text);
  }
  return turns;
}

/** Providers want a result for every call; one whose line was lost from the log is said to be interrupted. */
function answered(message: Message, next: Message | undefined, style: ContextStyle): readonly Message[] {
  if (message.role === "tool") return [];
  if (message.role === "user") return [message];
  const results = next?.role === "tool" ? next.results : [];
  const calls = message.content.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return [message];
  const text = renderOutcome(style.prompts, { kind: "interrupted" }, factsOf("main", style));
  const all = calls.map(({ id, tool }) => {
    const lost: ToolResultPart = { id, tool, content: [{ type: "text", text }], isError: true };
    return results.find((result) => result.id === id) ?? lost;
  });
  return [message, { role: "tool", results: all }];
}

function factsOf(actor: Actor["kind"], { hasAgents, plan }: ContextStyle): OutcomeFacts {
  return { actor, hasAgents, workflow: plan.workflow };
}

function add(messages: Message[], entry: Entry, actor: Actor, style: ContextStyle): void {
  switch (entry.kind) {
    case "user":
      return say(messages, entry.text);
    case "reminder":
      return say(messages, renderReminder(style.prompts, entry.reminder, style.plan));
    case "summary":
    case "lead":
    case "cancelled":
      return say(messages, renderEntry(style.prompts, entry));
    case "assistant": {
      const content = entry.content.filter((part) => part.type !== "text" || part.text !== "");
      if (content.length > 0) messages.push({ role: "assistant", content });
      return;
    }
    case "result": {
      const { callId: id, tool, outcome } = entry;
      const content = contentOf(outcome, actor, style);
      return report(messages, { id, tool, content, isError: isError(outcome) });
    }
  }
}

/** Words to the model follow each other in one message, as the providers want it. */
function say(messages: Message[], text: string): void {
  const part: TextPart = { type: "text", text };
  const last = messages.at(-1);
  if (last?.role === "user") messages[messages.length - 1] = { role: "user", content: [...last.content, part] };
  else messages.push({ role: "user", content: [part] });
}

/** Results stand right behind the reply that asked for them, whatever was said meanwhile. */
function report(messages: Message[], result: ToolResultPart): void {
  const reply = messages.findLastIndex(({ role }) => role === "assistant");
  const next = messages[reply + 1];
  if (next?.role === "tool") messages[reply + 1] = { role: "tool", results: [...next.results, result] };
  else messages.splice(reply + 1, 0, { role: "tool", results: [result] });
}

function contentOf(outcome: Outcome, { kind }: Actor, style: ContextStyle): readonly (TextPart | ImagePart)[] {
  if (outcome.kind !== "ran")
    return [{ type: "text", text: renderOutcome(style.prompts, outcome, factsOf(kind, style)) }];
  return isToolOutput(outcome.output) ? outcome.output.content : [{ type: "text", text: String(outcome.output) }];
}

export function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && "content" in value && Array.isArray(value.content);
}
