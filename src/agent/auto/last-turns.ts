/** What a side model hears of the conversation: who said what, cut short; never thinking, reminders or anything that poses as somebody else. */
import { items } from "../../core/chain.ts";
import type { Session } from "../../core/session.ts";
import type { Entry } from "../../core/transcript.ts";
import { isToolOutput } from "../loop/context.ts";
import type { QuotedTurn } from "../../prompts/render/auto.ts";

const turnLimit = 12;
const userLimit = 3;
const textLimit = 1500;

export function lastTurns({ transcript }: Session): readonly QuotedTurn[] {
  const turns: QuotedTurn[] = [];
  for (const entry of items(transcript).toReversed()) {
    turns.unshift(...turnsOf(entry));
    if (turns.length >= turnLimit) break;
  }
  return turns.slice(-turnLimit);
}

export function lastWords({ transcript }: Session): readonly string[] {
  const said = items(transcript).flatMap((entry) => (entry.kind === "user" ? [cut(entry.text)] : []));
  return said.slice(-userLimit);
}

function turnsOf(entry: Entry): readonly QuotedTurn[] {
  switch (entry.kind) {
    case "user":
      return [{ from: "user", text: cut(entry.text) }];
    case "summary":
      return [{ from: "summary", text: cut(entry.text) }];
    case "assistant":
      return entry.content.flatMap((part): QuotedTurn[] => {
        if (part.type === "text") return part.text.trim() === "" ? [] : [{ from: "agent", text: cut(part.text) }];
        if (part.type !== "tool-call") return [];
        return [{ from: "agent", tool: part.tool, text: cut(JSON.stringify(part.input) ?? "") }];
      });
    case "result": {
      const { tool, outcome } = entry;
      const text = outcome.kind === "ran" ? outputText(outcome.output) : outcome.kind;
      return [{ from: "tool", tool, text: cut(text) }];
    }
    case "reminder":
    case "lead":
    case "cancelled":
      return [];
  }
}

function outputText(output: unknown): string {
  if (isToolOutput(output)) return output.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}

function cut(text: string): string {
  return text.length <= textLimit ? text : `${text.slice(0, textLimit)} … (${text.length - textLimit} more characters)`;
}
