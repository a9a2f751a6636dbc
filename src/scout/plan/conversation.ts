/** Reads a conversation as scout needs it: the mode, the plan file, the person's words, and what each call gave. */
import type { Message, ToolCallPart, ToolResultPart } from "../../agent/ports/model.ts";

/** `at` orders everything that was said, called and answered. */
export interface Said {
  readonly at: number;
  readonly text: string;
}

export interface Made {
  readonly at: number;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
}

export interface Conversation {
  readonly isPlanning: boolean;
  /** Null where none could be made. */
  readonly planFile: string | null;
  readonly words: readonly Said[];
  readonly calls: readonly Made[];
  /** The project's own instructions, as they were named at the beginning. */
  readonly rules: readonly string[];
  /** The plan that was approved last, and where it stands. */
  readonly approved: Said | null;
  /** What a team's lead wants changed. */
  readonly demands: readonly Said[];
  /** Where scout spoke last. */
  readonly replied: number;
}

const opening = /^Working directory: .*\nProject root: /;
const reminder = /^<system-reminder>\s*/;
const planOn = /^(?:Plan mode is (?:still )?on|Back in plan mode)/;
const planOff = /^Plan mode is off/;
const planFiles = [
  /^Plan file: (.+?) \((?:it exists|no plan)/m,
  /new plan file: (.+?)\. The earlier plan/,
  /^Back in plan mode\. (.+?) still holds/,
  /except (?:for|to) (\/.+?|[A-Za-z]:.+?)(?:\. |, no command)/,
];
const leadApproved = /^Your team lead (?:approved the plan|changed the plan and approved it)/;
const leadRejected = /^Your team lead did not approve the plan[^\n]*\n+(?:Feedback from the lead:\n)?/;
const approval = /^The user (?:approved your plan|edited your plan and approved|approved the plan)/;
const ending =
  /^(?:The user (?:gave this plan up|saved the plan)|The user left plan mode|Leaving plan mode was approved)/;

export function readConversation(messages: readonly Message[]): Conversation {
  const words: Said[] = [];
  const calls: Made[] = [];
  const rules: string[] = [];
  const demands: Said[] = [];
  let isPlanning = false;
  let planFile: string | null = null;
  let approved: Said | null = null;
  for (const [at, message] of messages.entries()) {
    if (message.role === "assistant") {
      const next = messages[at + 1];
      const results = next?.role === "tool" ? next.results : [];
      for (const part of message.content) if (part.type === "tool-call") calls.push(madeOf(part, results, at));
    }
    if (message.role === "tool") {
      const left = calls.filter((call) => call.at === at - 1 && call.tool === "ExitPlanMode");
      for (const { result } of left) {
        if (approval.test(result)) approved = { at, text: /saved at (.+?\.md)\b/.exec(result)?.[1] ?? planFile ?? "" };
        if (approval.test(result) || ending.test(result)) isPlanning = false;
      }
    }
    if (message.role !== "user") continue;
    for (const [index, part] of message.content.entries()) {
      if (part.type !== "text") continue;
      if (at === 0 && index === 0 && opening.test(part.text)) {
        rules.push(...[...part.text.matchAll(/instructions, from (.+?)\. Follow/g)].map(([, path]) => path!));
      } else if (reminder.test(part.text)) {
        const body = part.text.replace(reminder, "");
        if (planOff.test(body)) isPlanning = false;
        if (leadApproved.test(body)) approved = { at, text: planFile ?? "" };
        if (leadRejected.test(body))
          demands.push({
            at: at + index / 1000,
            text: body.replace(leadRejected, "").replace(/\s*<\/system-reminder>\s*$/, ""),
          });
        if (!planOn.test(body)) continue;
        isPlanning = true;
        planFile = planFiles.map((pattern) => pattern.exec(body)?.[1]).find((path) => path !== undefined) ?? null;
      } else if (part.text.trim() !== "") {
        words.push({ at: at + index / 1000, text: part.text.trim() });
      }
    }
  }
  return {
    isPlanning,
    planFile,
    words,
    calls,
    rules,
    approved,
    demands,
    replied: messages.findLastIndex(({ role }) => role === "assistant"),
  };
}

/** A field of a call's input, where it is text. */
export function fieldOf({ input }: Pick<Made, "input">, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}

function madeOf({ id, tool, input }: ToolCallPart, results: readonly ToolResultPart[], at: number): Made {
  const found = results.find((result) => result.id === id);
  const text = (found?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const fields = typeof input === "object" && input !== null ? { ...input } : {};
  return { at, tool, input: fields, result: text, isError: found?.isError ?? true };
}
