/** The transcript as a value: hears what happens to the session, and holds the items that the screen shows of it. */
import type { AgentHappening, Happening } from "../../../agent/ports/handle.ts";
import type { ModelDelta } from "../../../agent/ports/model.ts";
import { items as entriesOf } from "../../../core/chain.ts";
import type { Effect } from "../../../core/effect.ts";
import type { Event } from "../../../core/event.ts";
import { workingModeOf } from "../../../core/mode.ts";
import type { Call } from "../../../core/decide/access.ts";
import { noticeText } from "../../../core/reminders/notice.ts";
import type { Outcome } from "../../../core/outcome.ts";
import type { Verdict } from "../../../core/verdict.ts";
import type { Session } from "../../../core/session.ts";
import { tokensOf } from "../../../core/usage.ts";
import { replyText, type Entry } from "../../../core/transcript.ts";
import { afterEntry, type Hearing, type SessionWords } from "./entries.ts";
import type { AgentProgress, CallItem, Item, Tone } from "./items.ts";
import { teamText } from "./team-text.ts";
import { cutBlocks } from "./text-blocks.ts";

export interface Transcript {
  readonly items: readonly Item[];
  /** What of the present answer was shown already. */
  readonly streamed: string;
}

export const emptyTranscript: Transcript = { items: [], streamed: "" };

export function add(transcript: Transcript, ...added: readonly Item[]): Transcript {
  return added.length === 0 ? transcript : { ...transcript, items: [...transcript.items, ...added] };
}

export function hear(transcript: Transcript, happening: Happening, words: SessionWords): Transcript {
  switch (happening.kind) {
    case "delta":
      return hearDelta(transcript, happening.delta);
    case "agent":
      return hearAgent(transcript, happening, words);
    case "team":
      return notice(transcript, teamText(happening.news), "plain");
    case "asking":
    case "unanswered":
      return transcript;
    case "halted":
      return notice(
        closed(transcript),
        `The session log cannot be written: ${happening.error}. Nothing further is done.`,
        "error",
      );
    case "event": {
      const { session, effects } = happening;
      const added = addedEntries(happening);
      const heard = added.reduce((sum, entry) => hearEntry(sum, entry, { session, words }), transcript);
      const told = hearWork(hearElsewhere(heard, happening.event), happening.event);
      return effects.reduce((sum, effect) => hearEffect(sum, effect), told);
    }
  }
}

/** B18.5: files that a command or an agent changed; what an edit changed stands with it. */
function hearWork(transcript: Transcript, event: Event): Transcript {
  if (event.type !== "work-ended" || event.changed === undefined) return transcript;
  const last = transcript.items.findLast((item) => item.kind === "call" && item.state !== "waiting");
  if (last?.kind !== "call" || last.shown.change !== undefined) return transcript;
  const { changed } = event;
  const more = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : "";
  return notice(transcript, `changed: ${changed.slice(0, mostNamed).join(", ")}${more}`, "plain");
}

const mostNamed = 8;

/** None where the transcript became shorter. */
function addedEntries({ before, session }: Extract<Happening, { readonly kind: "event" }>): readonly Entry[] {
  return session.transcript.shared.slice(before.transcript.length, session.transcript.length);
}

function stopped(call: CallItem): CallItem {
  return { ...call, state: "stopped" };
}

/** What a session has said so far, for one that is resumed. */
export function pastOf(session: Session, words: SessionWords): Transcript {
  const past = entriesOf(session.transcript);
  const shown = past.reduce((sum, entry) => hearEntry(sum, entry, { session, words }), emptyTranscript);
  const open = new Set(session.turn.open.map(({ call }) => call.id));
  const items = shown.items.map((item) =>
    item.kind === "call" && item.state === "waiting" && !open.has(item.id) ? stopped(item) : item,
  );
  return { items, streamed: "" };
}

function hearEntry(transcript: Transcript, entry: Entry, hearing: Hearing): Transcript {
  switch (entry.kind) {
    case "user":
      return add(closed(transcript), { kind: "user", text: entry.text });
    case "assistant": {
      const said = replyText(entry.content);
      const calls = entry.content.flatMap((part) => (part.type === "tool-call" ? [waiting(part, hearing.words)] : []));
      return add(answered(transcript, said), ...calls);
    }
    case "result":
      return changeCall(transcript, entry.callId, (call) => afterEntry(call, entry.outcome, hearing));
    case "cancelled":
      return notice(closed(transcript), "Stopped. Say what to do instead.", "warning");
    case "lead":
      return notice(transcript, `The team's lead: ${verdictLine(entry.verdict, hearing.session)}`, "plain");
    case "reminder":
    case "summary":
      return transcript;
  }
}

/** "approved → acceptEdits", "sent back · add a test" */
function verdictLine(verdict: Verdict, { permissions }: Session): string {
  const words = verdictWords[verdict.kind];
  if (verdict.kind === "approve") return `plan ${words} → ${verdict.mode ?? workingModeOf(permissions)}`;
  return withWords(`plan ${words}`, verdict.kind === "revise" ? verdict.feedback : "");
}

/** B2.6: who answered, where it was not this terminal. */
function hearElsewhere(transcript: Transcript, event: Event): Transcript {
  if (!("by" in event) || event.by === null || typeof event.by === "string") return transcript;
  if (event.type === "lead-answered" || event.type === "session-allowed" || event.by.surface === "terminal")
    return transcript;
  const what =
    event.type === "review-decided"
      ? verdictWords[event.verdict.kind]
      : event.type === "question-answered"
        ? event.answer.status
        : event.allowed
          ? "allowed"
          : "refused";
  return notice(transcript, `${event.by.user} answered elsewhere (${event.by.surface}): ${what}`, "plain");
}

const verdictWords = {
  approve: "approved",
  revise: "sent back",
  save: "saved for later",
  abandon: "abandoned",
  dismiss: "dismissed",
} as const;

function hearEffect(transcript: Transcript, effect: Effect): Transcript {
  switch (effect.type) {
    case "run-tool":
    case "ask-questions":
      return changeCall(transcript, effect.call.id, (call) => [{ ...call, state: "running" }]);
    case "ask-permission":
      return changeCall(transcript, effect.call.id, (call) => [{ ...call, state: "asking" }]);
    case "request-review":
      return changeCall(transcript, effect.request.callId, (call) => [{ ...call, state: "asking" }]);
    case "notify": {
      const { text, tone } = noticeText(effect.notice);
      return notice(transcript, text, effect.notice.key === "model-failed" ? "error" : tone);
    }
    default:
      return transcript;
  }
}

function hearDelta(transcript: Transcript, delta: ModelDelta): Transcript {
  switch (delta.type) {
    case "text":
      return withText(transcript, delta.text);
    case "restarted":
      if (transcript.streamed === "") return transcript;
      return notice(closed(transcript), "the answer was cut off; it begins anew", "plain");
    case "retrying": {
      const again = `Trying again in ${Math.ceil(delta.waitMs / 1000)} s (attempt ${delta.attempt}).`;
      return notice(transcript, `${delta.error.message} ${again}`, "warning");
    }
    case "thinking":
    case "done":
    case "failed":
      return transcript;
  }
}

function withText(transcript: Transcript, text: string): Transcript {
  const { streamed } = transcript;
  if (streamed.length > longestAnswer) return { ...transcript, streamed: streamed + text };
  const last = transcript.items.at(-1);
  const isOpen = last?.kind === "text" && last.open;
  const { finished, rest } = cutBlocks((isOpen ? last.text : "") + text);
  const before = isOpen ? transcript.items.slice(0, -1) : transcript.items;
  const done: readonly Item[] = finished.trim() === "" ? [] : [{ kind: "text", text: finished, open: false }];
  return {
    items: [...before, ...done, { kind: "text", text: rest, open: true }],
    streamed: transcript.streamed + text,
  };
}

/** The whole answer is there: what was streamed of it stays, anything else is added. */
function answered(transcript: Transcript, said: string): Transcript {
  const { streamed } = transcript;
  const rest = said.startsWith(streamed) ? said.slice(streamed.length) : streamed.trim() === said.trim() ? "" : said;
  const whole = rest === "" ? transcript : withText(transcript, rest);
  return closed(whole);
}

/** No more comes of the present answer. */
export function closed({ items, streamed }: Transcript): Transcript {
  const whole = closedItems(items);
  const isCut = streamed.length > longestAnswer;
  return { items: isCut ? [...whole, { kind: "notice", text: hiddenText, tone: "plain" }] : whole, streamed: "" };
}

const longestAnswer = 400_000;
const hiddenText = "this answer is too long for the screen; the rest of it is in the session's log";

function closedItems(items: readonly Item[]): readonly Item[] {
  const last = items.at(-1);
  if (last?.kind !== "text" || !last.open) return items;
  const before = items.slice(0, -1);
  return last.text.trim() === "" ? before : [...before, { ...last, open: false }];
}

function hearAgent(transcript: Transcript, happening: AgentHappening, words: SessionWords): Transcript {
  const { agent, news } = happening;
  const heard = hearProgress(transcript, happening, words);
  if (news.kind !== "within" || news.happening.kind !== "event") return heard;
  const { session } = news.happening;
  const lines = addedEntries(news.happening).flatMap((entry) =>
    entry.kind === "result" ? (planLine(entry.outcome, session) ?? []) : [],
  );
  return lines.reduce((sum, line) => notice(sum, `Agent ${agent}: ${line}`, "plain"), heard);
}

/** What became of an agent's own plan; null for everything else. */
function planLine(outcome: Outcome, { permissions }: Session): string | null {
  if (outcome.kind === "approved") return `plan approved → ${workingModeOf(permissions)}`;
  if (outcome.kind === "abandoned") return "plan abandoned";
  return outcome.kind === "revise" ? withWords("plan sent back", outcome.feedback) : null;
}

function withWords(what: string, words: string): string {
  return words.trim() === "" ? what : `${what} · ${words.trim()}`;
}

function hearProgress(
  transcript: Transcript,
  { agent, callId, news }: AgentHappening,
  words: SessionWords,
): Transcript {
  return changeCall(transcript, callId, (call) => {
    if (news.kind === "started") {
      const begun = { calls: 0, latest: null, tokens: 0, status: "running" } as const;
      return [{ ...call, agent: { name: agent, model: news.model, ...begun } }];
    }
    if (call.agent === null) return [call];
    if (news.kind === "finished")
      return [{ ...call, agent: { ...call.agent, status: news.status, tokens: tokensOf(news.usage) } }];
    return [{ ...call, agent: working(call.agent, news.happening, words) }];
  });
}

function working(agent: AgentProgress, happening: Happening, words: SessionWords): AgentProgress {
  if (happening.kind !== "event") return agent;
  const tokens = tokensOf(happening.session.usage.total);
  const started = happening.effects.flatMap((effect) => (effect.type === "run-tool" ? [effect.call] : []));
  const latest = started.at(-1);
  const doing = latest === undefined ? agent.latest : words.call(latest.tool, latest.input).brief;
  return { ...agent, calls: agent.calls + started.length, latest: doing, tokens };
}

function changeCall(transcript: Transcript, id: string, change: (call: CallItem) => readonly Item[]): Transcript {
  const at = transcript.items.findLastIndex((item) => item.kind === "call" && item.id === id);
  const call = transcript.items[at];
  if (call?.kind !== "call") return transcript;
  return { ...transcript, items: transcript.items.toSpliced(at, 1, ...change(call)) };
}

function waiting({ id, tool, input }: Pick<Call, "id" | "tool" | "input">, words: SessionWords): CallItem {
  const shown = words.call(tool, input);
  return { kind: "call", id, shown, state: "waiting", reason: null, output: "", agent: null };
}

function notice(transcript: Transcript, text: string, tone: Tone): Transcript {
  return add(transcript, { kind: "notice", text, tone });
}
