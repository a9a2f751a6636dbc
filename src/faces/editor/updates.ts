/** What happens to a session, as updates for the editor: words, thoughts, calls, agents, the plan, modes, usage, notices. */
import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentHappening, Happening } from "../../agent/ports/handle.ts";
import { items } from "../../core/chain.ts";
import type { Session } from "../../core/session.ts";
import { tokensOf, type TokenUsage } from "../../core/usage.ts";
import { agentProgress } from "./agent-progress.ts";
import { compactionTeller, replyTeller, type EventHappening, type TellNotice } from "./reply-teller.ts";
import { modeState } from "./options.ts";
import { chunk, planUpdate, type ReplayLook } from "./replay.ts";
import { callNews, cameOf, differenceOf, locationsOf, toolCallOf } from "./tool-calls.ts";

export interface TellerOptions {
  readonly look: () => ReplayLook;
  readonly capabilities: ClientCapabilities;
  /** Whether these words are the ones that the editor has just sent: it shows them itself. */
  readonly isOwn: (words: string) => boolean;
  /** Of a request, and of the session with it. */
  readonly usage: (used: TokenUsage, session: Session) => SessionUpdate | null;
  /** Modes, model and effort as they are now. */
  readonly options: () => SessionUpdate;
}

export function createTeller(options: TellerOptions) {
  const { look, capabilities } = options;
  const notice: TellNotice = (text, severity = "info") =>
    capabilities.session?.notices
      ? { sessionUpdate: "notice", severity, title: text }
      : chunk("agent_message_chunk", `\n\n*groundplan: ${text}*\n\n`);
  const agents = agentProgress(() => look().show);
  const reply = replyTeller(notice);
  const compaction = compactionTeller(capabilities);
  const fromEvent = (happening: EventHappening): readonly SessionUpdate[] => {
    const { event, before, session } = happening;
    const isForeign = event.type === "user-said" && !options.isOwn(event.text);
    const isOtherPlan = before.todos !== session.todos || before.plan.approved !== session.plan.approved;
    return [
      ...(isForeign ? [chunk("user_message_chunk", event.text)] : []),
      ...reply.whole(happening),
      ...fromCalls(happening, options),
      ...fromEffects(happening, options),
      ...fromResults(happening, options),
      ...(isOtherPlan ? planUpdate(session) : []),
      ...modeUpdates(happening, options),
      ...compaction(happening),
      ...noticesIn(happening, options).map(({ text, severity }) => notice(text, severity)),
    ];
  };
  return {
    notice,
    hear(happening: Happening): readonly SessionUpdate[] {
      switch (happening.kind) {
        case "delta":
          return reply.part(happening.delta);
        case "event":
          return fromEvent(happening);
        case "agent":
          return [...agents.hear(happening), ...agentNotices(happening, options).map((text) => notice(text))];
        case "halted":
          return [notice(`The session log cannot be written: ${happening.error}`, "error")];
        case "team":
        case "asking":
        case "unanswered":
          return [];
      }
    },
  };
}

/** The calls of a reply, and what the request used. */
function fromCalls({ event, session }: EventHappening, { look, usage }: TellerOptions): readonly SessionUpdate[] {
  if (event.type !== "model-replied") return [];
  const calls = event.calls.flatMap((call): readonly SessionUpdate[] => {
    const shown = toolCallOf(call, look());
    return shown === null ? [] : [{ sessionUpdate: "tool_call", ...shown, locations: locationsOf(call) }];
  });
  const used = event.usage === undefined ? null : usage(event.usage, session);
  return used === null ? calls : [...calls, used];
}

function fromEffects({ effects }: EventHappening, { look }: TellerOptions): readonly SessionUpdate[] {
  return effects.flatMap((effect): readonly SessionUpdate[] => {
    if (effect.type !== "run-tool" && effect.type !== "ask-questions") return [];
    const { call } = effect;
    if (toolCallOf(call, look()) === null) return [];
    const content = differenceOf(call);
    return [callNews(call.id, { status: "in_progress", ...(content.length === 0 ? {} : { content }) })];
  });
}

function fromResults({ before, session }: EventHappening, { look }: TellerOptions): readonly SessionUpdate[] {
  const known = before.transcript.length;
  const added = session.transcript.length > known ? items(session.transcript).slice(known) : [];
  const { show, words } = look();
  return added.flatMap((entry): readonly SessionUpdate[] => {
    if (entry.kind !== "result") return [];
    const { callId, tool, outcome } = entry;
    const { claims } = show(tool, {});
    if (claims.includes("note")) return [];
    const denial = outcome.kind === "denied" ? words.denial(outcome.denial, { actor: session.actor.kind }) : null;
    return [callNews(callId, cameOf(outcome, denial, claims.includes("write")))];
  });
}

function modeUpdates({ before, session }: EventHappening, { options }: TellerOptions): readonly SessionUpdate[] {
  if (before.permissions === session.permissions) return [];
  const [earlier, now] = [modeState(before), modeState(session)];
  if (JSON.stringify(earlier) === JSON.stringify(now)) return [];
  return [{ sessionUpdate: "current_mode_update", currentModeId: now.currentModeId }, options()];
}

interface ToldNotice {
  readonly text: string;
  readonly severity: "info" | "warning";
}

/** What the prompt's own answer says, and what the editor shows by itself, is not said twice. */
function noticesIn(happening: EventHappening, { look }: TellerOptions): readonly ToldNotice[] {
  return look()
    .words.eventsOf(happening)
    .flatMap((event): readonly ToldNotice[] => {
      if (event.type !== "notification" || unsaid.has(event.key)) return [];
      return [{ text: event.text, severity: event.tone === "warning" ? "warning" : "info" }];
    });
}

const unsaid: ReadonlySet<string> = new Set(["model-failed", "turn-ended-in-text", "mode-refused"]);

function agentNotices(happening: AgentHappening, { look }: TellerOptions): readonly string[] {
  return look()
    .words.eventsOf(happening)
    .flatMap((event) => (event.type === "notification" ? [`${happening.agent}: ${event.text}`] : []));
}

/** The tokens of one request, of as many as the model can take. */
export function usageUpdate(used: TokenUsage, size: number | undefined, costUsd: number | null): SessionUpdate | null {
  if (size === undefined) return null;
  const cost = costUsd === null ? {} : { cost: { amount: costUsd, currency: "USD" } };
  return { sessionUpdate: "usage_update", used: tokensOf(used), size, ...cost };
}
