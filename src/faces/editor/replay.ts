/** A session that is loaded: what was said and done so far, as the editor would have seen it. */
import type { PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk";
import { items } from "../../core/chain.ts";
import { stepsOf } from "../../core/plan/steps.ts";
import type { Session } from "../../core/session.ts";
import type { Entry, ReplyContent } from "../../core/transcript.ts";
import type { EditorWords } from "./link.ts";
import { callNews, cameOf, pastDifference, toolCallOf, type CallLook } from "./tool-calls.ts";

export interface ReplayLook extends CallLook {
  readonly words: EditorWords;
}

export function replayUpdates(session: Session, look: ReplayLook): readonly SessionUpdate[] {
  const said = items(session.transcript).flatMap((entry) => fromEntry(entry, session, look));
  return [...said, ...planUpdate(session)];
}

function fromEntry(entry: Entry, session: Session, look: ReplayLook): readonly SessionUpdate[] {
  switch (entry.kind) {
    case "user":
      return [chunk("user_message_chunk", entry.text)];
    case "assistant":
      return entry.content.flatMap((part) => fromPart(part, look));
    case "summary":
      return [chunk("agent_message_chunk", `What was said before, in short:\n\n${entry.text}`)];
    case "result": {
      const { callId, tool, outcome } = entry;
      if (look.show(tool, {}).claims.includes("note")) return [];
      const denial =
        outcome.kind === "denied" ? look.words.denial(outcome.denial, { actor: session.actor.kind }) : null;
      return [callNews(callId, cameOf(outcome, denial, look.show(tool, {}).claims.includes("write")))];
    }
    case "cancelled":
      return [chunk("agent_message_chunk", "(stopped)")];
    case "lead":
    case "reminder":
      return [];
  }
}

function fromPart(part: ReplyContent, look: ReplayLook): readonly SessionUpdate[] {
  if (part.type === "text") return part.text === "" ? [] : [chunk("agent_message_chunk", part.text)];
  if (part.type === "thinking") return part.text === "" ? [] : [chunk("agent_thought_chunk", part.text)];
  const shown = toolCallOf(part, look);
  return shown === null ? [] : [{ sessionUpdate: "tool_call", ...shown, content: pastDifference(part, look) }];
}

/** The todo list, which an approved plan's steps become; those steps themselves where there is none. */
export function planUpdate({ todos, plan }: Session): readonly SessionUpdate[] {
  const entries: PlanEntry[] =
    todos.length > 0
      ? todos.map(({ content, status }) => ({ content, status, priority: "medium" }))
      : stepsOf(plan.approved?.text ?? "").map(({ title, done }) => ({
          content: title,
          status: done ? "completed" : "pending",
          priority: "medium",
        }));
  return entries.length === 0 ? [] : [{ sessionUpdate: "plan", entries }];
}

export function chunk(
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text } };
}
