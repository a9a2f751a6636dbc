/** Reads a conversation as scout needs it: the mode, the plan file, the person's words, and what each call gave. */
import type { ModelRequest } from "../../agent/ports/model.ts";
import type { Outcome } from "../../core/outcome.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { wishOf, type Comment } from "../../core/verdict.ts";
import type { Entry } from "../../core/transcript.ts";

/** `at` orders everything that was said, called and answered. */
export interface Said {
  readonly at: number;
  readonly text: string;
  /** On lines of the plan. */
  readonly comments?: readonly Comment[];
}

export interface Made {
  readonly at: number;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Null where it was lost. */
  readonly outcome: Outcome | null;
  /** As a model reads it. */
  readonly result: string;
  readonly isError: boolean;
}

export interface Conversation {
  readonly isPlanning: boolean;
  /** Null where none could be made. */
  readonly planFile: string | null;
  readonly words: readonly Said[];
  readonly calls: readonly Made[];
  /** The plan that was approved last, and where it stands. */
  readonly approved: Said | null;
  /** What a team's lead wants changed. */
  readonly demands: readonly Said[];
  /** Where scout spoke last. */
  readonly replied: number;
}

const silence: Conversation = {
  isPlanning: false,
  planFile: null,
  words: [],
  calls: [],
  approved: null,
  demands: [],
  replied: -1,
};

export function readConversation({
  transcript,
  messages,
}: Pick<ModelRequest, "transcript" | "messages">): Conversation {
  const entries = transcript ?? messages.flatMap(wordsIn);
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const texts = new Map(results.map(({ id, content }) => [id, textOf(content)]));
  const outcomes = new Map(
    entries.flatMap((entry) => (entry.kind === "result" ? [[entry.callId, entry.outcome]] : [])),
  );
  const errors = new Set(results.flatMap(({ id, isError }) => (isError ? [id] : [])));
  return entries.reduce<Conversation>((known, entry, at) => {
    if (entry.kind !== "assistant") return heard(known, entry, at);
    const calls = entry.content.flatMap((part) => {
      if (part.type !== "tool-call") return [];
      const { id, tool, input } = part;
      const fields = typeof input === "object" && input !== null ? { ...input } : {};
      const isError = errors.has(id) || !texts.has(id);
      return [{ at, tool, input: fields, outcome: outcomes.get(id) ?? null, result: texts.get(id) ?? "", isError }];
    });
    return { ...known, calls: [...known.calls, ...calls], replied: at };
  }, silence);
}

/** A field of a call's input, where it is text. */
export function fieldOf({ input }: Pick<Made, "input">, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}

function heard(known: Conversation, entry: Exclude<Entry, { kind: "assistant" }>, at: number): Conversation {
  switch (entry.kind) {
    case "user":
    case "summary":
      return entry.text.trim() === "" ? known : { ...known, words: [...known.words, { at, text: entry.text.trim() }] };
    case "reminder":
      return reminded(known, entry);
    case "lead":
      return ledBy(known, entry, at);
    case "result":
      return settled(known, entry.outcome, at);
    case "cancelled":
      return known;
  }
}

function reminded(known: Conversation, { reminder }: Extract<Entry, { kind: "reminder" }>): Conversation {
  switch (reminder.type) {
    case "plan_mode":
    case "plan_mode_reentry":
      return { ...known, isPlanning: true, planFile: reminder.planFilePath };
    case "plan_mode_exit":
      return { ...known, isPlanning: false };
    default:
      return known;
  }
}

function ledBy(known: Conversation, { verdict }: Extract<Entry, { kind: "lead" }>, at: number): Conversation {
  if (verdict.kind === "approve") return { ...known, approved: { at, text: known.planFile ?? "" } };
  if (verdict.kind !== "revise" || wishOf(verdict) === "ask") return known;
  const { feedback: text, comments = [] } = verdict;
  return { ...known, demands: [...known.demands, { at, text, comments }] };
}

function settled(known: Conversation, outcome: Outcome, at: number): Conversation {
  switch (outcome.kind) {
    case "approved": {
      const approved = isBlank(outcome.plan) ? known.approved : { at, text: outcome.file };
      return { ...known, isPlanning: false, approved };
    }
    case "left":
    case "saved":
    case "abandoned":
    case "withdrawn":
      return { ...known, isPlanning: false };
    default:
      return known;
  }
}

function wordsIn(message: ModelRequest["messages"][number]): readonly Entry[] {
  return message.role === "user" ? [{ kind: "user", text: textOf(message.content) }] : [];
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
