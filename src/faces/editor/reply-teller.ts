/** What changes while it is told: a reply that streams in, a summary that is being made. */
import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Happening } from "../../agent/ports/handle.ts";
import type { ModelDelta } from "../../agent/ports/model.ts";
import { replyText } from "../../core/transcript.ts";
import { chunk } from "./replay.ts";

export type EventHappening = Extract<Happening, { kind: "event" }>;

export type TellNotice = (text: string, severity?: "info" | "warning" | "error") => SessionUpdate;

export function replyTeller(notice: TellNotice) {
  let told = { text: "", thoughts: "" };
  return {
    part(delta: ModelDelta): readonly SessionUpdate[] {
      switch (delta.type) {
        case "text":
          told.text += delta.text;
          return [chunk("agent_message_chunk", delta.text)];
        case "thinking":
          told.thoughts += delta.text;
          return [chunk("agent_thought_chunk", delta.text)];
        case "restarted": {
          const isVoid = told.text !== "";
          told = { text: "", thoughts: "" };
          return isVoid ? [notice("The answer broke off and begins anew.", "warning")] : [];
        }
        case "retrying":
          return [notice(`${delta.error.message} Trying again in ${Math.ceil(delta.waitMs / 1000)} s.`, "warning")];
        case "done":
        case "failed":
          return [];
      }
    },
    /** What did not stream in. */
    whole({ event }: EventHappening): readonly SessionUpdate[] {
      if (event.type !== "model-replied") return [];
      const thoughts = event.content.flatMap((part) => (part.type === "thinking" ? [part.text] : [])).join("");
      const rest = [
        ...unheard("agent_thought_chunk", thoughts, told.thoughts),
        ...unheard("agent_message_chunk", replyText(event.content), told.text),
      ];
      told = { text: "", thoughts: "" };
      return rest;
    },
  };
}

function unheard(
  kind: "agent_message_chunk" | "agent_thought_chunk",
  whole: string,
  heard: string,
): readonly SessionUpdate[] {
  const rest = whole.startsWith(heard) ? whole.slice(heard.length) : "";
  return rest === "" ? [] : [chunk(kind, rest)];
}

/** Where the editor wants to know of summaries. */
export function compactionTeller({ session: known }: ClientCapabilities) {
  let count = 0;
  return ({ event, before, session }: EventHappening): readonly SessionUpdate[] => {
    const [was, is] = [before.turn.compaction !== null, session.turn.compaction !== null];
    if (!known?.compaction || was === is) return [];
    if (is) count += 1;
    const update = { sessionUpdate: "compaction_update", compactionId: `compaction-${count}` } as const;
    if (is) return [{ ...update, status: "in_progress" }];
    if (event.type === "context-compacted") return [{ ...update, status: "completed" }];
    if (event.type === "compaction-failed") return [{ ...update, status: "failed", error: event.error }];
    return [{ ...update, status: "cancelled" }];
  };
}
