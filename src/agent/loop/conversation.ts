/** A conversation as plain text, for an agent that starts with what was said so far (R10.2). */
import { chain, items } from "../../core/chain.ts";
import type { Session } from "../../core/session.ts";
import { messagesOf, type ContextStyle } from "./context.ts";
import type { Message } from "../ports/model.ts";

const longestResult = 2_000;
const longest = 150_000;

/** Without the surroundings, the project's memory, reminders, and the turn that is under way. The newest words matter most. */
export function conversationOf(session: Session, style: ContextStyle): string {
  const entries = items(session.transcript).filter(({ kind }) => kind !== "reminder");
  const underWay = entries.findLastIndex(({ kind }) => kind === "assistant");
  const said = { ...session, opening: "", transcript: chain(...entries.slice(0, Math.max(0, underWay))) };
  const text = messagesOf(said, style).flatMap(linesOf).join("\n\n");
  return text.length <= longest ? text : `…${text.slice(text.length - longest).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

function linesOf(message: Message): readonly string[] {
  switch (message.role) {
    case "user":
      return message.content.map((part) => (part.type === "text" ? `[user] ${part.text}` : "[user] [image]"));
    case "assistant":
      return message.content.flatMap((part) => {
        if (part.type === "thinking") return [];
        return part.type === "text"
          ? [`[assistant] ${part.text}`]
          : [`[call ${part.tool}] ${clipped(JSON.stringify(part.input) ?? "")}`];
      });
    case "tool":
      return message.results.map(({ tool, content }) => {
        const text = content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
        return `[result ${tool}] ${clipped(text)}`;
      });
  }
}

function clipped(text: string): string {
  return text.length <= longestResult ? text : `${text.slice(0, longestResult)}…`;
}
