/** What agents do, told at the call that started them. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentHappening } from "../../agent/ports/handle.ts";
import type { ShowCall } from "../../agent/tools/show.ts";
import { shortCount, tokensOf } from "../../core/usage.ts";
import { callNews, fitted, textContent } from "./tool-calls.ts";

interface Progress {
  readonly head: string;
  readonly lines: string[];
}

export function agentProgress(show: () => ShowCall) {
  const known = new Map<string, Progress>();
  const told = (callId: string, { head, lines }: Progress): SessionUpdate => {
    const hidden = lines.length - mostLines;
    const more = hidden > 0 ? [`- ${hidden} earlier`] : [];
    const text = [head, "", ...more, ...lines.slice(-mostLines).map((line) => `- ${line}`)].join("\n");
    return callNews(callId, { status: "in_progress", content: [textContent(text)] });
  };
  return {
    hear({ id, agent, callId, news }: AgentHappening): readonly SessionUpdate[] {
      if (news.kind === "started") {
        const progress = { head: fitted(`${agent}: ${news.description} (${news.model})`, 300), lines: [] };
        known.set(id, progress);
        return [told(callId, progress)];
      }
      const progress = known.get(id);
      if (progress === undefined) return [];
      if (news.kind === "finished") {
        known.delete(id);
        progress.lines.push(`${news.status}, ${shortCount(tokensOf(news.usage))} tokens`);
        return [told(callId, progress)];
      }
      const { happening } = news;
      if (happening.kind !== "event") return [];
      const begun = happening.effects.flatMap((effect) => (effect.type === "run-tool" ? [effect.call] : []));
      progress.lines.push(...begun.map(({ tool, input }) => fitted(show()(tool, input).brief, 200)));
      return begun.length === 0 ? [] : [told(callId, progress)];
    },
  };
}

const mostLines = 12;
